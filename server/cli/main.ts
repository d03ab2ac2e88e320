/** Entry of `dist/cli.js`. */
import { homedir } from 'node:os';
import type { CliIo } from './io.ts';
import { runCli } from './run-cli.ts';
import { readVersion } from './version.ts';

const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => controller.abort());
}
// A reader such as `head` that has seen enough closes the pipe: that ends the command, without a word.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    controller.abort();
  });
}

const io: CliIo = {
  async readStdin() {
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  },
  writeOut: (text) => write(process.stdout, text),
  writeError: (text) => write(process.stderr, text),
  cwd: process.cwd(),
  env: process.env,
  homeDirectory: homedir(),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  now: () => Date.now(),
  readVersion: () => readVersion(process.argv[1] ?? process.cwd()),
  signal: controller.signal,
};

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (text === '' || stream.destroyed) resolve();
    else stream.write(text, () => resolve());
  });
}

runCli(process.argv.slice(2), io).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
