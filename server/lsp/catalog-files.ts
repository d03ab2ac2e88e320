import { unwatchFile, watchFile } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** A catalog of 2,300 datasources is about 2 MB; far more is no catalog. */
const maxBytes = 64 * 1024 * 1024;

const pollIntervalMs = 1000;

export type FileAnswer =
  | {
      readonly kind: 'content';
      readonly value: unknown /** Milliseconds since 1970 UTC. */;
      readonly modifiedAt: number;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Reads a JSON file now and again whenever it changes. `onAnswer` is called for each reading. The server opens no files but those its
 * start-up options name. Returns a function that ends the watching.
 */
export function followJsonFile(path: string, onAnswer: (answer: FileAnswer) => void): () => void {
  let reading: Promise<void> = Promise.resolve();
  const read = (): void => {
    reading = reading.then(async () => onAnswer(await readJsonFile(path)));
  };
  read();
  const watcher = watchFile(path, { interval: pollIntervalMs, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size) read();
  });
  watcher.unref();
  return () => unwatchFile(path);
}

async function readJsonFile(path: string): Promise<FileAnswer> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > maxBytes) return { kind: 'failed', reason: `it has ${size} bytes; at most ${maxBytes} are read` };
    return { kind: 'content', value: JSON.parse(await readFile(path, 'utf8')), modifiedAt: mtimeMs };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'failed', reason: 'it is not JSON' };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { kind: 'failed', reason: code === 'ENOENT' ? 'there is no such file' : code };
  }
}
