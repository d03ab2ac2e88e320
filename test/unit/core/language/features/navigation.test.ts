import { describe, expect, test } from 'vitest';
import { functions } from '../../../../../server/core/language/catalog/functions/index.ts';
import { documentSymbols } from '../../../../../server/core/language/features/document-symbols.ts';
import { foldingRanges } from '../../../../../server/core/language/features/folding-ranges.ts';
import { inlayHints } from '../../../../../server/core/language/features/inlay-hints.ts';
import { namedThingAt } from '../../../../../server/core/language/features/occurrences.ts';
import { prepareRename, rename } from '../../../../../server/core/language/features/rename.ts';
import { selectionRanges } from '../../../../../server/core/language/features/selection-ranges.ts';
import { semanticTokens } from '../../../../../server/core/language/features/semantic-tokens.ts';
import { signatureHelp } from '../../../../../server/core/language/features/signature-help.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { markRanges } from '../../../../harness/markers.ts';
import { analyzeMarked } from './support.ts';

describe('occurrences', () => {
  function marked(text: string): string | undefined {
    const { query, offset } = analyzeMarked(text);
    const thing = namedThingAt(query, offset);
    return (
      thing &&
      markRanges(
        query.text,
        thing.occurrences.map(({ range }) => range),
      )
    );
  }

  test.each(['CFG_BUCKETS b$0 ', 'CFG_BUCKETS b '])('an alias from its declaration and from a use (%s)', (source) => {
    const use = source.includes('$0') ? 'b' : '$0b';
    expect(
      marked(`{ source { ${source}with CFG_KEYS k } filter { ${use}.ARN = k.KEY_ID } return { b.ARN, b.* } }`),
    ).toBe(
      '{ source { CFG_BUCKETS <|b|> with CFG_KEYS k } filter { <|b|>.ARN = k.KEY_ID } return { <|b|>.ARN, <|b|>.* } }',
    );
  });

  test('an expansion by column and by table alias', () => {
    const text = '{ source { AuditEvents e, array_to_rows(e.EVENT:items) as t(i) } return { i$0:a as A, t.i:b as B } }';
    expect(marked(text)).toContain('as t(<|i|>) } return { <|i|>:a as A, t.<|i|>:b as B }');
    expect(marked(text.replace('$0', '').replace('t.i', 't$0.i'))).toContain(
      'as <|t|>(i) } return { i:a as A, <|t|>.i:b as B }',
    );
  });

  test('the same alias in a subquery is another one', () => {
    const text =
      '{ source { CFG_BUCKETS b$0 } filter { b.ARN in { source { CFG_KEYS b } return { b.KEY_ID } } } return { b.ARN } }';
    expect(marked(text)).toBe(
      '{ source { CFG_BUCKETS <|b|> } filter { <|b|>.ARN in { source { CFG_KEYS b } return { b.KEY_ID } } } return { <|b|>.ARN } }',
    );
  });

  test('an alias used inside the argument of an expansion', () => {
    const text = '{ source { AuditEvents e$0, array_to_rows(e.EVENT:items) as (i) } return { i:a as A } }';
    expect(marked(text)).toContain('AuditEvents <|e|>, array_to_rows(<|e|>.EVENT');
  });
});

describe('rename', () => {
  function renamed(text: string, name: string): string {
    const { query, offset } = analyzeMarked(text);
    const result = rename(query, offset, name);
    return result.kind === 'edits' ? applyEdits(query.text, result.edits) : result.reason;
  }

  test('an alias everywhere', () => {
    expect(renamed('{ source { CFG_BUCKETS b$0 } filter { b.ARN = 1 } return { b.ARN } }', 'bucket')).toBe(
      '{ source { CFG_BUCKETS bucket } filter { bucket.ARN = 1 } return { bucket.ARN } }',
    );
  });

  test.each([
    ['select', /reserved word/],
    ['filter', /reserved word/],
    ['1a', /not a name/],
    ['k', /already uses/],
    ['', /not a name/],
  ])('to %j is refused with a reason', (name, reason) => {
    expect(renamed('{ source { CFG_BUCKETS b$0 with CFG_KEYS k } return { b.ARN } }', name)).toMatch(reason);
  });

  test('a datasource keeps its name', () => {
    const text = '{ source { CFG_BUCKETS } return { CFG_BUCK$0ETS.ARN } }';
    expect(renamed(text, 'x')).toMatch(/keeps its name/);
    const { query, offset } = analyzeMarked(text);
    expect(prepareRename(query, offset)).toBeUndefined();
  });
});

describe('signature help', () => {
  function active(text: string): string | undefined {
    const { query, offset } = analyzeMarked(text);
    const help = signatureHelp(query, offset, functions);
    const [start, end] = help?.parameters[help.activeParameter]?.label ?? [0, 0];
    return help && `${help.label.slice(0, help.label.indexOf('('))}: ${help.label.slice(start, end)}`;
  }

  test('the argument at the cursor, in whole and broken texts', () => {
    expect(active('{ source { X } filter { starts_with($0) } }')).toMatch(/^starts_with: \w+: String$/);
    const second = active("{ source { X } filter { starts_with(A, 'x'$0) } }");
    expect(second).toMatch(/^starts_with: \w+: String$/);
    expect(active('{ source { X } filter { starts_with(A, $0')).toBe(second);
    expect(active("{ source { X } filter { starts_with((A$0), 'x') } }")).not.toBe(second);
  });

  test('the innermost call counts, and its commas only', () => {
    expect(active("{ source { X } filter { starts_with(substring(A, 1, $02), 'x') } }")).toMatch(/^substring: /);
    expect(active("{ source { X } filter { starts_with(substring(A, 1, 2), $0'x') } }")).toMatch(/^starts_with: /);
    expect(active('{ source { X } filter { coalesce(A, B, C, $0D) } }')).toMatch(/^coalesce: .*…/);
  });

  test.each([
    '{ source { X } filter { starts_with(A)$0 } }',
    '{ source { X } filter { nothing($0) } }',
    '{ source { X } filter { (A$0) } }',
    '$0',
  ])('none at: %s', (text) => expect(active(text)).toBeUndefined());
});

describe('structure', () => {
  test('document symbols: blocks, sources, result columns', () => {
    const { query } = analyzeMarked(
      '{ source { CFG_BUCKETS b with CFG_KEYS k, array_to_rows(b.RESOURCE_CONFIG:a) as (x) } filter { x = 1 } return distinct { b.ARN, x:y as Y } }',
    );
    const names = documentSymbols(query).map(({ name, children }) => [name, children.map((child) => child.name)]);
    expect(names).toEqual([
      ['source', ['CFG_BUCKETS', 'x']],
      ['filter', []],
      ['return distinct', ['b.ARN', 'Y']],
    ]);
  });

  test('document symbols of the named form and of a union', () => {
    expect(documentSymbols(analyzeMarked('Old { source { A } return { X } }').query).map(({ name }) => name)).toEqual([
      'Old',
    ]);
    const union = analyzeMarked('union { { source { A } return { X } }, { source { A } return { Y } } }').query;
    expect(documentSymbols(union).map(({ name, detail }) => [name, detail])).toEqual([
      ['query 1', 'union'],
      ['query 2', 'union'],
    ]);
  });

  test('every symbol holds its name', () => {
    const { query } = analyzeMarked('{ source { CFG_BUCKETS b, } filter { } return { , b.ARN as } }');
    const check = (symbols: ReturnType<typeof documentSymbols>): void => {
      for (const { range, selection, children, name } of symbols) {
        expect(name).not.toBe('');
        expect(range.start).toBeLessThanOrEqual(selection.start);
        expect(selection.end).toBeLessThanOrEqual(range.end);
        check(children);
      }
    };
    check(documentSymbols(query));
  });

  test('folding: blocks of three lines and more, comments', () => {
    const { query } = analyzeMarked(
      '-- one\n-- two\n{\n  source {\n    A\n  }\n  filter { B\n  }\n  /* a\n  b */\n}\n',
    );
    const folded = foldingRanges(query).map(({ range, kind }) => [kind, query.text.slice(range.start, range.end)]);
    expect(folded).toEqual([
      ['comment', '-- one\n-- two'],
      ['block', expect.stringMatching(/^\{\n {2}source[\s\S]*b \*\/$/)],
      ['block', '{\n    A'],
      ['comment', '/* a\n  b */'],
    ]);
  });

  test('selection grows from the word to the file', () => {
    const { query, offset } = analyzeMarked("{ source { A } filter { lower(NA$0ME) = 'x' } return { B } }");
    const texts = selectionRanges(query, offset).map(({ start, end }) => query.text.slice(start, end));
    expect(texts.slice(0, 3)).toEqual(['NAME', 'lower(NAME)', "lower(NAME) = 'x'"]);
    expect(texts.at(-1)).toBe(query.text);
    for (let i = 1; i < texts.length; i++) expect(texts[i]?.length).toBeGreaterThan(texts[i - 1]?.length ?? 0);
  });

  test('semantic tokens: what each name is', () => {
    const { query } = analyzeMarked(
      '{ source { AuditEvents e, array_to_rows(e.EVENT:items) as (i) } return { lower(i:a)::String as A, e.INSERT_ID } }',
    );
    const tokens = semanticTokens(query, functions).map(
      ({ range, kind }) => `${kind} ${query.text.slice(range.start, range.end)}`,
    );
    expect(tokens).toEqual([
      'datasource AuditEvents',
      'alias e',
      'function array_to_rows',
      'alias e',
      'column EVENT',
      'key items',
      'expansion i',
      'function lower',
      'expansion i',
      'key a',
      'type String',
      'column A',
      'alias e',
      'column INSERT_ID',
    ]);
  });

  test('inlay hints name literal arguments', () => {
    const { query } = analyzeMarked("{ source { A } return { substring(B, 1, 2) as S, lower('x') as L } }");
    const hints = inlayHints(query, { start: 0, end: query.text.length }, functions);
    expect(hints.map(({ offset, label }) => `${label}${query.text.slice(offset, offset + 1)}`)).toEqual([
      'start:1',
      'length:2',
    ]);
  });
});
