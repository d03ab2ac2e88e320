import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { jsonText } from '../../../../server/core/results/cell-text.ts';
import { jsonTree, maxTreeLines } from '../../../../server/core/results/json-tree.ts';

describe('a JSON tree', () => {
  it('lists members below their parent with the keys that lead there', () => {
    expect(jsonTree({ a: { b: 5644915113269064637n }, c: [{ d: null }] })).toEqual([
      { depth: 0, label: 'a', kind: 'object', text: '1 key', path: ['a'] },
      { depth: 1, label: 'b', kind: 'number', text: '5644915113269064637', path: ['a', 'b'] },
      { depth: 0, label: 'c', kind: 'array', text: '1 item', path: ['c'] },
      { depth: 1, label: '0', kind: 'object', text: '1 key', path: undefined },
      { depth: 2, label: 'd', kind: 'null', text: 'null', path: undefined },
    ]);
  });
  it('has no lines for a value without members', () => {
    expect([jsonTree('x'), jsonTree(null), jsonTree(1)]).toEqual([undefined, undefined, undefined]);
  });
  it('is cut, and no deep value can exhaust the stack', () => {
    let deep: Value = 1;
    for (let i = 0; i < 100_000; i++) deep = { k: deep };
    expect(jsonTree(deep)).toHaveLength(maxTreeLines);
    expect(jsonText(deep)).toHaveLength(6 * 100_000 + 1);
    expect(jsonTree(Array.from({ length: 10_000 }, (_, i) => i))).toHaveLength(maxTreeLines);
  });
  it('leads back to each value by its path', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        for (const line of jsonTree(value as Value) ?? []) {
          if (!line.path) continue;
          let at: unknown = value;
          for (const key of line.path) at = (at as Record<string, unknown>)[key];
          if (line.kind === 'string') expect(at).toBe(line.text);
          else expect(at === null ? 'null' : Array.isArray(at) ? 'array' : typeof at).toBe(line.kind);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('JSON text', () => {
  it('is what JSON.stringify writes, compact and indented', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value as Value)).toBe(JSON.stringify(value));
        expect(jsonText(value as Value, '  ')).toBe(JSON.stringify(value, undefined, 2));
      }),
      { numRuns: 300 },
    );
  });
});
