import { expect, test } from 'vitest';
import { describeExport } from '../../../../../client/features/results/export-record.ts';
import { parseDirectives } from '../../../../../server/core/documents/run-directives.ts';

const window = { startTime: Date.UTC(2026, 0, 1), endTime: Date.UTC(2026, 0, 2), label: 'yesterday' };
const base = {
  title: 'buckets',
  startedAt: Date.UTC(2026, 0, 3),
  exportedAt: Date.UTC(2026, 0, 4),
  rowCount: 5,
  wholeCount: 9,
  note: undefined,
};

test('query, window, arguments and account are recorded, and the query in the record runs over the same window', () => {
  const text = describeExport({
    ...base,
    description: {
      queryText: '-- @range last 7 days\n-- @arg Host\n{ source { A } return { B } }',
      window,
      accountLabel: 'acme',
      arguments: [{ name: 'Host', value: 'web-1' }],
    },
  });
  expect(text).toContain('- Rows: 5 of 9');
  expect(text).toContain('- Account: acme');
  expect(text).toContain('2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z (yesterday)');
  const [, query = ''] = /```lql\n([\s\S]*?)```/.exec(text) ?? [];
  expect(parseDirectives(query)).toMatchObject({
    range: '2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z',
    arguments: [{ name: 'Host', value: 'web-1' }],
    asked: [],
    problems: [],
  });
});

test('names, values and texts stay text: no markup, no second fence, no second line', () => {
  const text = describeExport({
    ...base,
    title: '<img src=x> [a](command:b)\n# two',
    description: {
      queryText: '{ filter { A = "```" } }',
      window,
      accountLabel: 'a`b`',
      arguments: [{ name: 'X', value: 'one\n-- @range today' }],
    },
  });
  expect(text.split('\n')[0]).toBe('# \\<img src=x\\> \\[a\\](command:b) \\# two');
  expect(text).toContain('a\\`b\\`');
  expect(text).toMatch(/^````lql$/m);
  expect(text).toContain('-- @arg X=one -- @range today');
});
