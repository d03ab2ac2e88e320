import * as vscode from 'vscode';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import { mayHoldQueries, querySelector } from '../../infrastructure/query-editors.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { parseBoolean, type Setting } from '../../infrastructure/setting.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { defaultRangeSetting, type RangeMemory, rangeFor, timeZoneSetting } from './ranges.ts';
import { regionsOf } from './run-target.ts';
import { describeWindow, resolveRange } from './window-text.ts';

const codeLensSetting: Setting<boolean> = { key: 'lql.run.codeLens', fallback: true, parse: parseBoolean };

/** Above each query: run it, and the time range it runs over. */
export function createRunLenses({
  language,
  memory,
  session,
}: {
  language: LanguageServer;
  memory: RangeMemory;
  session: ApiSession;
}): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    async provideCodeLenses(document) {
      if (!mayHoldQueries(document) || !readSetting(codeLensSetting, document.uri)) return [];
      if (session.state.kind === 'restricted') return [];
      const regions = await regionsOf(document, language);
      return regions.flatMap(({ range, text }) => lensesOf(document, range, text));
    },
  };
  const lensesOf = (document: vscode.TextDocument, range: vscode.Range, text: string): vscode.CodeLens[] => {
    const argument = { uri: document.uri.toString(), line: range.start.line };
    const chosen = rangeFor(text, document.uri, memory);
    const { profile } = session;
    const where =
      profile.kind === 'remote' && profile.environment === 'production'
        ? ` on ${profileLabel(profile)} (production)`
        : '';
    const resolved = resolveRange(chosen.text, Date.now());
    const tooltip =
      resolved.kind === 'window'
        ? describeWindow(resolved.window, readSetting(timeZoneSetting, document.uri))
        : resolved.message;
    return [
      new vscode.CodeLens(range, {
        title: `$(play)\u00a0Run${where}`,
        tooltip: 'Run this query and show its rows',
        command: 'lql.runQuery',
        arguments: [argument],
      }),
      new vscode.CodeLens(range, {
        title: `$(calendar)\u00a0${chosen.text}`,
        tooltip,
        command: 'lql.chooseTimeRange',
        arguments: [argument],
      }),
    ];
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider([...querySelector], provider),
    memory.onDidChange(() => changed.fire()),
    language.onDidChangeState(() => changed.fire()),
    session.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    ...[codeLensSetting, defaultRangeSetting, timeZoneSetting].map((setting) =>
      onSettingChange<unknown>(setting, () => changed.fire()),
    ),
  );
}
