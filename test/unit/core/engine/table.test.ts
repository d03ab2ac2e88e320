import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableFromRows, valueAt } from '../../../../server/core/engine/table.ts';
import type { LqlType } from '../../../../server/core/language/types/types.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';

function columnOf(type: LqlType, values: readonly Value[]) {
  const table = tableFromRows(
    { name: 'T', columns: [{ name: 'V', type, description: undefined }] },
    values.map((V) => ({ V })),
  );
  const vector = table.column('V');
  if (vector === undefined) throw new Error('The column is missing.');
  return { table, vector, read: values.map((_, row) => valueAt(vector, row)) };
}

describe('tables', () => {
  it('give back what was put in, whatever form a column takes', () => {
    const value = fc.oneof(
      fc.constant(undefined),
      fc.string(),
      // JSON writes no negative zero, and equal numbers may share one form.
      fc.double({ noNaN: true }).map((number) => (number === 0 ? 0 : number)),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n }),
      fc.boolean(),
    ) as fc.Arbitrary<Value>;
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom<LqlType>('string', 'number', 'json', 'boolean'), (values, type) => {
        expect(columnOf(type, values).read).toEqual(values);
      }),
      { numRuns: 500 },
    );
  });

  it('pack numbers and times, and give up packing for integers a double cannot hold', () => {
    expect(columnOf('number', [1, undefined, 2.5]).vector.kind).toBe('number');
    expect(columnOf('number', [1, 5n]).read).toEqual([1, 5]);
    expect(columnOf('number', [1, undefined, 2n ** 60n])).toMatchObject({ read: [1, undefined, 2n ** 60n] });
    expect(columnOf('timestamp', ['2024-05-01T00:00:00Z', 5, 'nonsense', null]).read).toEqual([
      Date.UTC(2024, 4, 1),
      5,
      undefined,
      undefined,
    ]);
  });

  it('store repeated text once, and different texts plainly', () => {
    expect(columnOf('string', ['a', 'b', 'a', null]).vector).toMatchObject({ kind: 'dictionary', entries: ['a', 'b'] });
    const different = Array.from({ length: 3000 }, (_, row) => `text ${row}`);
    expect(columnOf('string', different)).toMatchObject({ vector: { kind: 'values' }, read: different });
    const grouped = Array.from({ length: 3000 }, (_, row) => `text ${row % 10}`);
    expect(columnOf('string', grouped)).toMatchObject({ vector: { kind: 'dictionary' }, read: grouped });
  });

  it('keep the JSON null in JSON columns alone', () => {
    expect(columnOf('json', [null, undefined]).read).toEqual([null, undefined]);
    expect(columnOf('string', [null]).read).toEqual([undefined]);
  });

  it('know their rows and refuse a time column they do not have', () => {
    expect(columnOf('string', ['a', 'b']).table.rowCount).toBe(2);
    expect(columnOf('string', []).table.column('W')).toBeUndefined();
    expect(() => tableFromRows({ name: 'T', columns: [], timeColumn: 'AT' }, [])).toThrow(/AT/);
  });
});
