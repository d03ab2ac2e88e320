import { describe, expect, it } from 'vitest';
import { readLintConfig } from '../../../../../server/core/language/lint/config.ts';
import { allDiagnostics, type LintOptions, lint } from '../../../../../server/core/language/lint/lint.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { smallCatalog } from '../../../../support/small-catalog.ts';

const catalog = smallCatalog();

function all(text: string, options: LintOptions = {}) {
  const parsed = parse(text);
  return allDiagnostics(parsed, analyze(parsed, { catalog, vendorPrefix: 'SVC' }), options);
}

const codes = (text: string, options?: LintOptions): readonly string[] => all(text, options).map((each) => each.code);

const body = (comment: string, condition = "EVENT_NAME like 'Delete'"): string =>
  `{\n  source { CloudTrailRawEvents }\n  filter {\n    ${comment}\n    ${condition}\n  }\n  return { EVENT }\n}`;

describe('suppressions', () => {
  it.each([
    '-- lql-disable-next-line like-without-wildcard: complete name',
    '// lql-disable-next-line like-without-wildcard: complete name',
    '/* lql-disable-next-line like-without-wildcard: complete name */',
    '-- lql-disable-next-line like-without-wildcard: complete name\n\n    -- and a word between',
    '-- lql-disable-file like-without-wildcard: complete names',
  ])('silence a rule: %s', (comment) => {
    expect(codes(body('-- plain'))).toEqual(['like-without-wildcard']);
    expect(codes(body(comment))).toEqual([]);
  });

  it('silence the line they stand on', () => {
    expect(
      codes(body('', "EVENT_NAME like 'Delete' -- lql-disable-line like-without-wildcard: complete name")),
    ).toEqual([]);
  });

  it('silence several codes, semantic ones among them, but no syntax errors', () => {
    const comment = '-- lql-disable-next-line unknown-column, like-without-wildcard: not in the catalog yet';
    expect(codes(body(comment, "NEW_COLUMN like 'Delete'"))).toEqual([]);
    expect(codes(body('-- lql-disable-next-line missing-expression: no', 'EVENT_NAME =')).toSorted()).toEqual([
      'invalid-suppression',
      'missing-expression',
    ]);
  });

  it('report their uselessness, with a fix that removes the comment', () => {
    const text = body('-- lql-disable-next-line never-true: was needed once', "EVENT_NAME like 'Delete%'");
    const [finding, ...more] = all(text);
    expect(more).toEqual([]);
    expect(finding?.code).toBe('unused-suppression');
    expect(applyEdits(text, finding?.fixes[0]?.edits ?? [])).not.toContain('lql-disable');
  });

  it('are not called useless while their rule does not run', () => {
    const comment = '-- lql-disable-next-line like-without-wildcard: complete name';
    const off = readLintConfig({ rules: { 'like-without-wildcard': 'off' } }).config;
    expect(codes(body(comment), { config: off })).toEqual([]);
    const waiting = body('-- lql-disable-next-line missing-distinct: wanted', 'NOPE = 1');
    expect(codes(waiting)).toEqual(['unknown-column']);
  });

  it('must give a reason and name a rule', () => {
    expect(codes(body('-- lql-disable-next-line like-without-wildcard'))).toEqual(['suppression-without-reason']);
    expect(codes(body('-- lql-disable-next-line like-wildcard: x')).toSorted()).toEqual([
      'invalid-suppression',
      'like-without-wildcard',
    ]);
    expect(codes(body('-- lql-disable-next-line'))).toContain('invalid-suppression');
  });

  it('leave other lines alone', () => {
    const text = body(
      '-- lql-disable-next-line like-without-wildcard: x',
      "EVENT_NAME like 'a'\n and EVENT_NAME like 'b'",
    );
    expect(all(text).map((each) => text.slice(each.range.start, each.range.end))).toEqual(["'b'"]);
  });
});

describe('lint', () => {
  it('judges no suppression of a code it does not report itself', () => {
    const parsed = parse(body('-- lql-disable-next-line unknown-column: later', 'NOPE = 1'));
    expect(lint(parsed, analyze(parsed, { catalog, vendorPrefix: 'SVC' }), {})).toEqual([]);
  });

  it('is silent in ignored files', () => {
    const { config } = readLintConfig({ ignore: ['vendor/**'] });
    expect(codes(body(''), { config, path: 'vendor/a.lql' })).toEqual([]);
    expect(codes(body(''), { config, path: 'mine/a.lql' })).toEqual(['like-without-wildcard']);
  });

  it('lets rules about whole queries wait until nothing is wrong', () => {
    const unused =
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { $ } return distinct { e.EVENT } }';
    expect(codes(unused.replace('$', 'e.ERROR_CODE is null'))).toEqual(['unused-expansion']);
    expect(codes(unused.replace('$', 'e.ERROR_CODE ='))).toEqual(['missing-expression']);
  });

  it('gives everything in the order of the text', () => {
    const text = "{ source { CloudTrailRawEvents e } filter { EVENT_NAME like 'a' and NOPE != 1 } return { EVENT } }";
    expect(all(text).map((each) => each.code)).toEqual(['like-without-wildcard', 'unknown-column', 'sql-not-equal']);
  });
});
