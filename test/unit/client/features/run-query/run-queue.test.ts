import { expect, test } from 'vitest';
import { createRunQueue, type QueuedRun } from '../../../../../client/features/run-query/run-queue.ts';

interface Controlled extends QueuedRun {
  readonly finish: () => void;
  readonly log: string[];
}

function controlled(title: string): Controlled {
  const log: string[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    title,
    log,
    finish: () => finish(),
    cancelled: () => log.push('cancelled'),
    work: async (signal) => {
      log.push('started');
      signal.addEventListener('abort', () => log.push('aborted'));
      await finished;
      log.push(signal.aborted ? 'late' : 'finished');
    },
  };
}

test('no more runs than the limit at once, the others in their order', async () => {
  const queue = createRunQueue(2, () => undefined);
  const runs = ['a', 'b', 'c', 'd'].map(controlled);
  const ends = runs.map((run) => queue.add(run));
  expect(queue.running.map(({ title }) => title)).toEqual(['a', 'b']);
  expect(queue.waiting.map(({ title }) => title)).toEqual(['c', 'd']);
  runs[1]?.finish();
  await ends[1];
  expect(queue.running.map(({ title }) => title)).toEqual(['a', 'c']);
  for (const run of runs) run.finish();
  await Promise.all(ends);
  expect(queue.running).toEqual([]);
});

test('a cancel frees the place at once and does not wait for the work', async () => {
  const queue = createRunQueue(1, () => undefined);
  const slow = controlled('slow');
  const next = controlled('next');
  const slowEnd = queue.add(slow);
  void queue.add(next);
  queue.cancel(slow);
  expect(slow.log).toEqual(['started', 'cancelled', 'aborted']);
  expect(queue.running.map(({ title }) => title)).toEqual(['next']);
  slow.finish();
  await slowEnd;
  // The late end of the cancelled run takes nothing away from the one that runs now.
  expect(queue.running.map(({ title }) => title)).toEqual(['next']);
  next.finish();
});

test('a waiting run that is cancelled never starts', async () => {
  const queue = createRunQueue(1, () => undefined);
  const first = controlled('first');
  const second = controlled('second');
  void queue.add(first);
  const end = queue.add(second);
  queue.cancel(second);
  await end;
  first.finish();
  expect(second.log).toEqual(['cancelled']);
});

test('cancelling everything starts none of those that waited', () => {
  const queue = createRunQueue(1, () => undefined);
  const runs = ['a', 'b', 'c'].map(controlled);
  for (const run of runs) void queue.add(run);
  queue.cancelAll();
  expect(runs.map(({ log }) => log.includes('started'))).toEqual([true, false, false]);
  expect(runs.every(({ log }) => log.includes('cancelled'))).toBe(true);
});
