import * as vscode from 'vscode';
import { parseDirectives } from '../../../server/core/documents/run-directives.ts';
import { defaultTimeRange } from '../../../server/core/resources/time-range.ts';
import { parseString, type Setting } from '../../infrastructure/setting.ts';
import { readSetting } from '../../infrastructure/settings.ts';

export const defaultRangeSetting: Setting<string> = {
  key: 'lql.run.defaultRange',
  fallback: defaultTimeRange,
  parse: parseString,
};

/** A range as a person wrote it, and who said so: the query itself wins over what was chosen for the file. */
export interface ChosenRange {
  readonly text: string;
  readonly from: 'query' | 'file' | 'default';
}

/** The ranges chosen for files, remembered with the workspace. */
export interface RangeMemory {
  get(uri: vscode.Uri): string | undefined;
  set(uri: vscode.Uri, range: string): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

const stateKey = 'lql.ranges';
const mostRemembered = 500;

export function createRangeMemory(state: vscode.Memento): RangeMemory & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const read = (): readonly (readonly [string, string])[] =>
    state.get<readonly (readonly [string, string])[]>(stateKey, []);
  const write = async (entries: readonly (readonly [string, string])[]): Promise<void> => {
    await state.update(stateKey, entries.slice(0, mostRemembered));
    changed.fire();
  };
  const following = followRenames(
    () => read().map(([key]) => key),
    (keyOf) => void write(read().map(([key, range]) => [keyOf(key), range])),
  );
  return {
    onDidChange: changed.event,
    get: (uri) => read().find(([key]) => key === uri.toString())?.[1],
    async set(uri, range) {
      const others = read().filter(([key]) => key !== uri.toString());
      await write([[uri.toString(), range], ...others]);
    },
    dispose() {
      changed.dispose();
      following.dispose();
    },
  };
}

/** What was remembered for a file or folder goes with it when it is renamed. */
export function followRenames(
  read: () => readonly string[],
  move: (keyOf: (key: string) => string) => void,
): vscode.Disposable {
  return vscode.workspace.onDidRenameFiles(({ files }) => {
    const keyOf = (key: string): string => {
      for (const { oldUri, newUri } of files) {
        const [from, to] = [oldUri.toString(), newUri.toString()];
        if (key === from || key.startsWith(`${from}/`)) return to + key.slice(from.length);
      }
      return key;
    };
    if (read().some((key) => keyOf(key) !== key)) move(keyOf);
  });
}

export function rangeFor(queryText: string, uri: vscode.Uri | undefined, memory: RangeMemory): ChosenRange {
  const written = parseDirectives(queryText).range;
  if (written) return { text: written, from: 'query' };
  const remembered = uri && memory.get(uri);
  if (remembered) return { text: remembered, from: 'file' };
  return { text: readSetting(defaultRangeSetting, uri), from: 'default' };
}
