import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  keysAt,
  mergeKeys,
  type ObservedKey,
  observeKeys,
  readObservedKeys,
  withKeysAt,
} from '../../../../../server/core/language/catalog/observed-keys.ts';
import { allDiagnostics } from '../../../../../server/core/language/lint/lint.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { jsonPlaceOfResult } from '../../../../../server/core/language/semantics/json-place.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { propertyRuns } from '../../../../generators/runs.ts';
import { analyzeSmall, smallCatalog } from '../../../../support/small-catalog.ts';

const key = (name: string, ...keys: readonly ObservedKey[]): ObservedKey => ({ name, keys });

describe('keys of rows', () => {
  it('are those of objects and of the elements of arrays, of all rows together', () => {
    expect(observeKeys([{ a: 1, B: { c: 'x' } }, undefined, null, 'text', { B: [{ d: 1 }, { e: null }] }])).toEqual([
      key('a'),
      key('B', key('c'), key('[]', key('d'), key('e'))),
    ]);
  });

  it('are left out where they are data: in maps with many of them, too long, too deep', () => {
    const byArn = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`arn:${i}`, 1]));
    expect(observeKeys([{ tags: byArn, ['x'.repeat(101)]: 1, '': 1 }])).toEqual([key('tags')]);
    const rows = Array.from({ length: 300 }, (_, i) => ({ [`id-${i}`]: i }));
    expect(observeKeys(rows).length).toBe(100);
  });

  it('never hold a value', () => {
    const secret = 'canary-value';
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const found = JSON.stringify(observeKeys([{ k: [value, secret], s: secret }] as never));
        expect(found).not.toContain(secret);
      }),
      propertyRuns(),
    );
  });

  it('merge to the same whatever the order, and are read back as they were sent', () => {
    const keys: fc.Arbitrary<readonly ObservedKey[]> = fc
      .array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), inner: fc.constantFrom('x', 'y') }))
      .map((list) => observeKeys(list.map(({ name, inner }) => ({ [name]: { [inner]: 1 } }))));
    const sorted = (list: readonly ObservedKey[]): readonly ObservedKey[] =>
      [...list]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, keys: inner }) => ({ name, keys: sorted(inner) }));
    fc.assert(
      fc.property(keys, keys, (a, b) => {
        expect(sorted(mergeKeys(a, b))).toEqual(sorted(mergeKeys(b, a)));
        expect(readObservedKeys(JSON.parse(JSON.stringify(a)))).toEqual(a);
      }),
      propertyRuns(),
    );
  });

  it.each([undefined, 7, [7], [{ name: 7, keys: [] }], [{ name: 'a' }], { length: 3 }])(
    'reads nothing out of %j',
    (content) => expect(readObservedKeys(content)).toEqual([]),
  );
});

describe('places', () => {
  const placesOf = (items: string): readonly unknown[] => {
    const model = analyzeSmall(
      `{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:list.x) as (row) } return distinct { ${items} } }`,
    );
    return model.resultColumns.map((column) => {
      const place = jsonPlaceOfResult(column, model.references);
      return place && [place.datasource, place.column, ...place.path].join(' ');
    });
  };

  it('are found through paths, casts, parentheses and expansions', () => {
    expect(placesOf('EVENT, (e.EVENT:a.b)::json as X, row as R, row:k."l m" as K, lower(EVENT_NAME) as N')).toEqual([
      'CloudTrailRawEvents EVENT',
      'CloudTrailRawEvents EVENT a b',
      'CloudTrailRawEvents EVENT list x []',
      'CloudTrailRawEvents EVENT list x [] k l m',
      undefined,
    ]);
    expect(placesOf('e.*')[3]).toBe('CloudTrailRawEvents EVENT');
  });

  it('take the keys seen there, below those of other places', () => {
    const at = (...path: string[]) => ({ datasource: 'D', column: 'C', path });
    let observed = withKeysAt(new Map(), at('a', '[]'), [key('x')]);
    observed = withKeysAt(observed, at(), [key('b')]);
    expect(keysAt(observed, at())).toEqual([key('a', key('[]', key('x'))), key('b')]);
    expect(keysAt(observed, at('a', '[]'))).toEqual([key('x')]);
    expect(keysAt(observed, at('z'))).toEqual([]);
    expect(withKeysAt(observed, at('a'), [key('[]', key('x'))])).toBe(observed);
  });
});

describe('json-key-case over keys of rows', () => {
  const observedKeys = withKeysAt(
    new Map(),
    { datasource: 'CloudTrailRawEvents', column: 'EVENT', path: [] },
    observeKeys([{ userIdentity: { userName: 'x', 'Odd key': 1 }, resources: [{ ARN: 'x' }] }]),
  );
  const found = (text: string) => {
    const parsed = parse(text);
    const model = analyze(parsed, { catalog: { ...smallCatalog(), observedKeys }, vendorPrefix: 'SVC' });
    return allDiagnostics(parsed, model, {}).filter(({ code }) => code === 'json-key-case');
  };
  const q = (filter: string): string =>
    `{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:resources) as (r) } filter { ${filter} } return distinct { e.EVENT } }`;

  it.each([
    ["e.EVENT:userIdentity.username = 'a' and r is not null", 'userName'],
    ["EVENT:UserIdentity.userName = 'a' and r is not null", 'userIdentity'],
    ['EVENT:userIdentity."odd Key" = \'a\' and r is not null', '"Odd key"'],
    ["r:arn like '%a'", 'ARN'],
  ])('%s', (filter, wanted) => {
    const text = q(filter);
    const [only, ...others] = found(text);
    expect([only?.severity, others]).toEqual(['warning', []]);
    expect(only?.message).toContain('Rows have the key as');
    const mended = applyEdits(text, only?.fixes[0]?.edits ?? []);
    expect(mended).toContain(wanted);
    expect(found(mended)).toEqual([]);
  });

  it('is silent about keys that no row has in any case, and behind unknown ones', () => {
    expect(found(q("EVENT:other.username = 'a' and EVENT:userIdentity.arn = 'b' and r:ARN = 'x'"))).toEqual([]);
  });
});
