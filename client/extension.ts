import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { activateConnections } from './features/connections/index.ts';
import { activateContentSync } from './features/content-sync/index.ts';
import { activateDatasources } from './features/datasources/index.ts';
import { activateHistory } from './features/history/index.ts';
import { activateLanguage } from './features/language/index.ts';
import { createLocalPlatform } from './features/local-platform/index.ts';
import { activateRunQuery } from './features/run-query/index.ts';
import { activateSavedQueries } from './features/saved-queries/index.ts';
import { activateStart } from './features/start/index.ts';
import { createCommands } from './infrastructure/commands.ts';
import { createLanguageServer } from './infrastructure/language/language-server.ts';
import { observingKeys } from './infrastructure/language/observing-keys.ts';
import { createLog } from './infrastructure/log.ts';
import { createQueryEditors } from './infrastructure/query-editors.ts';
import type { Services } from './infrastructure/services.ts';
import { createApiSession } from './infrastructure/session/api-session.ts';
import { createCatalogCache } from './infrastructure/session/catalog-cache.ts';
import { createChosenProfile } from './infrastructure/session/chosen-profile.ts';
import { createCredentialStore } from './infrastructure/session/credentials.ts';
import { createTestApi, type ShownRun, type TestApi } from './infrastructure/test-api.ts';

/**
 * Puts the extension together. Nothing here waits: the language server, the session and the local platform start when a
 * document with a query is open, and their code is loaded then.
 */
export function activate(context: vscode.ExtensionContext): TestApi {
  const started = performance.now();
  const log = createLog('LQL Studio');
  const commands = createCommands(log, context.subscriptions);
  const language = createLanguageServer(
    context.asAbsolutePath(path.join('dist', 'server.js')),
    context.extensionUri.toString(),
    log,
  );
  const platform = createLocalPlatform(context, log);
  const session = createApiSession({
    language,
    log,
    cache: createCatalogCache(path.join(context.globalStorageUri.fsPath, 'catalogs')),
    credentials: createCredentialStore(context.secrets, log),
    startLocalPlatform: () => platform.start(),
    onDidLocalPlatformEnd: platform.onDidEnd,
    localPauseMs: 400,
    chosen: createChosenProfile(context),
    isTrusted: () => vscode.workspace.isTrusted,
    openApi: async (...connection) => {
      const { openAccountApi } = await import('./infrastructure/session/open-account-api.ts');
      return openAccountApi(...connection, context.globalStorageUri.fsPath);
    },
  });
  const services: Services = { context, log, commands, language, session };
  const editors = createQueryEditors();
  context.subscriptions.push(log, platform, session, language, editors);

  activateLanguage(services);
  activateStart(services);
  activateDatasources(services);
  activateSavedQueries(services);
  activateContentSync(services);
  activateConnections(services, editors);
  // Tables, filters and exports are most of our code, and none of it is needed before the window is up. The view itself
  // waits for its provider, so one that was open before a restart fills as soon as this is loaded.
  const results = setImmediate().then(async () => {
    const { activateResults } = await import('./features/results/index.ts');
    return observingKeys(activateResults(services), language);
  });
  let shownRuns: () => readonly ShownRun[] = () => [];
  void commands.guard('Loading the results view', async () => {
    const { state } = await results;
    shownRuns = () => state().runs;
  });
  const runs = activateRunQuery(services, editors, results, activateHistory(services));
  editors.whenFirst(() => {
    void commands.guard('Starting the language server', () => language.start());
    void commands.guard('Connecting', () => session.start());
  });
  log.debug(`Activated in ${(performance.now() - started).toFixed(1)} ms.`);
  return createTestApi({
    language,
    session,
    platform,
    runs,
    shownRuns: () => shownRuns(),
    activationMs: performance.now() - started,
  });
}
