import { expect, test } from 'vitest';
import { createRun, type Run } from '../../../../../client/features/results/run.ts';
import { createRunList, distinctTitle, type RunName } from '../../../../../client/features/results/run-list.ts';

test('no two tabs look the same, and each says how it differs', () => {
  const runs: RunName[] = [];
  const run = (title: string, range: string): void => {
    runs.push({ title, range, shown: distinctTitle({ title, range, shown: title }, runs) });
  };
  for (const range of ['today', 'today', 'last 7 days', 'last 7 days', '2026-01-05 to 2026-01-06T12:00:00Z', 'today'])
    run('buckets', range);
  run('machines', 'today');
  expect(runs.map(({ shown }) => shown)).toEqual([
    'buckets',
    'buckets (2)',
    'buckets · last 7 days',
    'buckets · last 7 days (2)',
    'buckets (3)',
    'buckets (4)',
    'machines',
  ]);
});

let time = 0;
function begin(list: ReturnType<typeof createRunList>, title: string, uri = `file:///${title}`): Run {
  const window = { startTime: 0, endTime: 1, label: 'today' };
  const quiet = { cancel: () => undefined, rerun: () => undefined };
  const run = createRun(
    `run-${++time}`,
    { title, uri, window, queryText: '{}', accountLabel: 'acme', ...quiet },
    time,
    { changed: () => undefined, filterError: () => undefined },
  );
  list.add(run);
  return run;
}

function finish(list: ReturnType<typeof createRunList>, run: Run): void {
  list.replaceEarlier(run);
  run.succeed([{ A: 1 }], 1, undefined);
}

test('the rows of a query take the place of its earlier ones, which stay until then', () => {
  const list = createRunList();
  const [first, other] = [begin(list, 'buckets'), begin(list, 'machines')];
  finish(list, first);
  finish(list, other);
  const again = begin(list, 'buckets');
  expect(list.runs).toEqual([first, other, again]);
  finish(list, again);
  expect(list.runs).toEqual([again, other]);
  expect(list.active).toBe(again);
});

test('another tab that was chosen while the query ran stays in sight', () => {
  const list = createRunList();
  const [first, other] = [begin(list, 'buckets'), begin(list, 'machines')];
  finish(list, first);
  finish(list, other);
  const again = begin(list, 'buckets');
  list.activate(other);
  finish(list, again);
  expect(list.active).toBe(other);
});

test('pinned, kept, renamed results and those opened beside stay, and so do queries of the same name in other files', () => {
  const list = createRunList();
  const held = (['pinned', 'kept', 'renamed', 'beside'] as const).map((how) => {
    const run = begin(list, 'buckets');
    finish(list, run);
    run[how] = true;
    return run;
  });
  const elsewhere = begin(list, 'buckets', 'file:///elsewhere');
  finish(list, elsewhere);
  const last = begin(list, 'buckets');
  finish(list, last);
  expect(list.runs).toEqual([...held, elsewhere, last]);
});

test('a failed run leaves the rows before it, and makes room when its query is run again', () => {
  const list = createRunList();
  const rows = begin(list, 'buckets');
  finish(list, rows);
  const failed = begin(list, 'buckets');
  failed.fail({ message: 'no' });
  expect(list.runs).toEqual([rows, failed]);
  const again = begin(list, 'buckets');
  expect(list.runs).toEqual([rows, again]);
  again.cancelled();
  // An answer that comes too late takes nobody's place.
  list.replaceEarlier(again);
  expect(list.runs).toEqual([rows, again]);
});

test('of runs that nobody holds on to the last eight are kept', () => {
  const list = createRunList();
  for (let count = 0; count < 12; count++) finish(list, begin(list, `query ${count}`));
  expect(list.runs.map(({ title }) => title)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11].map((count) => `query ${count}`));
});
