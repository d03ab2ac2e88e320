import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { cellText, jsonText } from '../../../../server/core/results/cell-text.ts';
import { exportText } from '../../../../server/core/results/export.ts';
import { FilterPatternError, filterRows, noFilter } from '../../../../server/core/results/filter.ts';
import { formatIsoTime, parseIsoTime } from '../../../../server/core/results/iso-time.ts';
import { createRowStore, type RowStore } from '../../../../server/core/results/row-store.ts';
import { sortRows } from '../../../../server/core/results/sort.ts';
import { columnStatistics, timeColumnOf, timeHistogram } from '../../../../server/core/results/statistics.ts';
import { arrangeRows } from '../../../../server/core/results/view.ts';
import { finish } from '../../../support/finish.ts';

type Row = { readonly [key: string]: Value };

const runs = process.env['DEEP'] ? 10_000 : 500;

function storeOf(values: readonly Value[]): RowStore {
  const store = createRowStore([{ name: 'A', label: 'a', type: 'unknown' }]);
  store.append(values.map((A): Row => ({ A })));
  return store;
}

const all = (store: RowStore): Uint32Array => Uint32Array.from({ length: store.rowCount }, (_, i) => i);

const anyScalar = fc.oneof(
  fc.constant<Value>(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n): Value => (Object.is(n, -0) ? 0 : n)),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((n): Value => (Number.isSafeInteger(Number(n)) ? Number(n) : n)),
  fc.string().map((s): Value => s),
  fc.boolean().map((b): Value => b),
  fc
    .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((d): Value => d.toISOString()),
  fc.dictionary(fc.string(), fc.integer()).map((o): Value => o),
);
const cells = fc.oneof(
  fc.array(anyScalar),
  fc.array(fc.oneof(fc.constant<Value>(null), fc.string({ maxLength: 3 })), { maxLength: 200 }),
  fc.array(fc.oneof(fc.constant<Value>(null), fc.integer()), { maxLength: 200 }),
);

describe('a row store', () => {
  it('gives back every value as it came, whatever the column has become', () => {
    fc.assert(
      fc.property(cells, fc.nat(20), (values, split) => {
        const store = createRowStore();
        store.append(values.slice(0, split).map((A): Row => ({ A })));
        store.append(values.slice(split).map((A): Row => ({ A })));
        for (let row = 0; row < values.length; row++) {
          const value = values[row];
          expect(store.value(row, 0)).toEqual(value === null ? undefined : value);
          expect(store.text(row, 0)).toBe(cellText(value));
        }
      }),
      { numRuns: runs },
    );
  });
  it('keeps integers beyond 2^53 exact from row to text', () => {
    expect(storeOf([5644915113269064637n, 1, null]).text(0, 0)).toBe('5644915113269064637');
  });
  it('adds a column that appears late, null above', () => {
    const store = createRowStore([{ name: 'A', label: 'a', type: 'string' }]);
    store.append([{ A: 'x' }]);
    store.append([{ A: 'y', B: 2 }]);
    expect(store.columns.map((column) => column.name)).toEqual(['A', 'B']);
    expect([store.text(0, 1), store.text(1, 1)]).toEqual([undefined, '2']);
  });
  it('is the same while columns are made of the rows, and after', () => {
    fc.assert(
      fc.property(cells, cells, fc.nat(30), (first, second, steps) => {
        const store = createRowStore();
        const expectCells = (values: readonly Value[]): void => {
          for (const [row, value] of values.entries()) {
            expect(store.value(row, 0)).toEqual(value === null ? undefined : value);
            expect(store.text(row, 0)).toBe(cellText(value));
          }
        };
        store.append(first.map((A): Row => ({ A, B: 1 })));
        expectCells(first);
        const settling = store.settle();
        for (let i = 0; i < steps; i++) settling.next();
        expectCells(first);
        store.append(second.map((A): Row => ({ A, C: 'c' })));
        finish(store.settle());
        expectCells([...first, ...second]);
        if (second.length > 0 && first.length > 0) {
          expect([store.value(first.length, 1), store.value(0, 2), store.value(first.length, 2)]).toEqual([
            undefined,
            undefined,
            'c',
          ]);
        }
      }),
      { numRuns: runs },
    );
  });
  it('takes no inherited member for a value', () => {
    const store = createRowStore();
    store.append([
      { constructor: 'x', A: 1 } as unknown as Row,
      { A: 2 },
      JSON.parse('{"__proto__": "p", "A": 3}') as Row,
    ]);
    const texts = (column: number): (string | undefined)[] => [0, 1, 2].map((row) => store.text(row, column));
    const expected = [
      ['x', undefined, undefined],
      ['1', '2', '3'],
      [undefined, undefined, 'p'],
    ];
    expect(store.columns.map((_, column) => texts(column))).toEqual(expected);
    finish(store.settle());
    expect(store.columns.map((_, column) => texts(column))).toEqual(expected);
  });
  it('leaves Object.prototype alone when a row has a key named __proto__', () => {
    const store = createRowStore();
    store.append([JSON.parse('{"__proto__": {"polluted": true}, "A": 1}') as Row]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(store.columns.map((column) => column.name)).toEqual(['__proto__', 'A']);
  });
});

describe('sorting', () => {
  it('equals a stable comparison sort with nulls last, up and down', () => {
    fc.assert(
      fc.property(cells, fc.boolean(), (values, descending) => {
        const store = storeOf(values);
        const data = store.data(0);
        const key = (row: number): number | bigint | string | undefined => {
          const value = store.value(row, 0);
          if (value === undefined) return undefined;
          if (data.kind === 'number') return data.time ? parseIsoTime(String(value)) : (value as number | bigint);
          return store.text(row, 0);
        };
        const expected = [...all(store)].sort((a, b) => {
          const x = key(a);
          const y = key(b);
          if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
          const order = x < y ? -1 : x > y ? 1 : 0;
          return descending ? -order : order;
        });
        expect([...finish(sortRows(store, all(store), [{ column: 0, descending }]))]).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });
  it('sorts by several columns, the first weighing most', () => {
    const store = createRowStore();
    store.append([
      { A: 'b', B: 1 },
      { A: 'a', B: 1 },
      { A: 'b', B: 2 },
      { A: 'a', B: 3 },
    ]);
    const order = finish(
      sortRows(store, all(store), [
        { column: 0, descending: false },
        { column: 1, descending: true },
      ]),
    );
    expect([...order]).toEqual([3, 1, 2, 0]);
  });
  it('sorts anew when rows came behind a sort', () => {
    const store = createRowStore();
    store.append(['b', 'd', null, 'b'].map((T) => ({ T })));
    const order = (descending: boolean): (string | undefined)[] =>
      [...finish(arrangeRows(store, { sort: [{ column: 0, descending }], filter: noFilter }))].map((row) =>
        store.text(row, 0),
      );
    expect(order(false)).toEqual(['b', 'b', 'd', undefined]);
    finish(store.settle());
    store.append(['c', 'a', null].map((T) => ({ T })));
    expect(order(false)).toEqual(['a', 'b', 'b', 'c', 'd', undefined, undefined]);
    expect(order(true)).toEqual(['d', 'c', 'b', 'b', 'a', undefined, undefined]);
  });
  it.each([false, true])('orders by ranks as without them (descending: %s)', (descending) => {
    const values = Array.from({ length: 400 }, (_, i): number | bigint | null =>
      i % 11 === 0 ? null : i % 5 === 0 ? 2n ** 60n + BigInt(i % 3) : i % 7 === 0 ? -0 : ((i * 7919) % 50) - 25.5,
    );
    const ranked = storeOf(values);
    const keys = [{ column: 0, descending }];
    const before = [...finish(sortRows(ranked, all(ranked), keys))];
    finish(ranked.settle());
    expect([...finish(sortRows(ranked, all(ranked), keys))]).toEqual(before);
    ranked.append([{ A: -100 }]);
    expect([...finish(sortRows(ranked, all(ranked), [{ column: 0, descending: false }]))][0]).toBe(400);
  });
  it('orders numbers by value that came behind rows without any', () => {
    const store = storeOf([null]);
    expect(store.data(0).kind).toBe('mixed');
    store.append([10, 9, 100].map((A) => ({ A })));
    expect([...finish(sortRows(store, all(store), [{ column: 0, descending: false }]))]).toEqual([2, 1, 3, 0]);
  });
  it('orders rows that came while the others were ranked', () => {
    const store = createRowStore();
    store.append([3, 1].map((A) => ({ A, B: 'b' })));
    const settling = store.settle();
    // The columns are made, one each step, and then the first one is ranked.
    for (let step = 0; step < 2; step++) settling.next();
    store.append([2, 0].map((A) => ({ A, B: 'b' })));
    for (let step = 0; step < 2; step++) settling.next();
    const keys = [{ column: 0, descending: false }];
    expect([...finish(sortRows(store, all(store), keys))]).toEqual([3, 1, 2, 0]);
    finish(settling);
    expect([...finish(sortRows(store, all(store), keys))]).toEqual([3, 1, 2, 0]);
  });
  it('orders long texts that share a prefix by what follows', () => {
    const texts = Array.from({ length: 300 }, (_, i) => `arn:aws:iam::1111:role/${'x'.repeat(12)}${(i * 7919) % 300}`);
    const order = finish(sortRows(storeOf(texts), Uint32Array.from(texts.keys()), [{ column: 0, descending: false }]));
    expect([...order].map((row) => texts[row])).toEqual([...texts].sort());
  });
});

describe('texts by the block', () => {
  /** More than two blocks of texts that share letters across their borders, with nulls, empty ones and a long one among them. */
  const letters = ['a', 'b', 'ab', 'ba', 'B', 'Aa', '', 'ä', 'x1'];
  const texts = Array.from({ length: 9001 }, (_, i): string | null => {
    if (i % 97 === 0) return null;
    if (i === 5000) return `${'z'.repeat(20_000)}needle`;
    const at = Math.imul(i, 2_654_435_761) >>> 0;
    return `${letters[at % 9]}${letters[(at >>> 8) % 9]}${i % 3 === 0 ? '' : at.toString(36)}`;
  });
  const store = storeOf(texts);
  it('are kept as text', () => {
    expect(store.data(0).kind).toBe('text');
    expect(texts.map((text) => text ?? undefined)).toEqual(texts.map((_, row) => store.text(row, 0)));
  });
  it.each(['ab', 'aba', 'NEEDLE', 'Ä', 'b', 'zz', 'x1x1', '0', '12', 'A12', 'a12', '12B', 'ä12', 'x1x11'])(
    'find “%s” where a look at each text finds it',
    (needle) => {
      const contains = (text: string | null): boolean => text?.toLowerCase().includes(needle.toLowerCase()) ?? false;
      const expected = texts.flatMap((text, row) => (contains(text) ? [row] : []));
      expect([...finish(filterRows(store, { search: needle, columns: [] }))]).toEqual(expected);
      const others = texts.flatMap((text, row) => (contains(text) ? [] : [row]));
      const filter = { kind: 'contains', text: needle, negated: true } as const;
      expect([...finish(filterRows(store, { search: '', columns: [{ column: 0, filter }] }))]).toEqual(others);
    },
  );
  it('find a run of digits that stands nearly everywhere as well', () => {
    const many = Array.from({ length: 6000 }, (_, i) => `${'1'.repeat(12)}${i % 7 === 0 ? 'x' : 'y'}${i}`);
    const expected = many.flatMap((text, row) => (text.includes('11x') ? [row] : []));
    const filter = { kind: 'contains', text: '11X', negated: false } as const;
    expect([...finish(filterRows(storeOf(many), { search: '', columns: [{ column: 0, filter }] }))]).toEqual(expected);
  });
  it.each([false, true])('sort as single texts do (descending: %s)', (descending) => {
    const order = finish(sortRows(store, all(store), [{ column: 0, descending }]));
    const filled = texts.filter((text) => text !== null).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    if (descending) filled.reverse();
    expect([...order].slice(0, filled.length).map((row) => texts[row])).toEqual(filled);
    expect([...order].slice(filled.length).every((row) => texts[row] === null)).toBe(true);
  });
});

describe('filtering', () => {
  const store = createRowStore();
  store.append([
    { NAME: 'Alpha', SIZE: 10, AT: '2026-01-01T00:00:00.000Z', TAGS: { env: 'prod' } },
    { NAME: 'beta', SIZE: 20, AT: '2026-01-02T00:00:00.000Z', TAGS: null },
    { NAME: null, SIZE: null, AT: null, TAGS: { env: 'dev' } },
  ]);
  const rows = (filter: Parameters<typeof filterRows>[1]): number[] => [...finish(filterRows(store, filter))];
  it('searches all columns without case, JSON included', () => {
    expect(rows({ search: 'PROD', columns: [] })).toEqual([0]);
    expect(rows({ search: 'a', columns: [] })).toEqual([0, 1]);
  });
  it('reads the needle as text, never as a pattern', () => {
    expect(rows({ search: 'a.p', columns: [] })).toEqual([]);
    expect(rows({ search: '{"env"', columns: [] })).toEqual([0, 2]);
  });
  it.each([
    [{ kind: 'contains', text: 'ALPHA', negated: false } as const, [0]],
    [{ kind: 'contains', text: 'ALPHA', negated: true } as const, [1, 2]],
    [{ kind: 'regex', pattern: '^[ab]', negated: false } as const, [1]],
    [{ kind: 'in', values: ['beta', null], negated: false } as const, [1, 2]],
    [{ kind: 'null', negated: false } as const, [2]],
    [{ kind: 'null', negated: true } as const, [0, 1]],
  ])('keeps rows by %j', (filter, expected) => {
    expect(rows({ search: '', columns: [{ column: 0, filter }] })).toEqual(expected);
  });
  it('takes ranges of numbers and of times, both ends included', () => {
    const range = (column: number, min?: string, max?: string): number[] =>
      rows({ search: '', columns: [{ column, filter: { kind: 'range', min, max } }] });
    expect(range(1, '10', '10')).toEqual([0]);
    expect(range(1, '11')).toEqual([1]);
    expect(range(2, '2026-01-01T12:00:00.000Z')).toEqual([1]);
    expect(range(2, undefined, '2026-01-02')).toEqual([0, 1]);
  });
  it('tells integers beyond 2^53 apart in a range', () => {
    const ids = storeOf([9007199254740992n, 9007199254740993n, 9007199254740994n, null, 5]);
    const range = (min?: string, max?: string): number[] => [
      ...finish(filterRows(ids, { search: '', columns: [{ column: 0, filter: { kind: 'range', min, max } }] })),
    ];
    expect(range('9007199254740993', '9007199254740993')).toEqual([1]);
    expect(range('9007199254740993')).toEqual([1, 2]);
    expect(range('', ' 9007199254740992 ')).toEqual([0, 4]);
  });
  it('reads a time without a zone as UTC, whatever the zone of this computer', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/Lima';
    try {
      const filter = { kind: 'range', min: '2026-01-01 23:00', max: undefined } as const;
      expect(new Date(Date.parse('2026-01-01 23:00')).getUTCHours()).toBe(4);
      expect(rows({ search: '', columns: [{ column: 2, filter }] })).toEqual([1]);
      expect(rows({ search: '', columns: [{ column: 2, filter: { ...filter, min: '2026-01-02 00:01' } }] })).toEqual(
        [],
      );
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });
  it.each([
    [1, '1,000', /'1,000' is not a number/],
    [2, 'yesterday', /'yesterday' is not a time/],
    [2, 'now', /'now' is not a time/],
  ])('says of column %d that %s is no end of a range', (column, min, message) => {
    const filter = { kind: 'range', min, max: undefined } as const;
    expect(() => rows({ search: '', columns: [{ column, filter }] })).toThrow(message);
  });
  it('explains a pattern that is none', () => {
    expect(() =>
      rows({ search: '', columns: [{ column: 0, filter: { kind: 'regex', pattern: '(', negated: false } }] }),
    ).toThrow(FilterPatternError);
  });
  it('looks for a long text, and says of a longer one that it does not', () => {
    const contains = (text: string) => ({ kind: 'contains', text, negated: false }) as const;
    expect(rows({ search: 'ab'.repeat(5000), columns: [{ column: 0, filter: contains('ä'.repeat(10_000)) }] })).toEqual(
      [],
    );
    const tooLong = /more than 10,000 characters/;
    expect(() => rows({ search: 'a'.repeat(10_001), columns: [] })).toThrow(tooLong);
    expect(() => rows({ search: '', columns: [{ column: 0, filter: contains('a'.repeat(200_000)) }] })).toThrow(
      tooLong,
    );
  });
  it('sorts what is left', () => {
    const order = finish(
      arrangeRows(store, { filter: { search: 'a', columns: [] }, sort: [{ column: 1, descending: true }] }),
    );
    expect([...order]).toEqual([1, 0]);
  });
});

describe('statistics', () => {
  it('count nulls, distinct values, extremes and the most frequent', () => {
    const store = storeOf([3, 1, 3, null, 2]);
    expect(finish(columnStatistics(store, 0, all(store)))).toEqual({
      rows: 5,
      nulls: 1,
      distinct: 3,
      distinctCapped: false,
      min: '1',
      max: '3',
      mean: 2.25,
      top: [
        { text: '3', count: 2 },
        { text: '1', count: 1 },
        { text: '2', count: 1 },
      ],
    });
  });
  it('compare texts and numbers of one column as texts, whatever comes first', () => {
    const values = ['abc', 5, true, 10];
    for (const order of [values, [...values].reverse()]) {
      const store = storeOf(order);
      expect(finish(columnStatistics(store, 0, all(store)))).toMatchObject({ min: '10', max: 'true' });
    }
  });
  it('spread times over bars and lose none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 2 }),
        fc.integer({ min: 1, max: 60 }),
        (times, bars) => {
          const store = storeOf(times.map(formatIsoTime));
          expect(timeColumnOf(store)).toBe(0);
          const histogram = timeHistogram(store, 0, all(store), bars);
          if (new Set(times).size === 1) expect(histogram).toBeUndefined();
          else {
            expect(histogram?.counts.reduce((a, b) => a + b, 0)).toBe(times.length);
            expect(histogram?.counts.length).toBeLessThanOrEqual(bars);
          }
        },
      ),
      { numRuns: runs },
    );
  });
});

describe('times', () => {
  it('are read only in the one form that prints back the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 26 }),
          fc
            .date({ noInvalidDate: true, min: new Date('0100-01-01'), max: new Date('9999-12-31') })
            .map((d) => d.toISOString()),
          fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        ),
        (text) => {
          const time = parseIsoTime(text);
          if (time !== undefined) expect(formatIsoTime(time)).toBe(text);
          else expect(Number.isNaN(Date.parse(text)) || new Date(text).toISOString() !== text).toBe(true);
        },
      ),
      { numRuns: runs },
    );
  });
});

describe('exports', () => {
  const store = createRowStore();
  store.append([
    { A: '=1+1,"x"', B: 5644915113269064637n, C: { k: [1, null] } },
    { A: 'two\nlines', B: -1, C: null },
    { A: "it's \\", B: null, C: {} },
  ]);
  const text = (format: Parameters<typeof exportText>[2], columns = [0, 1, 2]): string =>
    exportText(store, { rows: all(store), columns, header: true }, format);
  it('quote CSV by RFC 4180 and disarm formulas, numbers excepted', () => {
    expect(text('csv')).toBe(
      'A,B,C\r\n"\'=1+1,""x""",5644915113269064637,"{""k"":[1,null]}"\r\n"two\nlines",-1,\r\nit\'s \\,,{}\r\n',
    );
  });
  it('write JSON that reads back the same, integers exact', () => {
    expect(text('json')).toBe(
      '[\n  {"A":"=1+1,\\"x\\"","B":5644915113269064637,"C":{"k":[1,null]}},\n  {"A":"two\\nlines","B":-1,"C":null},\n  {"A":"it\'s \\\\","B":null,"C":{}}\n]\n',
    );
    expect(text('ndjson').trimEnd().split('\n')).toHaveLength(3);
  });
  it('write Markdown whose cells stay cells', () => {
    const lines = text('markdown').trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[3]).toContain('two<br>lines');
  });
  it("write an `in` list of the column's different values", () => {
    expect(text('in-list', [0])).toBe(`('=1+1,"x"', 'two\nlines', s'it''s \\')`);
    expect(text('in-list', [1])).toBe('(5644915113269064637, -1)');
  });
  it('print JSON with indentation for the inspector', () => {
    expect(jsonText({ a: [1n, {}], b: [] }, '  ')).toBe('{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}');
  });
});
