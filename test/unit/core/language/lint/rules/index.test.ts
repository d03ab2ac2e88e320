import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../../../server/core/language/diagnostics/diagnostic.ts';
import { analyzeText, fixAllEdits } from '../../../../../../server/core/language/language-service.ts';
import { readLintConfig } from '../../../../../../server/core/language/lint/config.ts';
import { allDiagnostics } from '../../../../../../server/core/language/lint/lint.ts';
import { rules } from '../../../../../../server/core/language/lint/rules/index.ts';
import { analyze } from '../../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../../server/core/text/edits.ts';
import { parseMarkers } from '../../../../../harness/markers.ts';
import { smallCatalog } from '../../../../../support/small-catalog.ts';

const small = smallCatalog();
const volumes = small.datasources.get('SVC_CFG_AWS_S3');
if (volumes?.columns === undefined) throw new Error('the small catalog has no SVC_CFG_AWS_S3');
/** The small catalog, with the keys of one JSON column as a schema lists them. */
const catalog = {
  ...small,
  datasources: new Map(small.datasources).set('SVC_CFG_AWS_S3', {
    ...volumes,
    columns: volumes.columns.map((column) =>
      column.name === 'RESOURCE_CONFIG'
        ? {
            ...column,
            properties: [
              { name: 'Name', type: 'string' as const, description: undefined },
              {
                name: 'Owner',
                type: 'json' as const,
                description: undefined,
                properties: [{ name: 'DisplayName', type: 'string' as const, description: undefined }],
              },
            ],
          }
        : column,
    ),
  }),
};

function run(text: string, ruleId: string, setting: unknown = 'warning', queryId?: string): readonly Diagnostic[] {
  const { config, problems } = readLintConfig({ rules: { [ruleId]: setting } });
  expect(problems).toEqual([]);
  const parsed = parse(text);
  const model = analyze(parsed, { catalog, vendorPrefix: 'SVC' });
  const options = queryId === undefined ? { config } : { config, queryId };
  return allDiagnostics(parsed, model, options).filter((finding) => finding.code === ruleId);
}

const q = (filter: string): string => `{ source { CloudTrailRawEvents } filter { ${filter} } return { EVENT } }`;

/** Marked texts a rule; an unmarked one is silent. The second entry, where given, is the text after the first fix. */
const cases: Readonly<Record<string, readonly (string | readonly [marked: string, fixed: string])[]>> = {
  'rlike-without-wildcard': [
    [q("EVENT_NAME rlike <|'^Delete'|>"), q("EVENT_NAME rlike 'Delete.*'")],
    [q("EVENT_NAME rlike <|s'Bucket$'|>"), q("EVENT_NAME rlike s'.*Bucket'")],
    [q("EVENT_NAME rlike <|'a\\.b'|>"), q("EVENT_NAME rlike '.*a\\.b.*'")],
    q("EVENT_NAME rlike any ('a.*', <|'b'|>)"),
    q("EVENT_NAME rlike <|'^Delete$'|>"),
    q("EVENT_NAME rlike 'ap-.*' or EVENT_NAME rlike 'a|b' or EVENT_NAME rlike '[0-9]+' or EVENT_NAME rlike lower('x')"),
  ],
  'like-without-wildcard': [
    [q("EVENT_NAME like <|'Delete'|>"), q("EVENT_NAME like '%Delete%'")],
    q("EVENT_NAME not like any ('a%', <|'b'|>)"),
    [q('EVENT_NAME ilike <|"x"|>'), q('EVENT_NAME ilike "%x%"')],
    q("EVENT_NAME like 'a%' and EVENT_NAME like ('_b') and EVENT_NAME rlike 'x'"),
  ],
  'wrong-wildcard': [
    [q("EVENT_NAME like <|'.*a.*'|>"), q("EVENT_NAME rlike '.*a.*'")],
    [q("EVENT_NAME not like <|'a.*'|>"), q("EVENT_NAME not rlike 'a.*'")],
    [q("EVENT_NAME rlike <|'%a%'|>"), q("EVENT_NAME rlike '.*a.*'")],
    q("EVENT_NAME like '%a.*b%' or EVENT_NAME rlike '.*50%x.*'"),
  ],
  'pattern-matches-everything': [
    [q("ERROR_CODE like <|'%'|>"), q('ERROR_CODE is not null')],
    [q("ERROR_CODE rlike <|'.*'|>"), q('ERROR_CODE is not null')],
    q("ERROR_CODE not like <|'%%'|>"),
    q("ERROR_CODE like '%a' or ERROR_CODE like '_'"),
  ],
  'rlike-unsupported-syntax': [
    [q("EVENT_NAME rlike <|s'\\d+'|>"), q("EVENT_NAME rlike s'[0-9]+'")],
    [q("EVENT_NAME rlike <|'a\\W[\\s,]+.*?b'|>"), q("EVENT_NAME rlike s'a[^A-Za-z0-9_][[:space:],]+.*b'")],
    q("EVENT_NAME rlike <|'(?i)x.*'|>"),
    q("EVENT_NAME rlike s'[[:digit:]]+\\.x' or EVENT_NAME like '%(?%'"),
  ],
  'comparison-with-null': [
    [q('<|ERROR_CODE = null|>'), q('ERROR_CODE is null')],
    [q('<|null <> ERROR_CODE|>'), q('ERROR_CODE is not null')],
    q('<|INSERT_ID > null|>'),
    q("ERROR_CODE is null or ERROR_CODE = 'null'"),
  ],
  'never-true': [
    q("EVENT_NAME = 'a' and ERROR_CODE is null and <|EVENT_NAME = 'b'|>"),
    q('INSERT_ID > 5 and <|INSERT_ID < 3|>'),
    q('INSERT_ID > 5 and <|INSERT_ID = 3|>'),
    q('INSERT_ID = 9 and <|INSERT_ID <= 3|>'),
    q('(INSERT_ID >= 5 and <|(INSERT_ID < 5)|>)'),
    q('<|1 = 2|>'),
    [q('INSERT_ID between <|10 and 2|>'), q('INSERT_ID between 2 and 10')],
    q(
      "EVENT_NAME = 'a' and ERROR_CODE = 'b' and INSERT_ID > 5 and INSERT_ID > 7 and INSERT_ID < 9 and INSERT_ID between 1 and 2",
    ),
    q("EVENT_NAME = 'a' or EVENT_NAME = 'b'"),
    q("EVENT:a = 'x' and EVENT:A = 'y'"),
  ],
  'always-true': [
    q("<|EVENT_NAME <> 'a' or EVENT_NAME <> 'b'|>"),
    q('<|1 = 1|>'),
    q('<|true|>'),
    q('<|EVENT_NAME = EVENT_NAME|>'),
    q("EVENT_NAME <> 'a' and EVENT_NAME <> 'b' or ERROR_CODE <> 'a'"),
    q('EVENT:a = EVENT:A'),
  ],
  'case-never-matches': [
    [q("lower(EVENT_NAME) = <|'Delete'|>"), q("lower(EVENT_NAME) = 'delete'")],
    q("upper(EVENT_NAME) in ('A', <|'b'|>)"),
    q("contains(lower(EVENT), <|s'Admin'|>)"),
    q("lower(EVENT_NAME) like <|'%X%'|>"),
    q("char_index(<|'X'|>, lower(EVENT_NAME)) > 0"),
    q("lower(EVENT_NAME) = 'x1-_' and lower(EVENT_NAME) ilike '%X%' and EVENT_NAME = 'X'"),
  ],
  'json-boolean-cast': [
    [q('EVENT:a<|::Boolean|> = false'), q("EVENT:a = 'false'")],
    q("EVENT:a<|::boolean|> and EVENT:b = 'true'"),
    q("EVENT:a::string = 'true'"),
  ],
  'json-key-case': [
    [
      '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:<|name|> is null } return { ARN } }',
      '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:Name is null } return { ARN } }',
    ],
    '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:Owner.<|"displayname"|> is null } return { ARN } }',
    '{ source { SVC_CFG_AWS_S3 b } filter { b.RESOURCE_CONFIG:Owner.DisplayName = b.RESOURCE_CONFIG:Else.name } return { ARN } }',
  ],
  'missing-distinct': [
    [
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { x:b = 1 } <|return|> { e.EVENT } }',
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { x:b = 1 } return distinct { e.EVENT } }',
    ],
    '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } filter { p.MID = 1 } <|return|> { m.HOSTNAME } }',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } return { e.EVENT, x } }',
    '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.CMDLINE } }',
    '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return { m.HOSTNAME, p.CMDLINE } }',
  ],
  'unused-source-alias': [
    [
      '{ source { CloudTrailRawEvents <|e|> } return { EVENT } }',
      '{ source { CloudTrailRawEvents } return { EVENT } }',
    ],
    [
      '{ source { CloudTrailRawEvents as <|e|> } return { EVENT } }',
      '{ source { CloudTrailRawEvents } return { EVENT } }',
    ],
    '{ source { CloudTrailRawEvents e } return { e.* } }',
    '{ source { CloudTrailRawEvents e } return { EVENT, e.EVENT_NAME } }',
    '{ source { CloudTrailRawEvents e } return { NOPE } }',
  ],
  'unused-expansion': [
    [
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (<|x|>) } return distinct { e.EVENT } }',
      '{ source { CloudTrailRawEvents e } return distinct { e.EVENT } }',
    ],
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x), array_to_rows(x:b) as (<|y|>) } return distinct { e.EVENT } }',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { x is null } return distinct { e.EVENT } }',
  ],
  'unused-join': [
    [
      '{ source { SVC_HE_PROCESSES p with <|SVC_HE_MACHINES m|> } return { p.CMDLINE } }',
      '{ source { SVC_HE_PROCESSES p } return { p.CMDLINE } }',
    ],
    [
      "{ source { SVC_HE_MACHINES m with (SVC_HE_PROCESSES p, <|SVC_HE_FILES f|> on 'files') } return { m.MID, p.CMDLINE } }",
      '{ source { SVC_HE_MACHINES m with (SVC_HE_PROCESSES p) } return { m.MID, p.CMDLINE } }',
    ],
    '{ source { SVC_HE_FILES f with SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { f.PATH, p.CMDLINE } }',
    '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.CMDLINE, HOSTNAME } }',
  ],
  'cross-join': [
    [
      '{ source { SVC_HE_PROCESSES p, <|SVC_HE_MACHINES|> m } return { p.MID, m.HOSTNAME } }',
      '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.MID, m.HOSTNAME } }',
    ],
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } return { x } }',
  ],
  'wildcard-in-function': [
    [q("contains(EVENT_NAME, <|'%Delete%'|>)"), q("contains(EVENT_NAME, 'Delete')")],
    [q("starts_with(EVENT_NAME, <|'Delete.*'|>)"), q("starts_with(EVENT_NAME, 'Delete')")],
    q("contains(EVENT_NAME, '50% off') and contains(EVENT_NAME, 'a.*b')"),
  ],
  'query-id-in-text': [
    [
      '<|Q1|> { source { CloudTrailRawEvents } return { EVENT } }',
      '{ source { CloudTrailRawEvents } return { EVENT } }',
    ],
    '{ source { CloudTrailRawEvents } return { EVENT } }',
  ],
  'reserved-id-prefix': [
    '<|SVC_Global_X|> { source { CloudTrailRawEvents } return { EVENT } }',
    '<|LW_Global_X|> { source { CloudTrailRawEvents } return { EVENT } }',
    'Acme_Global_X { source { CloudTrailRawEvents } return { EVENT } }',
  ],
  'text-near-limit': ['{ source { CloudTrailRawEvents } return { EVENT } }'],
  'wide-like': [
    q("<|EVENT|> like '%x%'"),
    q("contains(<|lower(EVENT)|>, 'x')"),
    q("<|EVENT|> not like any ('%x%', '%y%')"),
    q("EVENT:a like '%x%' or EVENT like 'x%' or EVENT_NAME like '%x%' or EVENT::string like '%x%'"),
    "{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { x like '%a%' } return distinct { x } }",
  ],
  'redundant-cast': [
    [q("EVENT_NAME<|::string|> = 'a'"), q("EVENT_NAME = 'a'")],
    [q('EVENT:a::number<|::Number|> = 1'), q('EVENT:a::number = 1')],
    q("EVENT:a::string = 'a'"),
  ],
  'unreachable-case-branch': [
    [
      "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'a' when <|ERROR_CODE IS null|> then 'b' end as X } }",
      "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'a' end as X } }",
    ],
    [
      "{ source { CloudTrailRawEvents } return { case when true then 'a' <|when ERROR_CODE is null then 'b'|> end as X } }",
      "{ source { CloudTrailRawEvents } return { case when true then 'a' end as X } }",
    ],
    [
      "{ source { CloudTrailRawEvents } return { case when true then 'a' else <|'b'|> end as X } }",
      "{ source { CloudTrailRawEvents } return { case when true then 'a' end as X } }",
    ],
    "{ source { CloudTrailRawEvents } return { case EVENT_NAME when 'a' then 1 when 'b' then 2 else 3 end as X } }",
    "{ source { CloudTrailRawEvents } return { case EVENT_NAME when 'a' then 1 when <|'a'|> then 2 end as X } }",
  ],
  'deprecated-function': [
    [q('EVENT_TIME < <|current_timestamp|>()'), q('EVENT_TIME < sec_to_timestamp(current_timestamp_sec())')],
    q('diff_days(EVENT_TIME, current_timestamp_sec()::timestamp) > 1'),
  ],
  'legacy-string-escape': [
    [q("EVENT_NAME rlike <|'.*\\.x'|>"), q("EVENT_NAME rlike s'.*\\.x'")],
    q("EVENT_NAME rlike s'\\.x' and EVENT_NAME = 'x'"),
  ],
  'prefer-s-string': [
    [q("EVENT_NAME = <|'it''s'|>"), q("EVENT_NAME = s'it''s'")],
    q('EVENT_NAME = s\'a\' and EVENT_NAME <> "b"'),
    "{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m on '(default)' } return { m.MID } }",
  ],
  'result-column-naming': [
    [
      '{ source { CloudTrailRawEvents } return { EVENT_NAME as <|event_name|> } }',
      '{ source { CloudTrailRawEvents } return { EVENT_NAME as EVENT_NAME } }',
    ],
    [
      '{ source { CloudTrailRawEvents } return { EVENT_NAME as <|eventName|> } }',
      '{ source { CloudTrailRawEvents } return { EVENT_NAME as EVENT_NAME } }',
    ],
    '{ source { CloudTrailRawEvents } return { EVENT_NAME as X1_Y2, EVENT } }',
  ],
  'required-columns': [
    '{ source { SVC_CFG_AWS_S3 } <|return|> { ARN } }',
    '{ source { SVC_CFG_AWS_S3 } return { ARN as resource_key } }',
    '{ source { CloudTrailRawEvents } return { EVENT } }',
  ],
  'negated-comparison': [
    [q("<|not|> (EVENT_NAME = 'a')"), q("EVENT_NAME <> 'a'")],
    [q("<|not|> EVENT_NAME in ('a', 'b')"), q("EVENT_NAME not in ('a', 'b')")],
    [q("<|not|> (EVENT_NAME like 'a%')"), q("EVENT_NAME not like 'a%'")],
    [q('<|not|> ERROR_CODE is null'), q('ERROR_CODE is not null')],
    q("not (EVENT_NAME = 'a' and ERROR_CODE is null) or not contains(EVENT_NAME, 'a') or not EVENT:x is json null"),
  ],
  'double-negation': [
    [q("<|not not|> contains(EVENT_NAME, 'a')"), q("contains(EVENT_NAME, 'a')")],
    q("not contains(EVENT_NAME, 'a')"),
  ],
  'duplicate-in-list': [
    [q("EVENT_NAME in ('a', 'b', <|'a'|>)"), q("EVENT_NAME in ('a', 'b')")],
    [q("EVENT_NAME in ('a', <|s'a'|>)"), q("EVENT_NAME in ('a')")],
    q("EVENT_NAME in ('a', 'A')"),
  ],
  'single-value-list': [
    [q("EVENT_NAME <|in|> ('a')"), q("EVENT_NAME = 'a'")],
    [q("EVENT_NAME <|not in|> ('a')"), q("EVENT_NAME <> 'a'")],
    q("EVENT_NAME in ('a', 'b')"),
  ],
  'or-chain': [
    [q("<|EVENT_NAME = 'a' or EVENT_NAME = 'b' or (EVENT_NAME = 'c')|>"), q("EVENT_NAME in ('a', 'b', 'c')")],
    q("EVENT_NAME = 'a' or EVENT_NAME = 'b'"),
    q("EVENT_NAME = 'a' or EVENT_NAME = 'b' or ERROR_CODE = 'c'"),
    q("EVENT:x = 'a' or EVENT:x = 'b' or EVENT:x = 1"),
  ],
  'duplicate-condition': [
    [q("EVENT_NAME = 'a' or <|EVENT_NAME  =  'a'|>"), q("EVENT_NAME = 'a'")],
    [
      q("contains(EVENT_NAME, 'a') and ERROR_CODE is null and <|CONTAINS(EVENT_NAME, 'a')|>"),
      q("contains(EVENT_NAME, 'a') and ERROR_CODE is null"),
    ],
    [
      q("EVENT_NAME = 'a' and (<|EVENT_NAME = 'a'|> and ERROR_CODE is null)"),
      q("EVENT_NAME = 'a' and (ERROR_CODE is null)"),
    ],
    q("EVENT_NAME = 'a' or EVENT_NAME = 'A'"),
  ],
  'star-return': [
    ['{ source { SVC_HE_FILES f } return { <|f.*|> } }', '{ source { SVC_HE_FILES f } return { f.MID, f.PATH } }'],
    '{ source { SVC_HE_FILES f } return { f.MID } }',
  ],
  'unqualified-column': [
    [
      '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { <|CMDLINE|>, m.HOSTNAME } }',
      '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.CMDLINE, m.HOSTNAME } }',
    ],
    '{ source { SVC_HE_PROCESSES p } return { CMDLINE } }',
  ],
  'reversed-diff': [
    [
      q('diff_days(<|current_timestamp_sec()::timestamp, EVENT_TIME|>) > 30'),
      q('diff_days(EVENT_TIME, current_timestamp_sec()::timestamp) > 30'),
    ],
    q('diff_days(EVENT_TIME, current_timestamp_sec()::timestamp) > 30'),
    q('diff_days(current_timestamp_sec()::timestamp, EVENT:notAfter::timestamp) > 30'),
    q('diff_days(current_timestamp_sec()::timestamp, EVENT_TIME) < 30'),
  ],
  'char-index-base': [
    [q("char_index('a', EVENT_NAME) <|>= 0|>"), q("char_index('a', EVENT_NAME) > 0")],
    [q("char_index('a', EVENT_NAME) <|= -1|>"), q("char_index('a', EVENT_NAME) = 0")],
    [q("char_index('a', EVENT_NAME) <|> -1|>"), q("char_index('a', EVENT_NAME) > 0")],
    q("char_index('a', EVENT_NAME) > 0"),
  ],
  'boolean-result': [
    [
      '{ source { CloudTrailRawEvents } return { <|ERROR_CODE is null|> as OK } }',
      "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'true' else 'false' end as OK } }",
    ],
    '{ source { CloudTrailRawEvents } return { EVENT:flag as OK } }',
  ],
};

describe('lint rules', () => {
  it('are what the tables of cases are about', () => {
    const ids = rules.map((rule) => rule.id);
    expect(Object.keys(cases).filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.length).toBeGreaterThanOrEqual(25);
  });

  const flat = Object.entries(cases).flatMap(([id, list]) => list.map((entry) => [id, entry] as const));

  it.each(flat)('%s: %s', (id, entry) => {
    const [marked, fixed] = typeof entry === 'string' ? [entry] : entry;
    const { text, ranges } = parseMarkers(marked);
    expect(parse(text).diagnostics).toEqual([]);
    const found = run(text, id);
    expect(found.map(({ range }) => [range.start, range.end])).toEqual(ranges.map(({ start, end }) => [start, end]));
    expect(found.every((each) => /[.]$/.test(each.message))).toBe(true);
    if (fixed !== undefined) expect(applyEdits(text, found[0]?.fixes[0]?.edits ?? [])).toBe(fixed);
  });

  // One test a rule, which names all that a new rule still lacks.
  it.each(rules)('$id has its words, its examples and its cases', (rule) => {
    const isLong = rule.id === 'text-near-limit'; // Its bad example would be a text of 60,000 characters.
    const wanted: Readonly<Record<string, boolean>> = {
      'a title without a full stop': /[^.]$/.test(rule.title),
      'why it matters': rule.why.length > 30,
      'what to do, as a sentence': /[.]$/.test(rule.whatToDo),
      'a bad example that it reports': isLong || run(rule.bad, rule.id).length > 0,
      'a good example that it does not report': run(rule.good, rule.id).length === 0,
      'a good example without syntax errors': parse(rule.good).diagnostics.length === 0,
      'a table of cases in this file': (cases[rule.id]?.length ?? 0) > 0,
    };
    expect(Object.keys(wanted).filter((what) => !wanted[what])).toEqual([]);
  });

  it('every fix gives a text without syntax errors and without the finding', () => {
    for (const [id, list] of Object.entries(cases)) {
      for (const entry of list) {
        const { text } = parseMarkers(typeof entry === 'string' ? entry : entry[0]);
        for (const finding of run(text, id)) {
          for (const fix of finding.fixes) {
            const after = applyEdits(text, fix.edits);
            expect([id, after, parse(after).diagnostics]).toEqual([id, after, []]);
            const messages = run(text, id).map(({ message }) => message);
            const left = run(after, id).map(({ message }) => message);
            // What only the removed part used can come into sight.
            const count = (list: readonly string[]): number => list.filter((each) => each === finding.message).length;
            expect([id, after, count(left)]).toEqual([id, after, count(messages) - 1]);
          }
        }
      }
    }
  });
});

describe('fixes in texts without blanks', () => {
  it.each([
    ['INSERT_ID in(1)and ERROR_CODE is null', 'INSERT_ID = 1 and ERROR_CODE is null'],
    ["not(not(EVENT_NAME='a'))", "(EVENT_NAME='a')"],
    ["ERROR_CODE is null or EVENT_NAME='a'or(EVENT_NAME='b')or EVENT_NAME='c'", undefined],
    ["EVENT_NAME like'a%'and ERROR_CODE=null", "EVENT_NAME like'a%'and ERROR_CODE is null"],
  ])('%s', (filter, fixed) => {
    const text = q(filter);
    const edits = fixAllEdits(analyzeText(text, { catalog, vendorPrefix: 'SVC' }).diagnostics);
    const after = applyEdits(text, edits);
    expect(parse(after).diagnostics).toEqual([]);
    if (fixed !== undefined) expect(after).toBe(q(fixed));
  });
});

describe('options of rules', () => {
  it('text-near-limit counts without comments', () => {
    const values = Array.from({ length: 6_900 }, (_, i) => `'${String(i).padStart(6, '0')}'`).join(', ');
    const long = q(`EVENT_NAME in (${values})`);
    expect(long.length).toBeGreaterThan(68_000);
    expect(run(long, 'text-near-limit').length).toBe(1);
    expect(run(`/* ${'x'.repeat(72_000)} */ ${q('EVENT_NAME is null')}`, 'text-near-limit')).toEqual([]);
    expect(run(q('EVENT_NAME is null'), 'text-near-limit', { near: 20, limit: 30 })[0]?.message).toContain(
      'more than the 30',
    );
  });

  it('required-columns takes columns and datasources', () => {
    const setting = { columns: ['EVENT', 'INSERT_ID'], datasources: ['CloudTrail*'] };
    expect(
      run('{ source { CloudTrailRawEvents } return { EVENT } }', 'required-columns', setting)[0]?.message,
    ).toContain('INSERT_ID');
  });

  it('star-return is safe to mend only where no other column has one of the names', () => {
    const safe = (items: string): readonly boolean[] =>
      run(`{ source { SVC_HE_FILES f } return { ${items} } }`, 'star-return').flatMap(({ fixes }) =>
        fixes.map((fix) => fix.safe),
      );
    expect([safe('f.*'), safe('f.*, f.PATH'), safe('f.PATH as mid, f.*')]).toEqual([[true], [false], [false]]);
  });

  it('or-chain takes a number', () => {
    expect(run(q("EVENT_NAME = 'a' or EVENT_NAME = 'b'"), 'or-chain', { atLeast: 2 }).length).toBe(1);
  });

  it('result-column-naming takes a style', () => {
    expect(
      run('{ source { CloudTrailRawEvents } return { EVENT as X_Y } }', 'result-column-naming', { style: 'lower' })
        .length,
    ).toBe(1);
    expect(
      run('{ source { CloudTrailRawEvents } return { EVENT as xY } }', 'result-column-naming', { style: 'camel' }),
    ).toEqual([]);
  });

  it('query-id-in-text and reserved-id-prefix know the id beside the text', () => {
    const [finding] = run('Q1 { source { CloudTrailRawEvents } return { EVENT } }', 'query-id-in-text', 'info', 'Q2');
    expect(finding?.message).toContain("'Q2'");
    expect(finding?.fixes[0]?.safe).toBe(false);
    expect(
      run('{ source { CloudTrailRawEvents } return { EVENT } }', 'reserved-id-prefix', 'error', 'SVC_Global_1')[0]
        ?.severity,
    ).toBe('error');
  });
});
