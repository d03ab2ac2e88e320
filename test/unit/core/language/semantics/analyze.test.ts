import { describe, expect, it } from 'vitest';
import { semanticCodes } from '../../../../../server/core/language/diagnostics/codes/semantic-codes.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { parseMarkers } from '../../../../harness/markers.ts';
import { analyzeSmall, analyzeWithoutCatalog, smallCatalog } from '../../../../support/small-catalog.ts';

const sample = smallCatalog('sample');

const q = (filter: string): string => `{ source { CloudTrailRawEvents e } filter { ${filter} } return { e.EVENT } }`;
const r = (item: string): string => `{ source { CloudTrailRawEvents e } return { ${item} } }`;

/** One marked range a diagnostic, each with its code; an unmarked text is silent. */
const firing: readonly (readonly [code: string, marked: string])[] = [
  ['unknown-datasource', '{ source { <|CloudTrailRawEvent|> } return { EVENT } }'],
  ['unknown-datasource', '{ source { SVC_HE_MACHINES m with <|SVC_HE_PROCESES|> p } return { m.MID } }'],
  ['unknown-column', '{ source { CloudTrailRawEvents } return { <|EVNT|> } }'],
  ['unknown-column', '{ source { CloudTrailRawEvents e } return { e.<|EVNT|> } }'],
  ['unknown-column', '{ source { CloudTrailRawEvents } return { <|event|> } }'],
  [
    'unknown-column',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (thing) } return distinct { <|thingy|> } }',
  ],
  ['unknown-column', q('<|TYPE_NAME|> = 1')],
  ['reserved-column-name', q("<|TYPE|> = 'x'")],
  ['reserved-column-name', '{ source { SVC_NO_COLUMNS_YET n } return { n.<|limit|> } }'],
  ['unknown-qualifier', '{ source { CloudTrailRawEvents e } return { <|x|>.EVENT } }'],
  ['unknown-qualifier', '{ source { CloudTrailRawEvents e } return { <|x|>.* } }'],
  ['aliased-source-name', '{ source { CloudTrailRawEvents e } return { <|CloudTrailRawEvents|>.EVENT } }'],
  ['aliased-source-name', '{ source { CloudTrailRawEvents e } return { <|CloudTrailRawEvents|>.* } }'],
  ['ambiguous-column', '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { <|MID|> } }'],
  [
    'outer-name-in-subquery',
    q('e.INSERT_ID in { source { SVC_HE_MACHINES m } filter { <|e.EVENT_NAME|> is null } return { m.MID } }'),
  ],
  [
    'outer-name-in-subquery',
    q('e.INSERT_ID in { source { SVC_HE_MACHINES } filter { <|EVENT_NAME|> is null } return { MID } }'),
  ],
  ['name-declared-later', '{ source { array_to_rows(<|e.EVENT|>:a) as (r), CloudTrailRawEvents e } return { r } }'],
  ['name-declared-later', '{ source { array_to_rows(<|EVENT|>:a) as (r), CloudTrailRawEvents } return { r } }'],
  [
    'name-declared-later',
    '{ source { CloudTrailRawEvents e, array_to_rows(<|b|>:x) as (a), array_to_rows(e.EVENT:y) as (b) } return { a, b } }',
  ],
  ['duplicate-source-name', '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES <|p|> } return { p.MID } }'],
  [
    'duplicate-expansion-name',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x), array_to_rows(e.EVENT:b) as (<|x|>) } return { x } }',
  ],
  [
    'duplicate-expansion-name',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (<|EVENT_NAME|>) } return { e.EVENT } }',
  ],
  ['path-on-source', '{ source { CloudTrailRawEvents e } return { <|e:EVENT.name|> as N } }'],
  ['path-on-source', '{ source { SVC_NO_COLUMNS_YET e } return { <|e:EVENT.name|> as N } }'],
  ['dot-into-json', '{ source { CloudTrailRawEvents } filter { <|EVENT.name|> is null } return { EVENT } }'],
  [
    'dot-into-json',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (item) } filter { <|item.name|> is null } return distinct { e.EVENT } }',
  ],
  ['unknown-relationship', '{ source { SVC_HE_MACHINES m with <|CloudTrailRawEvents|> e } return { m.MID, e.EVENT } }'],
  [
    'unknown-relationship-name',
    "{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m on <|'mid'|> } return { p.MID } }",
  ],
  ['unknown-relationship-name', '{ source { SVC_HE_MACHINES m with <|SVC_HE_FILES|> f } return distinct { m.MID } }'],
  ['duplicate-result-column', r('e.EVENT, e.EVENT_NAME as <|event|>')],
  ['duplicate-result-column', r('e.EVENT, <|e.EVENT|>')],
  ['duplicate-result-column', r('e.EVENT, <|e.*|>')],
  ['unaliased-expression', r('<|lower(e.EVENT_NAME)|>')],
  ['unaliased-expression', r("<|'x'|>")],
  ['unaliased-expression', r('<|to_json(e.EVENT_NAME):a|>')],
  ['unaliased-path', r('<|e.EVENT:userIdentity.name|>')],
  ['path-on-non-json', r('<|e.EVENT_NAME:key|> as K')],
  ['unknown-type', r('e.EVENT:code::<|int|> as C')],
  ['unknown-type', r('e.EVENT:code::<|thing|> as C')],
  ['unsupported-cast', r('<|e.EVENT_TIME::number|> as T')],
  ['unsupported-cast', r('<|(e.EVENT_NAME is null)::string|> as T')],
  ['unknown-function', q('<|is_null|>(e.ERROR_CODE)')],
  ['unknown-function', q("<|contain|>(e.EVENT_NAME, 'x')")],
  ['unknown-function', r('<|count|>(e.EVENT) as C')],
  ['argument-count', q('<|contains(e.EVENT_NAME)|>')],
  ['argument-count', q("contains(e.EVENT_NAME, 'a', <|'b'|>)")],
  ['argument-type', r('lower(<|e.EVENT_TIME|>) as T')],
  ['argument-type', r('diff_days(e.EVENT_TIME, <|current_timestamp_sec()|>) as T')],
  ['argument-type', r('coalesce(e.EVENT_NAME, <|1|>) as T')],
  ['argument-type', '{ source { CloudTrailRawEvents e, array_to_rows(<|e.EVENT_NAME|>) as (x) } return { x } }'],
  ['expansion-in-expression', q('<|array_to_rows(e.EVENT:a)|> is null')],
  ['misplaced-tuple', q("<|(e.EVENT_NAME, e.ERROR_CODE)|> = 'x'")],
  ['operand-type', q("<|e.INSERT_ID|> like '12%'")],
  ['operand-type', r('<|e.EVENT_TIME|> + 1 as T')],
  ['operand-type', r("e.EVENT_NAME <|+|> 'x' as T")],
  ['operand-type', r('-<|e.EVENT_NAME|> as T')],
  ['type-mismatch', q('<|e.INSERT_ID = e.EVENT_TIME|>')],
  ['type-mismatch', q("<|e.INSERT_ID = 'abc'|>")],
  ['type-mismatch', q('e.EVENT_NAME in { source { SVC_HE_MACHINES m } return { <|m.MID|> } }')],
  ['literal-type', q("e.INSERT_ID = <|'35308423'|>")],
  ['literal-type', q("e.EVENT_TIME > <|'2024-01-01'|>")],
  ['literal-type', q('e.EVENT_NAME = <|5|>')],
  ['literal-type', q("e.EVENT_TIME between <|'2024-01-01'|> and '2024-01-02'::timestamp")],
  ['condition-type', q('<|e.EVENT_NAME|>')],
  ['condition-type', q("e.EVENT_NAME = 'a' and <|e.INSERT_ID|>")],
  ['condition-type', q('not <|e.EVENT_TIME|>')],
  ['in-list-not-literal', q("e.EVENT_NAME in ('a', <|e.ERROR_CODE|>)")],
  ['in-list-not-literal', q("e.EVENT_NAME in ('a', <|lower('B')|>)")],
  ['in-list-null', q("e.EVENT_NAME in ('a', <|null|>)")],
  ['in-list-mixed-types', q("e.EVENT:x in ('a', <|1|>, 2)")],
  ['subquery-columns', q('e.INSERT_ID in { source { SVC_HE_MACHINES m } <|return|> { m.MID, m.HOSTNAME } }')],
  ['subquery-columns', q('(e.INSERT_ID, e.EVENT_NAME) in { source { SVC_HE_MACHINES m } <|return|> { m.MID } }')],
  ['json-null-on-non-json', q('e.EVENT_NAME <|is json null|>')],
  ['case-branch-types', r("case when e.ERROR_CODE is null then 'ok' else <|1|> end as S")],
  [
    'union-columns',
    'union { { source { CloudTrailRawEvents } return { EVENT } }, { source { CloudTrailRawEvents } <|return|> { EVENT, INSERT_ID } } }',
  ],
  [
    'union-columns',
    'union { { source { CloudTrailRawEvents } return { EVENT_NAME as A } }, { source { CloudTrailRawEvents } return { <|INSERT_ID as A|> } } }',
  ],
  [
    'union-column-names',
    'union { { source { CloudTrailRawEvents } return { EVENT_NAME as A } }, { source { CloudTrailRawEvents } return { <|EVENT_NAME as B|> } } }',
  ],
];

const silent: readonly string[] = [
  '{ source { CloudTrailRawEvents } return { EVENT, EVENT_NAME } }',
  '{ source { CloudTrailRawEvents e } return { e.EVENT:a.b as X, EVENT_NAME } }',
  "{ source { SVC_NO_COLUMNS_YET } filter { ANYTHING = 1 and lower(OTHER) = 'x' } return { WHATEVER } }",
  "{ source { SVC_FROM_SCHEMA s } filter { s.SIZE = 'x' and s.NOT_LISTED = 1 and HOST:a = 1 } return { HOST, s.ELSE } }",
  '{ source { SVC_HE_PROCESSES p, array_to_rows(p.CMDLINE::json) as (part) } return { p.MID, CMDLINE, part } }',
  '{ source { SVC_NO_COLUMNS_YET n, SVC_HE_MACHINES m } return { n.A, m.MID, UNKNOWN, HOSTNAME } }',
  "{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m on '(default)' } return { p.MID, HOSTNAME } }",
  "{ source { SVC_HE_MACHINES m with ( SVC_HE_PROCESSES p, SVC_HE_FILES f on 'files' ) } return distinct { m.MID, f.PATH, p.CMDLINE } }",
  '{ source { SVC_HE_FILES f with SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return { f.PATH, p.CMDLINE } }',
  '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x), array_to_rows_non_empty(x:b) y } return distinct { x, y, x:c as Z } }',
  '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as t (EVENT_NAME) } return { t.EVENT_NAME as X } }',
  "{ source { SVC_HE_PROCESSES } filter { (MID, PPID_HASH) in { source { SVC_HE_PROCESSES } filter { CMDLINE like '%bash' } return { MID, PID_HASH } } } return { CMDLINE } }",
  q("e.EVENT:code = 445 and e.EVENT:on = true and e.EVENT:x = 'y' and e.EVENT:a = e.EVENT:b"),
  q("e.EVENT:code between 200 and 299 and e.EVENT like '%x%' and e.EVENT:t rlike '.*dev.*'"),
  q("e.EVENT:ip not in ('1.1.1.1', '2.2.2.2') and e.INSERT_ID in (-1, 2)"),
  q("e.EVENT_TIME > '2024-01-01'::timestamp and e.EVENT_TIME in ('2024-01-01'::timestamp)"),
  q('e.ERROR_CODE = null or null = e.INSERT_ID'),
  q('e.EVENT:flag and not e.EVENT:other'),
  q("contains(lower(e.EVENT), 'x') and value_exists(e.EVENT:a) and ends_with (e.EVENT_NAME, 'x')"),
  q("any_in_array(e.EVENT:a, 'x', null, 1, e.EVENT_NAME)"),
  q('diff_days(e.EVENT_TIME, sec_to_timestamp(current_timestamp_sec())) > 30'),
  q('current_timestamp_sec()::number - e.EVENT:x::number > 86400'),
  r("case when e.ERROR_CODE is null then null when e.EVENT:x = 1 then e.EVENT:y else 'z' end as S"),
  r("case e.EVENT_NAME when 'a' then 1 else 2 end as S"),
  r("coalesce(e.EVENT:a, e.EVENT_NAME, null) as S, e.EVENT_NAME || '-' || e.INSERT_ID as T"),
  r('(e.EVENT_NAME), e.EVENT_TIME::string as T, e.EVENT_TIME::json as J, e.INSERT_ID::timestamp as S'),
  'union { { source { CloudTrailRawEvents } return { EVENT_NAME as A } }, { source { SVC_HE_MACHINES } return { HOSTNAME as a } } }',
];

describe('analyze', () => {
  it.each(firing)('reports %s: %s', (code, marked) => {
    const { text, ranges } = parseMarkers(marked);
    const found = analyzeSmall(text).diagnostics;
    expect(found.map((each) => [each.code, each.range.start, each.range.end])).toEqual(
      ranges.map((range) => [code, range.start, range.end]),
    );
    expect(found.every((each) => each.message.length > 20 && /[.?]$/.test(each.message))).toBe(true);
  });

  it.each(silent)('is silent on %s', (text) => {
    expect(parse(text).diagnostics).toEqual([]);
    expect(analyzeSmall(text).diagnostics).toEqual([]);
  });

  const inSample = new Set(['datasource-not-in-sample', 'other-vendor-prefix']);

  it('fires every code of its table in this test', () => {
    const covered = new Set([...firing.map(([code]) => code), ...inSample]);
    expect(Object.keys(semanticCodes).filter((code) => !covered.has(code))).toEqual([]);
  });

  it.each(Object.entries(semanticCodes).filter(([code]) => !inSample.has(code)))(
    'its documentation shows %s in the bad example and not in the good one',
    (code, definition) => {
      expect(analyzeSmall(definition.bad).diagnostics.map((each) => each.code)).toContain(code);
      expect(parse(definition.good).diagnostics).toEqual([]);
      expect(analyzeSmall(definition.good).diagnostics).toEqual([]);
    },
  );

  it.each(Object.entries(semanticCodes).filter(([, definition]) => definition.needsCatalog === true))(
    'is silent about %s without a catalog',
    (code, definition) => {
      const codes = (text: string): readonly string[] =>
        analyzeWithoutCatalog(text).diagnostics.map((each) => each.code);
      expect(codes(definition.bad)).not.toContain(code);
      for (const [firingCode, marked] of firing) {
        // Literals and functions have types of their own, whatever the account offers.
        if (firingCode === code && !/lower\('B'\)|coalesce|current_timestamp|> 'x' as T/.test(marked)) {
          expect(codes(parseMarkers(marked).text)).not.toContain(code);
        }
      }
    },
  );
});

describe('analyze on a sample catalog', () => {
  it('hints at datasources that are not in the sample, and is silent about their columns', () => {
    const { text, ranges } = parseMarkers(
      '{ source { <|SVC_CFG_AWS_RDS|> r } filter { r.ANYTHING = 1 } return { ELSE, r.ARN } }',
    );
    const [only, ...more] = analyzeSmall(text, sample).diagnostics;
    expect(more).toEqual([]);
    expect(only).toMatchObject({ code: 'datasource-not-in-sample', severity: 'hint', range: ranges[0] });
  });

  it('gives one hint for all names with another vendor prefix', () => {
    const text =
      '{ source { LW_HE_PROCESSES p with LW_HE_MACHINES m } filter { p.MID in { source { LW_HE_FILES } return { MID } } } return { p.A, m.B } }';
    const found = analyzeSmall(text, sample).diagnostics;
    expect(found.map((each) => [each.code, each.severity])).toEqual([['other-vendor-prefix', 'hint']]);
    expect(applyEdits(text, found[0]?.fixes[0]?.edits ?? [])).toBe(text.replaceAll('LW_', 'SVC_'));
  });

  it('still tells an unknown column of a datasource that is in the sample', () => {
    const found = analyzeSmall('{ source { CloudTrailRawEvents } return { EVNT } }', sample).diagnostics;
    expect(found.map((each) => each.code)).toEqual(['unknown-column']);
  });
});

describe('fixes', () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ['{ source { cloudtrailrawevents } return { EVENT } }', '{ source { CloudTrailRawEvents } return { EVENT } }'],
    ['{ source { SVC_HE_PROCES } return { MID } }', '{ source { SVC_HE_PROCESSES } return { MID } }'],
    [r('e.EVENT_NAM'), r('e.EVENT_NAME')],
    [r('e.event_name'), r('e.EVENT_NAME')],
    [
      '{ source { CloudTrailRawEvents } filter { EVENT.a.b = 1 } return { EVENT } }',
      '{ source { CloudTrailRawEvents } filter { EVENT:a.b = 1 } return { EVENT } }',
    ],
    [r('e:EVENT.a.b as X'), r('e.EVENT:a.b as X')],
    [q('is_null(e.ERROR_CODE)'), q('e.ERROR_CODE is null')],
    [
      q("is_null(e.INSERT_ID + 1) and concat(e.EVENT_NAME, 'x') = 'y'"),
      q("(e.INSERT_ID + 1) is null and concat(e.EVENT_NAME, 'x') = 'y'"),
    ],
    [q("concat(e.EVENT_NAME, 'x')::json is null"), q("(e.EVENT_NAME || 'x')::json is null")],
    [q('diff_days(e.EVENT_TIME, now()) > 1'), q('diff_days(e.EVENT_TIME, current_timestamp_sec()::timestamp) > 1')],
    [r("dateadd('day', -1, e.EVENT_TIME) as T"), r('add_days(-1, e.EVENT_TIME) as T')],
    [q("e.INSERT_ID = '5'"), q('e.INSERT_ID = 5')],
    [q("e.EVENT_TIME > '2024-01-01'"), q("e.EVENT_TIME > '2024-01-01'::Timestamp")],
    [q("e.INSERT_ID like '1%'"), q("e.INSERT_ID::String like '1%'")],
    [r('e.EVENT:eventTime'), r('e.EVENT:eventTime as EVENT_TIME')],
    [r('e.EVENT:"type"'), r('e.EVENT:"type" as VALUE_TYPE')],
    [r('lower(e.EVENT_NAME)'), r('lower(e.EVENT_NAME) as EVENT_NAME')],
    [
      '{ source { SVC_HE_MACHINES m with SVC_HE_FILES f } return distinct { m.MID } }',
      "{ source { SVC_HE_MACHINES m with SVC_HE_FILES f on 'files' } return distinct { m.MID } }",
    ],
    [q('e.EVENT_NAME is json null'), q('e.EVENT_NAME is null')],
    [q('is_null(e.ERROR_CODE)'), q('e.ERROR_CODE is null')],
    [q('e.EVENT_TIME < now()'), q('e.EVENT_TIME < current_timestamp_sec()::timestamp')],
    [r('e.EVENT_TIME::number as T'), r('epoch_sec(e.EVENT_TIME) as T')],
    [r('(e.EVENT_NAME is null)::string as T'), r("case when (e.EVENT_NAME is null) then 'true' else 'false' end as T")],
    [q("e.EVENT_NAME in ('a', null)"), q("(e.EVENT_NAME in ('a') or e.EVENT_NAME is null)")],
    [q("e.EVENT_NAME not in (null, 'a')"), q("(e.EVENT_NAME not in ('a') and e.EVENT_NAME is not null)")],
    [q("e.EVENT:x in ('a', 1)"), q("e.EVENT:x in ('a', '1')")],
    [q("e.EVENT:x in (1, '2')"), q('e.EVENT:x in (1, 2)')],
    [r('e.EVENT, e.EVENT'), r('e.EVENT, e.EVENT as E_EVENT')],
    [
      'union { { source { CloudTrailRawEvents } return { EVENT_NAME } }, { source { CloudTrailRawEvents } return { ERROR_CODE } } }',
      'union { { source { CloudTrailRawEvents } return { EVENT_NAME } }, { source { CloudTrailRawEvents } return { ERROR_CODE as EVENT_NAME } } }',
    ],
    [
      'union { { source { CloudTrailRawEvents } return { EVENT_NAME as A } }, { source { CloudTrailRawEvents } return { ERROR_CODE as B } } }',
      'union { { source { CloudTrailRawEvents } return { EVENT_NAME as A } }, { source { CloudTrailRawEvents } return { ERROR_CODE as A } } }',
    ],
    [r('e.EVENT:a::varchar as X'), r('e.EVENT:a::String as X')],
  ];

  it.each(cases)('mends %s', (before, after) => {
    const [first] = analyzeSmall(before).diagnostics;
    const [fix] = first?.fixes ?? [];
    expect(fix).toBeDefined();
    expect(applyEdits(before, fix?.edits ?? [])).toBe(after);
  });
});

describe('the model', () => {
  it('names result columns in capitals, with types', () => {
    const model = analyzeSmall(
      "{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (item) } return distinct { e.EVENT_NAME as eventName, item, EVENT:x.y, length(e.EVENT_NAME) as len, e.INSERT_ID + 1 as n, case when item is null then 'a' end as c } }",
    );
    expect(model.resultColumns.map(({ name, label, type }) => [name, label, type])).toEqual([
      ['EVENTNAME', 'eventName', 'string'],
      ['ITEM', 'item', 'json'],
      ['EVENT', 'EVENT', 'json'],
      ['LEN', 'len', 'number'],
      ['N', 'n', 'number'],
      ['C', 'c', 'string'],
    ]);
  });

  it('expands a star into the columns of its source', () => {
    const model = analyzeSmall('{ source { SVC_HE_FILES f } return { f.* } }');
    expect(model.resultColumns.map(({ name, type }) => [name, type])).toEqual([
      ['MID', 'number'],
      ['PATH', 'string'],
    ]);
  });

  it('follows joins and MANY relationships from the root', () => {
    const model = analyzeSmall(
      '{ source { SVC_HE_FILES f with SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { f.PATH } }',
    );
    const [scope] = model.scopes.values();
    expect(
      scope?.sources.map((source) =>
        source.kind === 'datasource'
          ? [source.name, source.joinedFrom?.name, source.relationship?.cardinality, source.many]
          : source.kind,
      ),
    ).toEqual([
      ['f', undefined, undefined, false],
      ['m', 'f', 'ONE', false],
      ['p', 'm', 'MANY', true],
    ]);
  });

  it('names datasources once, and those whose schema is missing', () => {
    const model = analyzeSmall(
      '{ source { SVC_NO_COLUMNS_YET a with CloudTrailRawEvents b } filter { a.X in { source { CloudTrailRawEvents } return { INSERT_ID } } } return { a.Y } }',
    );
    expect(model.datasourceNames).toEqual(['SVC_NO_COLUMNS_YET', 'CloudTrailRawEvents']);
    expect(model.missingSchemas).toEqual(['SVC_NO_COLUMNS_YET']);
  });

  it('gives a subquery a scope of its own', () => {
    const model = analyzeSmall(q('e.INSERT_ID in { source { SVC_HE_MACHINES m } return { m.MID } }'));
    const [outer, inner] = model.scopes.values();
    expect(inner?.parent).toBe(outer);
    expect(outer?.parent).toBeUndefined();
  });
});

describe('broken and hostile texts', () => {
  it.each([
    '{',
    'source',
    '{ source { } return { X } }',
    '{ source { CloudTrailRawEvents e return { e.EVENT } }',
    '{ source { CloudTrailRawEvents e, } filter { e. } return { e.EVENT } }',
    '{ source { CloudTrailRawEvents e } filter { e.EVENT_NAME = } return { e.EVENT } }',
    '{ source { CloudTrailRawEvents e } filter { contains(e.EVENT_NAME, ) } return { e.EVENT } }',
    '{ filter { A = 1 } return { B } }',
  ])('adds nothing to the syntax errors of %j', (text) => {
    expect(parse(text).diagnostics.length).toBeGreaterThan(0);
    expect(analyzeSmall(text).diagnostics).toEqual([]);
  });

  it('walks chains as long as the text without using up the stack', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `EVENT:a = ${i}`);
    const text = `{ source { CloudTrailRawEvents } filter { ${names.join(' or ')} } return { EVENT${'::json'.repeat(5_000)} as X } }`;
    const parsed = parse(text);
    const model = analyze(parsed, { catalog: smallCatalog(), vendorPrefix: 'SVC' });
    expect(model.diagnostics).toEqual([]);
    expect(model.types.size).toBeGreaterThan(20_000);
  });

  it('offers to rewrite the literal of a comparison that can be', () => {
    const { text, ranges } = parseMarkers(q("<|0|> = 'CreateUser'"));
    expect(analyzeSmall(text).diagnostics).toMatchObject([{ code: 'literal-type', range: ranges[0] }]);
  });

  it('reports at most a hundred findings', () => {
    const text = `{ source { CloudTrailRawEvents } return { ${Array.from({ length: 500 }, (_, i) => `NOPE_${i}`).join(', ')} } }`;
    expect(analyzeSmall(text).diagnostics.length).toBe(100);
  });
});
