import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
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
  const onStat: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) read();
  };
  watchFile(path, { interval: pollIntervalMs, persistent: false }, onStat).unref();
  return () => unwatchFile(path, onStat);
}

async function readJsonFile(path: string): Promise<FileAnswer> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size > maxBytes) return { kind: 'failed', reason: `it has ${size} bytes; at most ${maxBytes} are read` };
    // Some editors and shells put a byte order mark in front, which is no JSON.
    const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    return { kind: 'content', value: JSON.parse(text), modifiedAt: mtimeMs };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: 'failed', reason: 'it is not JSON' };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { kind: 'failed', reason: code === 'ENOENT' ? 'there is no such file' : code };
  }
}
