// Mutational fuzzing of the whole language: `npm run fuzz -- --seconds 600 --seed 1`.
//
//   --seconds N    how long (60 otherwise)
//   --count N      stop after N documents
//   --seed S       a run with the same seed makes the same documents (printed; random otherwise)
//   --workers N    how many at a time (as many as there are processors, at most 4)
//   --only N       run the document with number N alone, and print it
//
// Every document is at least 200 characters long. Each is parsed, checked, linted, formatted, written for the wire and asked one request
// of an editor. Documents run in a worker: one that does not come to an end is stopped and reported like one that throws. A failing
// document is kept under out/fuzz; the exit code is then 1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { repoRoot } from '../harness/paths.ts';
import { loadSeeds, makeInput } from './inputs.ts';
import { createChecks } from './requests.ts';

/** Milliseconds after which a document counts as hanging. Ordinary ones take less than one. */
const hangAfter = 30_000;

/** Stands for the number of the document while a worker loads what it needs: on a busy machine that takes its time. */
const starting = -1;

interface Task {
  readonly seed: number;
  /** Documents `first`, `first + step` … below `last` are this worker's. */
  readonly first: number;
  readonly step: number;
  readonly last: number;
  readonly until: number;
  /** Shared: the number of the document that is running, -1 before the first; and how many have run. */
  readonly progress: SharedArrayBuffer;
}

type Report = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly index: number; readonly message: string };

if (isMainThread) await main();
else work(workerData as Task);

function work({ seed, first, step, last, until, progress }: Task): void {
  const running = new Int32Array(progress);
  const seeds = loadSeeds(seed);
  const checks = createChecks();
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  let count = 0;
  for (let index = first; index < last; index += step) {
    if ((count++ & 63) === 0 && Date.now() >= until) break;
    Atomics.store(running, 0, index);
    try {
      checks.run(makeInput(seed, index, seeds), index);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ kind: 'failed', index, message } satisfies Report);
      return;
    }
    Atomics.add(running, 1, 1);
  }
  parentPort?.postMessage({ kind: 'done' } satisfies Report);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      count: { type: 'string' },
      seed: { type: 'string' },
      workers: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const seed = values.seed === undefined ? (Math.random() * 0x7fffffff) | 0 : Number(values.seed);
  if (values.only !== undefined) {
    const text = makeInput(seed, Number(values.only), loadSeeds(seed));
    console.log(text);
    createChecks().run(text, Number(values.only));
    return;
  }
  const start = Date.now();
  const until = start + Number(values.seconds) * 1_000;
  const last = values.count === undefined ? 0x7fffffff : Number(values.count);
  const workers = Math.max(1, Number(values.workers ?? Math.min(4, availableParallelism())));
  console.log(`seed ${seed}, ${workers} at a time`);
  const seeds = loadSeeds(seed);
  let failures = 0;
  let executions = 0;
  const lane = async (number: number): Promise<void> => {
    // A failing document ends its worker; the lane goes on behind it, so that one mistake does not hide another.
    for (let first = number; first < last && Date.now() < until && failures < 20; ) {
      const progress = new SharedArrayBuffer(8);
      const report = await runWorker({ seed, first, step: workers, last, until, progress });
      executions += Atomics.load(new Int32Array(progress), 1);
      if (report.kind === 'done') return;
      failures++;
      executions++;
      first = report.index + workers;
      const file = path.join(repoRoot, 'out', 'fuzz', `failure-${seed}-${report.index}.lql`);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, makeInput(seed, report.index, seeds));
      console.error(
        `document ${report.index} failed, kept as ${path.relative(repoRoot, file)}; --seed ${seed} --only ${report.index} repeats it`,
      );
      console.error(report.message);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, number) => lane(number)));
  const seconds = (Date.now() - start) / 1_000;
  console.log(
    `${executions.toLocaleString('en')} executions of at least 200 characters in ${seconds.toFixed(0)} s (${Math.round(executions / seconds).toLocaleString('en')} a second), seed ${seed}: ${failures} failed`,
  );
  if (failures > 0) process.exitCode = 1;
}

function runWorker(task: Task): Promise<Report> {
  const running = new Int32Array(task.progress);
  Atomics.store(running, 0, starting);
  return new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: task,
      execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    });
    let seen = starting;
    let seenAt = Date.now();
    const watch = setInterval(() => {
      const index = Atomics.load(running, 0);
      if (index !== seen) {
        seen = index;
        seenAt = Date.now();
      } else if (index !== starting && Date.now() - seenAt > hangAfter) {
        finish({ kind: 'failed', index, message: `did not end within ${hangAfter / 1_000} s` });
      }
    }, 500);
    const finish = (report: Report): void => {
      clearInterval(watch);
      void worker.terminate();
      resolve(report);
    };
    worker.once('message', (report: Report) => finish(report));
    worker.once('error', (error: Error) => {
      finish({ kind: 'failed', index: Atomics.load(running, 0), message: error.stack ?? error.message });
    });
  });
}
