import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSecret } from '../../../../../server/api/transport/redact.ts';
import { startPlatform } from '../../../../../server/platform/index.ts';
import { createSecretSearch } from '../../../../harness/secret-search.ts';
import { sendJson, startFaultServer } from '../../../api/support/fault-server.ts';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { createApiSession } = await import('../../../../../client/infrastructure/session/api-session.ts');
const { createCatalogCache } = await import('../../../../../client/infrastructure/session/catalog-cache.ts');
const { createCredentialStore } = await import('../../../../../client/infrastructure/session/credentials.ts');
const { openAccountApi } = await import('../../../../../client/infrastructure/session/open-account-api.ts');
const { createLog } = await import('../../../../../client/infrastructure/log.ts');
const { EventEmitter, writtenLines } = await import('../../../../support/fake-vscode.ts');
type ApiSessionOptions = Parameters<typeof createApiSession>[0];
type RemoteProfile = Parameters<ReturnType<typeof createApiSession>['signIn']>[0];

const keyId = `CANARY_${randomBytes(16).toString('hex').toUpperCase()}`;
let secret = '';
let key: Parameters<ReturnType<typeof createApiSession>['signIn']>[1];
const query = {
  queryText: '{ source { SVC_HE_MACHINES } return { NO_SUCH } }',
  startTime: 0,
  endTime: 1,
  arguments: [],
  limit: 5,
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lql-session-'));
  secret = `_canary/+${randomBytes(18).toString('hex')}`;
  key = { keyId, secret: createSecret(secret) };
  writtenLines.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(origin: string) {
  const profile: RemoteProfile = {
    kind: 'remote',
    name: 'acme',
    origin,
    vendorPrefix: 'SVC',
    subAccount: undefined,
    organization: false,
    environment: 'production',
    readOnly: false,
  };
  const log = createLog('LQL Studio');
  const search = createSecretSearch();
  search.protect('key id', keyId);
  search.protect('key secret', secret);
  // Where a key is kept, and the one place in which it may be found.
  const vault = new Map<string, string>();
  const secrets = {
    get: async (name: string) => vault.get(name),
    store: async (name: string, value: string) => void vault.set(name, value),
    delete: async (name: string) => void vault.delete(name),
  };
  const language = {
    setCatalog: (catalog: unknown) => search.addValue('catalog for the language server', catalog),
    addSchemas: (schemas: unknown) => search.addValue('schemas for the language server', schemas),
    onMissingSchemas: new EventEmitter<unknown>().event,
  };
  const options = {
    language,
    log,
    cache: createCatalogCache(path.join(folder, 'catalogs')),
    credentials: createCredentialStore(secrets as never, log),
    startLocalPlatform: async () => Promise.reject(new Error('There is none.')),
    onDidLocalPlatformEnd: new EventEmitter<void>().event,
    localPauseMs: 1,
    chosen: { read: () => undefined, write: async () => undefined },
    isTrusted: () => true,
    openApi: async (...given: Parameters<ApiSessionOptions['openApi']>) => openAccountApi(...given, folder),
  };
  const session = createApiSession(options as object as ApiSessionOptions);
  session.onDidChange((state) => search.addValue('state of the session', state));
  const attempt = async (what: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      search.addValue(what, await work());
      return true;
    } catch (error) {
      search.addValue(`failure: ${what}`, error);
      log.error(`${what} failed`, error);
      return false;
    }
  };
  const finish = async () => {
    await session.dispose();
    search.addValue('the session', session);
    search.add('log', writtenLines.join('\n'));
    search.addFolder(folder);
    return search.finish();
  };
  return { profile, session, vault, attempt, finish };
}

test('a session of the extension keeps its key in the vault alone', async () => {
  const platform = await startPlatform({ keyId, secret });
  try {
    const { profile, session, vault, attempt, finish } = open(platform.url);
    const done = [
      await attempt('sign in', () => session.signIn(profile, key)),
      await attempt('run', async () => (await session.api()).execute(query)),
      await attempt('validate', async () => (await session.api()).validate(query.queryText)),
      await attempt('queries', async () => (await session.api()).queries()),
      await attempt('refresh', () => session.refreshCatalog()),
    ];
    platform.app.faults.add({ match: '* *', times: 100, action: { kind: 'status', status: 401 } });
    done.push(await attempt('refused', () => session.refreshCatalog()));
    platform.app.faults.clear();
    platform.app.faults.add({ match: '* *', times: 100, action: { kind: 'reset' } });
    done.push(await attempt('broken', () => session.refreshCatalog()));
    platform.app.faults.clear();
    expect([...vault.values()].join()).toContain(secret);
    done.push(await attempt('sign out', () => session.signOut(profile)));
    expect(vault.size).toBe(0);
    const report = await finish();
    console.info(`a session of the extension: ${report.summary}`);
    expect(done).toEqual([true, false, false, true, true, false, false, true]);
    expect(report.hits).toEqual([]);
    // Log, catalog, and what is used of the rate limit.
    expect(writtenLines.join('\n')).toContain('/Queries/execute');
    expect(report.artefacts).toBeGreaterThan(15);
  } finally {
    await platform.stop();
  }
});

test('a service that sends the key back brings it into no message and no log', async () => {
  const server = await startFaultServer((request, response) => {
    sendJson(response, 400, { message: `${JSON.stringify(request.headers)} ${request.body}` });
  }, false);
  try {
    const { profile, session, attempt, finish } = open(server.url);
    expect(await attempt('sign in', () => session.signIn(profile, key))).toBe(false);
    const report = await finish();
    console.info(`a session with a service that echoes: ${report.summary}`);
    expect(report.hits).toEqual([]);
    expect(writtenLines.join('\n')).toContain('malformed');
  } finally {
    await server.stop();
  }
});
