import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeEnd,
  endToKeep,
  eventsOf,
  excerptOf,
  foldHistory,
  type HistoryEntry,
  type HistoryEvent,
  historyLimitsOf,
  isFound,
  maxAgeDaysSetting,
  maxEntriesSetting,
  parseHistory,
  summaryOf,
  wordsOf,
} from '../../../../../client/features/history/history.ts';

const now = 1_900_000_000_000;
const limits = { entries: 3, ageMs: 1000 };

function started(id: string, at = now): HistoryEvent {
  const window = { startTime: 0, endTime: 1, label: 'last 24 hours' };
  return { kind: 'started', entry: { id, at, title: id, queryText: '{}', uri: undefined, window, account: 'acme' } };
}

const ids = (events: readonly HistoryEvent[]): string[] => foldHistory(events, now, limits).map(({ id }) => id);

test('the newest run comes first, with its end', () => {
  const entries = foldHistory(
    [started('a', now - 2), started('b', now - 1), { kind: 'ended', id: 'a', end: { kind: 'cancelled' } }],
    now,
    limits,
  );
  expect(entries.map(({ id, end }) => [id, end?.kind])).toEqual([
    ['b', undefined],
    ['a', 'cancelled'],
  ]);
});

test('the oldest leave first, and what is too old leaves whatever the count', () => {
  expect(ids([1, 2, 3, 4].map((n) => started(`r${n}`, now - n)))).toEqual(['r1', 'r2', 'r3']);
  expect(ids([started('old', now - 1001), started('new', now - 1000)])).toEqual(['new']);
});

test('starred and labelled runs outlive count, age and clearing', () => {
  const events: HistoryEvent[] = [
    started('star', now - 5000),
    { kind: 'marked', id: 'star', starred: true, label: undefined },
    started('label', now - 6000),
    { kind: 'marked', id: 'label', starred: false, label: 'mine' },
    started('plain', now - 10),
    { kind: 'cleared', at: now - 5 },
    started('later', now - 1),
  ];
  expect(ids(events)).toEqual(['later', 'star', 'label']);
});

test('removing an entry and marking one that is gone change nothing else', () => {
  expect(
    ids([started('a'), { kind: 'removed', id: 'a' }, { kind: 'marked', id: 'a', starred: true, label: undefined }]),
  ).toEqual([]);
});

test('torn lines, foreign lines and lines of a wrong shape are left out, the others count', () => {
  const good = JSON.stringify(started('a'));
  const text = [
    good.slice(0, 40),
    good,
    '[]',
    'null',
    '{"kind":"ended","id":"a"}',
    '{"kind":"started","entry":{}}',
    good.replace('"account":"acme"', '"account":"acme","accountKey":7'),
    '',
  ].join('\n');
  expect(parseHistory(text)).toEqual([JSON.parse(good)]);
});

test('a compacted history means the same', () => {
  const event = fc.oneof(
    fc
      .record({ id: fc.constantFrom('a', 'b', 'c', 'd'), at: fc.integer({ min: now - 900, max: now }) })
      .map(({ id, at }) => started(id, at)),
    fc.constantFrom<HistoryEvent>(
      { kind: 'ended', id: 'a', end: { kind: 'failed', message: 'no' } },
      { kind: 'ended', id: 'b', end: { kind: 'succeeded', rowCount: 3, durationMs: 20 } },
      { kind: 'marked', id: 'c', starred: true, label: 'x' },
      { kind: 'marked', id: 'c', starred: false, label: undefined },
      { kind: 'removed', id: 'd' },
    ),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const entries = foldHistory(events, now);
      const again = foldHistory(
        parseHistory(
          eventsOf(entries)
            .map((line) => `${JSON.stringify(line)}\n`)
            .join(''),
        ),
        now,
      );
      const byId = (list: typeof entries): object =>
        Object.fromEntries(list.map((entry) => [entry.id, JSON.stringify(entry)]));
      expect(byId(again)).toEqual(byId(entries));
    }),
  );
});

test('what is kept of an end has no rows and no endless text', () => {
  const end = { kind: 'succeeded', rowCount: 2, durationMs: 12.7, rows: [{ SECRET: 'x' }] } as const;
  expect(endToKeep(end)).toEqual({ kind: 'succeeded', rowCount: 2, durationMs: 13 });
  expect(JSON.stringify(endToKeep({ kind: 'failed', message: 'x'.repeat(100_000) })).length).toBeLessThan(3000);
});

test.each([
  [{ kind: 'succeeded', rowCount: 1, durationMs: 1234 }, '1 row in 1.2 s'],
  [{ kind: 'succeeded', rowCount: 12_345, durationMs: 50 }, '12,345 rows in 50 ms'],
  [{ kind: 'cancelled' }, 'cancelled'],
  [undefined, 'did not end here'],
] as const)('%j reads %s', (end, text) => {
  expect(describeEnd(end)).toBe(text);
});

test('limits of the settings are whole numbers within bounds', () => {
  expect([0, 7, 10, 5001, 12.5, '40', null].map(maxEntriesSetting.parse)).toEqual([
    10,
    10,
    10,
    5000,
    undefined,
    undefined,
    undefined,
  ]);
  expect([-1, 30, 1e9, Number.NaN].map(maxAgeDaysSetting.parse)).toEqual([1, 30, 3650, undefined]);
  const limits = historyLimitsOf(2, 1);
  const events = [
    started('a', now - 3),
    started('b', now - 2),
    started('c', now - 1),
    started('old', now - 86_400_001),
  ];
  expect(foldHistory(events, now, limits).map(({ id }) => id)).toEqual(['c', 'b']);
});

test.each([
  ['-- What it is for.\n-- @range last 7 days\n\n{\n  source { A }\n}', '{ source { A } }'],
  ['// Old style\n{ source { A } -- kept\n}', '{ source { A } -- kept }'],
  ['{ source { A } }', '{ source { A } }'],
  ['-- nothing but a comment', '-- nothing but a comment'],
])('in a list, %j is told as %j', (text, summary) => {
  expect(summaryOf(text)).toBe(summary);
});

test('a search finds every word wherever it is remembered, however long the text is', () => {
  const filler = '-- nothing to see\n'.repeat(500);
  const entry: HistoryEntry = {
    id: 'a',
    at: now,
    title: 'machines',
    queryText: `${filler}{ source { SVC_HE_MACHINES } filter { HOSTNAME = 'needle-7' } return { MID } }`,
    uri: undefined,
    window: { startTime: 0, endTime: 1, label: 'last 7 days' },
    account: 'acme',
    arguments: [{ name: 'Host', value: 'web-1' }],
    end: { kind: 'failed', message: 'unknown column MIDD' },
    starred: false,
    label: 'my case',
  };
  for (const typed of ['', 'needle-7', 'MACHINES acme', 'my case', '7 days failed', 'host=web-1', 'MIDD'])
    expect([typed, isFound(entry, wordsOf(typed))]).toEqual([typed, true]);
  expect(isFound(entry, wordsOf('machines nowhere'))).toBe(false);
  expect(excerptOf(entry.queryText, wordsOf('needle-7'))).toContain("HOSTNAME = 'needle-7'");
  expect(excerptOf(entry.queryText, wordsOf('acme'))).toMatch(/^\{ source/);
  expect(excerptOf(`{ A = '${'x'.repeat(5000)}needle-8' }`, wordsOf('needle-8'))).toMatch(/^… x+needle-8/);
});

test('a run that goes on is told from one whose window was closed', () => {
  expect([describeEnd(undefined, true), describeEnd(undefined)]).toEqual(['running', 'did not end here']);
});
