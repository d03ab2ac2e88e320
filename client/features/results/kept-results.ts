import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseExact, writeExact } from '../../../server/api/transport/json.ts';
import type { NamedValue } from '../../../server/core/documents/run-directives.ts';
import { exportRows } from '../../../server/core/results/export.ts';
import type { RowStore } from '../../../server/core/results/row-store.ts';
import type { ResultColumn, Row, RunWindow } from '../../infrastructure/runs.ts';

/** A result as it is kept on disk. */
export interface KeptResult {
  readonly id: string;
  readonly title: string;
  readonly queryText: string;
  readonly uri: string | undefined;
  readonly window: RunWindow;
  readonly accountLabel: string;
  readonly accountKey?: string | undefined;
  readonly columns: readonly ResultColumn[] | undefined;
  /** Named arguments that were sent beside the window. */
  readonly arguments?: readonly NamedValue[] | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly note: string | undefined;
}

/** Results that the person asked to keep across reloads: the only rows that are ever written to disk. */
export interface KeptResults {
  /** Writes the rows, or nothing at all. Throws `TooLargeToKeep` above a cap. */
  keep(result: KeptResult, rows: RowStore): Promise<void>;
  forget(id: string): Promise<void>;
  /** Forgets those of every workspace: the history that is cleared with them is one for all. */
  clear(): Promise<void>;
  /** Those of this workspace, oldest first. A file that cannot be read is passed over and named. */
  read(): Promise<{
    readonly results: readonly { readonly result: KeptResult; readonly rows: readonly Row[] }[];
    readonly unreadable: readonly string[];
  }>;
}

export class TooLargeToKeep extends Error {
  override readonly name = 'TooLargeToKeep';
}

export interface KeptLimits {
  /** Bytes of one result: it is read again at every start, and what is larger belongs into an exported file. */
  readonly one: number;
  /** Bytes of the results of all workspaces. */
  readonly all: number;
}

const megabyte = 1024 * 1024;
const keptLimits: KeptLimits = { one: 64 * megabyte, all: 512 * megabyte };

/** `root` has a folder for every workspace; `workspace` is the name of this one's. */
export function createKeptResults(root: string, workspace: string, limits = keptLimits): KeptResults {
  const folder = path.join(root, workspace);
  // Ids come from us, but a file name must never lead out of the folder.
  const fileOf = (id: string): string => path.join(folder, `${id.replace(/[^\w-]/g, '_')}.ndjson`);
  const files = async (below: string): Promise<string[]> => {
    const entries = await readdir(below, { withFileTypes: true, recursive: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ndjson'))
      .map((entry) => path.join(entry.parentPath, entry.name));
  };
  const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => ({ size: 0 }))).size;
  /** Bytes that are left for a result, one of the same id not counted: it is written over. */
  const roomFor = async (id: string): Promise<number> => {
    const others = (await files(root)).filter((file) => file !== fileOf(id));
    const sizes = await Promise.all(others.map(sizeOf));
    return limits.all - sizes.reduce((sum, size) => sum + size, 0);
  };
  return {
    async keep(result, store) {
      const all = Uint32Array.from({ length: store.rowCount }, (_, row) => row);
      const room = await roomFor(result.id);
      const parts = [`${writeExact(result)}\n`];
      let bytes = Buffer.byteLength(parts[0] ?? '');
      const columns = store.columns.map((_, column) => column);
      for (const part of exportRows(store, { rows: all, columns, header: false }, 'ndjson')) {
        bytes += Buffer.byteLength(part);
        if (bytes > limits.one) {
          throw new TooLargeToKeep(
            `The result has more than ${Math.round(limits.one / megabyte)} MB and is too large to keep. Export it to a file instead.`,
          );
        }
        if (bytes > room) {
          throw new TooLargeToKeep(
            `The results kept on disk would have more than ${Math.round(limits.all / megabyte)} MB. Keep one less, clear the history, or export this one to a file.`,
          );
        }
        parts.push(part);
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = `${fileOf(result.id)}.${process.pid}.tmp`;
      await writeFile(temporary, parts.join(''), { mode: 0o600 });
      await rename(temporary, fileOf(result.id));
    },
    forget: (id) => rm(fileOf(id), { force: true }),
    async clear() {
      for (const file of await files(root)) await rm(file, { force: true });
    },
    async read() {
      const results: { result: KeptResult; rows: readonly Row[] }[] = [];
      const unreadable: string[] = [];
      for (const file of await files(folder)) {
        try {
          const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
          const result = readHead(parseExact(head ?? ''));
          if (!result) throw new Error('not a kept result');
          results.push({ result, rows: lines.map((line) => parseExact(line) as Row) });
        } catch {
          unreadable.push(path.basename(file));
        }
      }
      results.sort((a, b) => a.result.startedAt - b.result.startedAt);
      return { results, unreadable };
    },
  };
}

/** A file of an older version or of somebody else is no kept result. */
function readHead(value: unknown): KeptResult | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const head = value as Partial<KeptResult>;
  const window = head.window;
  if (typeof head.id !== 'string' || typeof head.title !== 'string' || typeof head.queryText !== 'string')
    return undefined;
  if (
    typeof head.accountLabel !== 'string' ||
    typeof head.startedAt !== 'number' ||
    typeof head.durationMs !== 'number'
  )
    return undefined;
  if (
    !window ||
    typeof window.startTime !== 'number' ||
    typeof window.endTime !== 'number' ||
    typeof window.label !== 'string'
  )
    return undefined;
  return {
    id: head.id,
    title: head.title,
    queryText: head.queryText,
    uri: typeof head.uri === 'string' ? head.uri : undefined,
    window,
    accountLabel: head.accountLabel,
    ...(typeof head.accountKey === 'string' ? { accountKey: head.accountKey } : {}),
    columns: Array.isArray(head.columns) ? head.columns : undefined,
    ...(Array.isArray(head.arguments) ? { arguments: head.arguments } : {}),
    startedAt: head.startedAt,
    durationMs: head.durationMs,
    note: typeof head.note === 'string' ? head.note : undefined,
  };
}
