import { describe, expect, it } from 'vitest';
import { findRegions } from '../../../../../server/core/documents/find-regions.ts';
import { checkResources } from '../../../../../server/core/documents/resources/check-resources.ts';
import { silenceInYaml, suppressInYaml } from '../../../../../server/core/documents/suppress-in-yaml.ts';
import type { Diagnostic } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { readLintConfig } from '../../../../../server/core/language/lint/config.ts';
import { allDiagnostics, type LintOptions } from '../../../../../server/core/language/lint/lint.ts';
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

describe('suppressions in YAML', () => {
  const policy = (comment: string, tail = ''): string =>
    `policyId: $account-a-1\ntitle: t\nenabled: true\npolicyType: Violation\n${comment}colour: red\ndescription: d\nremediation: r\nseverity: high\nalertEnabled: false\nqueryId: Q\n${tail}`;
  const found = (text: string): readonly Diagnostic[] =>
    suppressInYaml(text, checkResources(text), findRegions(text, 'yaml'));
  const codesOf = (text: string): readonly string[] => found(text).map(({ code }) => code);

  it.each([
    '# lql-disable-next-line unknown-field: the importer of another team reads it\n',
    '# lql-disable-next-line unknown-field: read by others\n\n  # and a word between\n',
    '# lql-disable-file unknown-field: read by others\n',
  ])('silence what is wrong with objects: %j', (comment) => {
    expect(codesOf(policy('# plain\n'))).toEqual(['unknown-field']);
    expect(codesOf(policy(comment))).toEqual([]);
    expect(codesOf(policy(comment).replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it('silence the line they stand on', () => {
    expect(codesOf(policy('').replace('red', 'red # lql-disable-line unknown-field: read by others'))).toEqual([]);
  });

  it('are reported without a reason, unused, or of no known code, in their own form', () => {
    const [reasonless] = found(policy('# lql-disable-next-line unknown-field\n'));
    expect([reasonless?.code, reasonless?.message]).toEqual([
      'suppression-without-reason',
      expect.stringContaining("'# lql-disable-next-line"),
    ]);
    const unused = policy('# lql-disable-next-line missing-field: why\n');
    const first = found(unused).find(({ code }) => code !== 'unknown-field');
    expect(first?.code).toBe('unused-suppression');
    expect(codesOf(applyEdits(unused, first?.fixes[0]?.edits ?? []))).toEqual(['unknown-field']);
    expect(codesOf(policy('# lql-disable-next-line unknown-fields: why\n'))).toContain('invalid-suppression');
  });

  it('are no business of the query in the document', () => {
    const tail = 'queryText: |-\n  { source { A } -- # lql-disable-file unknown-field: why\n  return { X } }\n';
    expect(codesOf(policy('', tail))).toEqual(['unknown-field']);
  });

  it('are offered by an edit', () => {
    const text = policy('');
    const [diagnostic] = found(text);
    const edit = diagnostic && silenceInYaml(text, diagnostic);
    const silenced = edit === undefined ? text : applyEdits(text, [edit]);
    expect(silenced).toContain('\n# lql-disable-next-line unknown-field: \ncolour');
    expect(codesOf(silenced.replace(': \n', ': why\n'))).toEqual([]);
  });
});

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
