import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { decisions, platformOptions, platformOptionsHelp, readPlatformOptions } from './arguments.ts';
import { loadEngine } from './execution.ts';
import { FolderBusyError, type RunningPlatform, type ServerOptions, startServer } from './server.ts';
import { type Announcement, isAlive, type LockHolder } from './state/folder-lock.ts';

const usage = `Usage: platform [options]

Starts the local platform and prints one line: {"url","keyId","secret","accountId","account","rateLimit"}. It ends on SIGTERM or SIGINT.

${platformOptionsHelp}
  --end-with-stdin        end when standard input ends
  --help                  show this text

Decisions: ${decisions}
`;

void run();

async function run(): Promise<void> {
  try {
    const options = readArguments(process.argv.slice(2));
    if (options === 'help') {
      process.stdout.write(usage);
      return;
    }
    await serveOrFollow(options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
}

interface Arguments extends ServerOptions {
  readonly endWithInput: boolean;
}

function readArguments(list: readonly string[]): Arguments | 'help' {
  const { values } = parseArgs({
    args: [...list],
    options: { ...platformOptions, 'end-with-stdin': { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return 'help';
  return { ...readPlatformOptions(values, process.cwd()), endWithInput: values['end-with-stdin'] === true };
}

/** Serves the folder, or stands by at the side of the process that does and takes its place, address and key when it ends. */
async function serveOrFollow(options: Arguments): Promise<void> {
  const end = endOfParent(options.endWithInput);
  let announced = false;
  let start: ServerOptions = options;
  for (;;) {
    let platform: RunningPlatform;
    try {
      platform = await startServer(start);
    } catch (error) {
      if (!(error instanceof FolderBusyError)) throw error;
      const { holder } = error;
      if (holder === undefined) {
        await Promise.race([wait(50), end]);
        continue;
      }
      if (!announced) announce(holder);
      announced = true;
      if ((await Promise.race([end, disappearance(holder)])) === 'end') return process.exit(0);
      start = { ...options, reset: false, port: holder.port, keyId: holder.keyId, secret: holder.secret };
      continue;
    }
    for (const problem of platform.app.imported.problems()) console.error(problem);
    if (!announced) announce(platform.announcement);
    // Whoever started us asks for a token first; the first query finds the engine ready.
    void loadEngine();
    await end;
    await platform.stop();
    return process.exit(0);
  }
}

function announce({ url, keyId, secret, accountId, account, rateLimit }: Announcement): void {
  process.stdout.write(`${JSON.stringify({ url, keyId, secret, accountId, account, rateLimit })}\n`);
}

async function disappearance(holder: LockHolder): Promise<'gone'> {
  while (isAlive(holder.pid)) await wait(500, undefined, { ref: true });
  return 'gone';
}

/** Settles when this process is asked to end, or when whoever started it is gone. */
function endOfParent(withInput: boolean): Promise<'end'> {
  return new Promise((resolve) => {
    const finish = (): void => resolve('end');
    process.once('SIGTERM', finish);
    process.once('SIGINT', finish);
    process.once('disconnect', finish);
    if (withInput) process.stdin.once('end', finish).once('close', finish).once('error', finish).resume();
  });
}
