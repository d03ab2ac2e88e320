import * as vscode from 'vscode';
import { assertNever } from '../../../server/core/assert-never.ts';
import { type Comparison, compare } from '../../../server/core/content/compare.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../server/core/content/files/content-file.ts';
import { defaultLayout } from '../../../server/core/content/files/file-names.ts';
import { parseBoolean, type Setting } from '../../infrastructure/setting.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { contentScheme, shownFolder } from './content-documents.ts';
import { type ContentState, type Known, pathIn } from './content-state.ts';
import { since } from './since.ts';

const lensSetting: Setting<boolean> = { key: 'lql.content.codeLens', fallback: true, parse: parseBoolean };

const afterFocusMs = 1000;

const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/*.{lql,yaml,yml,json}' },
  { scheme: contentScheme, pattern: `**/${shownFolder}/Plan` },
];

/** Above each object how it stands with the account, from what was last read of it: typing asks the account nothing. */
export function createContentLenses(state: ContentState): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let again: ReturnType<typeof setTimeout> | undefined;
  const provider: vscode.CodeLensProvider = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      if (document.uri.scheme === contentScheme) return planLenses();
      const { known } = state;
      if (!known || !readSetting(lensSetting)) return [];
      const file = pathIn(known.options.root, document.uri);
      return file === undefined ? [] : lensesOf(document, file, known);
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.languages.registerCodeLensProvider(selector, provider),
    state.onDidChange(() => {
      changed.fire();
      // VS Code forgets to ask when the editor loses the focus right then, as it does to a plan or to the source control view.
      clearTimeout(again);
      again = setTimeout(() => changed.fire(), afterFocusMs);
    }),
    new vscode.Disposable(() => clearTimeout(again)),
    onSettingChange(lensSetting, () => changed.fire()),
  );
}

function planLenses(): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    new vscode.CodeLens(top, { title: '$(beaker)\u00a0Compare Hits…', command: 'lql.compareHits' }),
    new vscode.CodeLens(top, { title: '$(cloud-upload)\u00a0Deploy Changes…', command: 'lql.deployChanges' }),
  ];
}

function lensesOf(document: vscode.TextDocument, file: string, known: Known): vscode.CodeLens[] {
  const { comparison, options, profile } = known;
  const byKey = new Map(comparison.comparisons.map((it) => [contentKey(it), it]));
  const read = readContentFile(file, document.getText(), options.layout ?? defaultLayout, options.account.names);
  const merging = known.merges.flatMap(({ merge }) => (merge.path === file ? [contentKey(merge.remote)] : []));
  const readable = new Set(read.objects.map(contentKey));
  // Conflict markers leave nothing of the object to read: then it is said at the top.
  const hidden = merging
    .filter((key) => !readable.has(key))
    .flatMap((key) => mergingLenses(key, new vscode.Position(0, 0)));
  const shown = read.objects.flatMap((object) => {
    const key = contentKey(object);
    const last = byKey.get(key);
    const remote = comparison.remote.get(key);
    // What is typed counts at once; a query that is alone in its file says nothing of its name and description.
    const local =
      object.place.kind === 'bare' && remote ? { ...object, fields: { ...remote.fields, ...object.fields } } : object;
    const now = compare(object, {
      base: last?.base,
      local,
      remote,
      wasSynchronised: last?.base !== undefined || wasSynchronised(last),
    });
    const at = document.positionAt(object.range.start);
    if (merging.includes(key)) return mergingLenses(key, at);
    return titlesOf(now, key, profile.name).map((command) => new vscode.CodeLens(new vscode.Range(at, at), command));
  });
  return [...hidden, ...shown];
}

function mergingLenses(key: string, at: vscode.Position): vscode.CodeLens[] {
  const lens = (title: string, command: string) =>
    new vscode.CodeLens(new vscode.Range(at, at), { title, command, arguments: [{ key }] });
  return [lens('$(git-merge)\u00a0being merged · Go on', 'lql.mergeContent'), lens('Abort…', 'lql.resolveConflict')];
}

const wasSynchronised = (last: Comparison | undefined): boolean => last?.state === 'deletedRemotely';

function titlesOf(now: Comparison, key: string, account: string): vscode.Command[] {
  const argument = { key };
  const command = (title: string, id: string): vscode.Command => ({ title, command: id, arguments: [argument] });
  const compareWith = (title: string) => command(title, 'lql.compareDeployed');
  const commands = ((): vscode.Command[] => {
    switch (now.state) {
      case 'inSync':
        return [compareWith(`$(check)\u00a0deployed to ${account}`)];
      case 'localAhead':
        return [
          compareWith(`$(edit)\u00a0changed since deployed to ${account}`),
          command('Deploy', 'lql.deployObject'),
        ];
      case 'localOnly':
        return [command(`$(circle-outline)\u00a0not deployed to ${account}`, 'lql.deployObject')];
      case 'remoteAhead':
        return [
          compareWith(`$(cloud-download)\u00a0drifted: changed in ${account}${by(now)}`),
          command('Pull', 'lql.pullObject'),
        ];
      case 'conflict':
      case 'unknownBase':
        return [
          compareWith(
            now.state === 'conflict'
              ? `$(warning)\u00a0conflict: changed here and in ${account}${by(now)}`
              : `$(warning)\u00a0differs from ${account}`,
          ),
          command('Resolve…', 'lql.resolveConflict'),
        ];
      case 'deletedRemotely':
        return [command(`$(warning)\u00a0deleted in ${account}. Resolve…`, 'lql.resolveConflict')];
      case 'vendorOwned':
      case 'remoteOnly':
      case 'deletedLocally':
        return [compareWith(`$(cloud)\u00a0in ${account}`)];
      default:
        return assertNever(now.state);
    }
  })();
  if (now.kind === 'policy' && now.remote) {
    const enabled = now.remote.fields['enabled'] === true;
    commands.push(
      enabled
        ? command('$(circle-large-filled)\u00a0enabled · Disable', 'lql.disablePolicy')
        : command('$(circle-slash)\u00a0disabled · Enable', 'lql.enablePolicy'),
    );
  }
  return commands;
}

function by({ remote }: Comparison): string {
  const who = remote?.updateUser === undefined ? '' : ` by ${remote.updateUser}`;
  return remote?.updateTime === undefined ? who : `${who} ${since(remote.updateTime, Date.now())}`;
}
