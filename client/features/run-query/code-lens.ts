import * as vscode from 'vscode';
import { parseDirectives } from '../../../server/core/documents/run-directives.ts';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import { mayHoldQueries, querySelector } from '../../infrastructure/query-editors.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { parseBoolean, type Setting } from '../../infrastructure/setting.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { timeZoneSetting } from '../../infrastructure/time-zone.ts';
import { type ArgumentMemory, describeArguments, knownValues } from './arguments.ts';
import { isProduction, runLabel } from './production.ts';
import { defaultRangeSetting, type RangeMemory, rangeFor } from './ranges.ts';
import { regionsOf } from './run-target.ts';
import { describeWindow, resolveRange } from './window-text.ts';

const codeLensSetting: Setting<boolean> = { key: 'lql.run.codeLens', fallback: true, parse: parseBoolean };

/** Above each query: run it, and the time range it runs over. */
export function createRunLenses({
  language,
  memory,
  argumentMemory,
  session,
}: {
  language: LanguageServer;
  memory: RangeMemory;
  argumentMemory: ArgumentMemory;
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
    const where = isProduction(profile) ? ` on ${plainLabel(runLabel(profile))}` : '';
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
        title: `$(calendar)\u00a0${plainLabel(chosen.text)}`,
        tooltip,
        command: 'lql.chooseTimeRange',
        arguments: [argument],
      }),
      ...argumentLenses(document, range, text, argument),
    ];
  };
  const argumentLenses = (
    document: vscode.TextDocument,
    range: vscode.Range,
    text: string,
    argument: object,
  ): vscode.CodeLens[] => {
    const { asked } = parseDirectives(text);
    if (asked.length === 0) return [];
    const known = knownValues(asked, (name) => argumentMemory.get(document.uri, name));
    const values = known.map(({ argument: { name }, value }) => ({ name, value: value ?? '?' }));
    return [
      new vscode.CodeLens(range, {
        title: `$(symbol-parameter)\u00a0${plainLabel(describeArguments(values))}`,
        tooltip: 'The values of the arguments that this query asks for',
        command: 'lql.chooseArguments',
        arguments: [argument],
      }),
    ];
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider([...querySelector], provider),
    memory.onDidChange(() => changed.fire()),
    argumentMemory.onDidChange(() => changed.fire()),
    language.onDidChangeState(() => changed.fire()),
    session.onDidChange(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    ...[codeLensSetting, defaultRangeSetting, timeZoneSetting].map((setting) =>
      onSettingChange<unknown>(setting, () => changed.fire()),
    ),
  );
}
