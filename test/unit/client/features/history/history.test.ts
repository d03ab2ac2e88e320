import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeEnd,
  endToKeep,
  eventsOf,
  foldHistory,
  type HistoryEvent,
  parseHistory,
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
  [{ kind: 'succeeded', rowCount: 12_345, durationMs: 50 }, '12,345 rows in 0.1 s'],
  [{ kind: 'cancelled' }, 'cancelled'],
  [undefined, 'did not end here'],
] as const)('%j reads %s', (end, text) => {
  expect(describeEnd(end)).toBe(text);
});
