import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { assumptions, parseSwitch, type Switches } from './assumptions.ts';
import { loadEngine } from './execution.ts';
import { FolderBusyError, type RunningPlatform, type ServerOptions, startServer } from './server.ts';
import { type Announcement, isAlive, type LockHolder } from './state/folder-lock.ts';

const usage = `Usage: platform [options]

Starts the local platform and prints one line: {"url","keyId","secret","accountId","account","rateLimit"}. It ends on SIGTERM or SIGINT.

  --port PORT             port to listen on; a free one by default
  --data DIR              keep state in DIR and serve the files of DIR/datasources (NAME.ndjson, .json, .csv, also .gz)
  --vendor-prefix PREFIX  SVC (default) or LW
  --sample SIZE           demo (default), lab (about a million rows) or none
  --seed TEXT             another sample company
  --account NAME          name of the account
  --no-rate-limit         no limit of requests an hour
  --columnless            list datasources without their columns
  --spec-only             serve only what the specification lists
  --assume ID=CHOICE      decide what the specification leaves open; may be repeated
  --unknown-fields        add fields no client knows to every answer
  --reset                 forget the state kept in DIR, then start
  --end-with-stdin        end when standard input ends
  --help                  show this text

Decisions: ${assumptions.flatMap((entry) => ('choices' in entry ? [`${entry.id}=${entry.choices.join('|')}`] : [])).join(', ')}
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
    options: {
      port: { type: 'string' },
      data: { type: 'string' },
      'vendor-prefix': { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string' },
      account: { type: 'string' },
      'no-rate-limit': { type: 'boolean' },
      columnless: { type: 'boolean' },
      'spec-only': { type: 'boolean' },
      assume: { type: 'string', multiple: true },
      'unknown-fields': { type: 'boolean' },
      reset: { type: 'boolean' },
      'end-with-stdin': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  const dataFolder = values.data === undefined ? undefined : path.resolve(values.data);
  if (values.reset && dataFolder === undefined) {
    throw new Error('--reset forgets the state of a data folder: name it with --data DIR.');
  }
  return {
    dataFolder,
    reset: values.reset,
    port: values.port === undefined ? undefined : readPort(values.port),
    vendorPrefix: values['vendor-prefix'],
    sample: values.sample === undefined ? undefined : readSample(values.sample),
    seed: values.seed,
    account: values.account,
    rateLimit: values['no-rate-limit'] !== true,
    columnless: values.columnless,
    specificationOnly: values['spec-only'],
    switches: readSwitches(values.assume ?? []),
    injectUnknownFields: values['unknown-fields'],
    endWithInput: values['end-with-stdin'] === true,
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`'${text}' is not a port. Give a number from 0 to 65535.`);
  return port;
}

function readSample(text: string): 'demo' | 'lab' | 'none' {
  if (text === 'demo' || text === 'lab' || text === 'none') return text;
  throw new Error(`'${text}' is not a size of the sample account. Choose demo, lab or none.`);
}

function readSwitches(list: readonly string[]): Partial<Switches> {
  let switches: Partial<Switches> = {};
  for (const text of list) {
    const choice = parseSwitch(text);
    if (choice === undefined) throw new Error(`'${text}' is not a decision that can be made. --help lists them.`);
    switches = { ...switches, ...choice };
  }
  return switches;
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
