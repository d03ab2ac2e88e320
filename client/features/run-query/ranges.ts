import type * as vscode from 'vscode';
import { parseDirectives } from '../../../server/core/documents/run-directives.ts';
import { defaultTimeRange } from '../../../server/core/resources/time-range.ts';
import type { RunWindow } from '../../infrastructure/runs.ts';
import { parseString, type Setting } from '../../infrastructure/setting.ts';
import { readSetting } from '../../infrastructure/settings.ts';
import { createDocumentMemory } from './document-memory.ts';
import type { DocumentMoves } from './document-moves.ts';

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

/** The ranges chosen for files, and the window of the last run, remembered with the workspace. */
export interface RangeMemory {
  get(uri: vscode.Uri): string | undefined;
  set(uri: vscode.Uri, range: string): Promise<void>;
  readonly lastWindow: RunWindow | undefined;
  setLastWindow(window: RunWindow): void;
  readonly onDidChange: vscode.Event<void>;
}

type Chosen = readonly [uri: string, range: string];

const lastWindowKey = 'lql.lastWindow';

export function createRangeMemory(state: vscode.Memento, moves: DocumentMoves): RangeMemory & vscode.Disposable {
  const memory = createDocumentMemory<Chosen>(state, moves, {
    key: 'lql.ranges',
    mostRemembered: 500,
    nameOf: () => '',
    withUri: ([, range], uri) => [uri, range],
  });
  return {
    onDidChange: memory.onDidChange,
    get: (uri) => memory.entries.find(([key]) => key === uri.toString())?.[1],
    async set(uri, range) {
      const others = memory.entries.filter(([key]) => key !== uri.toString());
      await memory.write([[uri.toString(), range], ...others]);
    },
    get lastWindow() {
      return state.get<RunWindow>(lastWindowKey);
    },
    setLastWindow: (window) => void state.update(lastWindowKey, window),
    dispose: () => memory.dispose(),
  };
}

export function rangeFor(queryText: string, uri: vscode.Uri | undefined, memory: RangeMemory): ChosenRange {
  const written = parseDirectives(queryText).range;
  if (written) return { text: written, from: 'query' };
  const remembered = uri && memory.get(uri);
  if (remembered) return { text: remembered, from: 'file' };
  return { text: readSetting(defaultRangeSetting, uri), from: 'default' };
}
