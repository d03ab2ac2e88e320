import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CliIo } from '../../../../server/cli/io.ts';

export interface MemoryIo extends CliIo {
  readonly out: string;
  readonly error: string;
  /** Ends the command as SIGTERM would. */
  end(): void;
}

export interface MemoryIoOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory?: string;
  readonly columns?: number;
  readonly now?: number;
}

export function createMemoryIo(options: MemoryIoOptions = {}): MemoryIo {
  const controller = new AbortController();
  let out = '';
  let error = '';
  return {
    get out() {
      return out;
    },
    get error() {
      return error;
    },
    end: () => controller.abort(),
    readStdin: async () => options.stdin ?? '',
    writeOut: async (text) => {
      out += text;
    },
    writeError: async (text) => {
      error += text;
    },
    cwd: options.cwd ?? tmpdir(),
    env: options.env ?? {},
    homeDirectory: options.homeDirectory ?? tmpdir(),
    columns: options.columns,
    now: () => options.now ?? Date.now(),
    readVersion: async () => '1.2.3',
    signal: controller.signal,
  };
}

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
  readonly write: (files: Readonly<Record<string, string>>) => Promise<void>;
  readonly read: (name: string) => Promise<string>;
}

/** A folder that is gone with the test. */
export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lql-cli-'));
  const write = async (more: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, content] of Object.entries(more)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  };
  await write(files);
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
  return { path: folder, write, read, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
