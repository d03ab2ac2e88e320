import { describe, expect, test } from 'vitest';
import { parseExact } from '../../../../server/api/transport/json.ts';
import { answerJson, keepText, wireJson } from '../../../../server/platform/http/wire-json.ts';

const text = (answer: unknown): string => {
  const json = answerJson(answer);
  return typeof json === 'string' ? json : Buffer.from(json).toString('utf8');
};
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: 2n ** 63n + BigInt(index), name: `ä${index}`, none: undefined }));

describe('the text of answers', () => {
  test('has integers of any length', () => {
    expect(wireJson({ data: [18446744073709551615n, { n: -9223372036854775808n }] })).toBe(
      '{"data":[18446744073709551615,{"n":-9223372036854775808}]}',
    );
  });

  test.each([0, 1, 49, 50, 51, 200])('is the same for %i records whose text is kept, again and again', (count) => {
    const data = rows(count).map(keepText);
    const plain = rows(count);
    const paging = { rows: count, urls: { nextPage: null } };
    for (let round = 0; round < 3; round++) {
      expect(parseExact(text({ paging, data }))).toEqual(parseExact(wireJson({ paging, data: plain })));
      expect(text({ data })).toBe(wireJson({ data: plain }));
    }
  });

  test('follows what changes: other records, another order, one more, one that is not kept', () => {
    const data = rows(60).map(keepText);
    const answers = [
      data,
      data.slice(1),
      [...data].reverse(),
      [...data, keepText({ id: 1n, name: 'x', none: undefined })],
      [...data, { id: 2n, name: 'y', none: undefined }],
    ];
    for (const list of [...answers, ...answers.reverse()]) expect(text({ data: list })).toBe(wireJson({ data: list }));
    const changing = { id: 3n, name: 'before', none: undefined };
    expect(text({ data: [...data, changing] })).toContain('before');
    changing.name = 'after';
    expect(text({ data: [...data, changing] })).toContain('after');
  });

  test('is bounded in memory, not in size', () => {
    for (let list = 0; list < 12; list++) {
      const data = Array.from({ length: 50 }, () => keepText({ text: String(list).padEnd(60_000, 'x') }));
      expect(text({ data }).length).toBe(wireJson({ data }).length);
    }
  });
});
