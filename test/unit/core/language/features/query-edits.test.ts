import { describe, expect, it } from 'vitest';
import type { AnalyzedText } from '../../../../../server/core/language/features/analyzed-text.ts';
import {
  addColumn,
  addCondition,
  type QueryEdit,
  type ResultPlace,
  type ResultValue,
} from '../../../../../server/core/language/features/query-edits.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';

function analyzed(text: string): AnalyzedText {
  const parsed = parse(text);
  const model = analyze(parsed, { catalog: undefined, vendorPrefix: 'SVC' });
  return {
    text,
    parsed,
    model,
    diagnostics: parsed.diagnostics,
    catalog: undefined,
    vendorPrefix: 'SVC',
    lintOptions: {},
  };
}

function apply(text: string, edit: QueryEdit): string {
  if (edit.kind === 'refused') return edit.message;
  const result = applyEdits(text, edit.edits);
  expect(parse(result).diagnostics).toEqual([]);
  return result;
}

const condition = (text: string, place: ResultPlace, value: ResultValue, negated = false): string =>
  apply(text, addCondition(analyzed(text), place, value, negated));
const column = (text: string, place: ResultPlace): string => apply(text, addColumn(analyzed(text), place));

const text: ResultValue = { kind: 'string', text: 'x' };

describe('a condition from a value', () => {
  it('starts a filter where there is none, in the layout of the query', () => {
    expect(condition('{ source { A } return { B } }', { column: 'B', path: [] }, text)).toBe(
      "{ source { A } filter { B = 'x' } return { B } }",
    );
    expect(condition('{\n  source { A }\n  return { B }\n}', { column: 'B', path: [] }, text)).toBe(
      "{\n  source { A }\n  filter {\n    B = 'x'\n  }\n  return { B }\n}",
    );
  });
  it('joins the conditions there are, an `or` kept together', () => {
    expect(condition('{ source { A } filter { C = 1 } return { B } }', { column: 'B', path: [] }, text)).toBe(
      "{ source { A } filter { C = 1 and B = 'x' } return { B } }",
    );
    expect(condition('{ source { A } filter { C = 1 or D = 2 } return { B } }', { column: 'B', path: [] }, text)).toBe(
      "{ source { A } filter { (C = 1 or D = 2) and B = 'x' } return { B } }",
    );
  });
  it('goes by the expression behind an alias, and quotes keys that need it', () => {
    expect(
      condition('{ source { A e } return { e.EVENT as E } }', { column: 'E', path: ['user', 'type', 'a-b'] }, text),
    ).toBe(`{ source { A e } filter { e.EVENT:user."type"."a-b" = 'x' } return { e.EVENT as E } }`);
    expect(condition('{ source { A } return { E:user as U } }', { column: 'U', path: ['name'] }, text)).toBe(
      "{ source { A } filter { E:user.name = 'x' } return { E:user as U } }",
    );
  });
  it.each([
    [{ kind: 'number', text: '5644915113269064637' }, false, '= 5644915113269064637'],
    [{ kind: 'boolean', text: 'true' }, false, "= 'true'"],
    [{ kind: 'null', text: '' }, false, 'is json null'],
    [{ kind: 'null', text: '' }, true, 'is not json null'],
    [{ kind: 'string', text: "it's" }, true, "<> s'it''s'"],
  ] as const)('writes %j (negated %s) as a literal', (value, negated, expected) => {
    expect(condition('{ source { A } return { B } }', { column: 'B', path: ['k'] }, value, negated)).toContain(
      `B:k ${expected}`,
    );
  });
  it('is refused with a reason where it cannot be written', () => {
    const query = '{ source { A } return { lower(B) as C } }';
    expect(condition(query, { column: 'C', path: ['k'] }, text)).toContain('C is computed');
    expect(condition(query, { column: 'GONE', path: [] }, text)).toContain('no result column GONE');
    expect(condition(query, { column: 'C', path: [] }, { kind: 'array', text: '2 items' })).toContain('no literal');
  });
});

describe('a column from a value', () => {
  it('is appended on a line of its own where the others have theirs', () => {
    expect(column('{ source { A } return {\n  B,\n  C\n} }', { column: 'C', path: ['userName'] })).toBe(
      '{ source { A } return {\n  B,\n  C,\n  C:userName as USER_NAME\n} }',
    );
  });
  it('takes a free name that is not reserved', () => {
    expect(column('{ source { A } return { B, C } }', { column: 'C', path: ['type'] })).toContain(
      'C:"type" as TYPE_VALUE',
    );
    expect(column('{ source { A } return { B, C } }', { column: 'C', path: ['b'] })).toContain('C:b as B_2');
  });
});
