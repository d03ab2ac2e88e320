import fc from 'fast-check';
import type { Value } from '../../server/core/language/values/value.ts';
import type { OracleTable, OracleType } from './oracle.ts';

/** Generated queries over three small tables that join in a chain and in a fork, for holding the engine against the oracle. */
export interface GeneratedCase {
  readonly text: string;
  readonly tables: { readonly [name: string]: OracleTable };
}

type Column = { readonly name: string; readonly type: OracleType };

const columnsOf = {
  HOSTS: [
    { name: 'ID', type: 'number' },
    { name: 'NAME', type: 'string' },
    { name: 'CREATED', type: 'timestamp' },
    { name: 'ACCOUNT', type: 'string' },
    { name: 'CONFIG', type: 'json' },
  ],
  EVENTS: [
    { name: 'EVENT_TIME', type: 'timestamp' },
    { name: 'HOST_ID', type: 'number' },
    { name: 'KIND', type: 'string' },
    { name: 'EVENT', type: 'json' },
  ],
  ACCOUNTS: [
    { name: 'ACCOUNT', type: 'string' },
    { name: 'LIMIT_VALUE', type: 'number' },
    { name: 'PROPERTIES_JSON', type: 'json' },
  ],
} as const satisfies { readonly [name: string]: readonly Column[] };

/** Keys as the platform would supply them. HOSTS to EVENTS is MANY, the others ONE. */
export const generatedJoins = {
  'HOSTS>EVENTS': [{ from: 'ID', to: 'HOST_ID' }],
  'HOSTS>ACCOUNTS': [{ from: 'ACCOUNT', to: 'ACCOUNT' }],
  'EVENTS>HOSTS': [{ from: 'HOST_ID', to: 'ID' }],
} as const;

const base = Date.UTC(2024, 4, 1);
export const generatedRange = { startTime: base, endTime: base + 5 * 86_400_000, now: base + 6 * 86_400_000 };

const texts = ['', 'a', 'A', 'ab', 'abc', 'b%', '5', '12', 'true', 'no', '2024-05-02T00:00:00.000Z', '[]', '{}', '😀x'];
const numbers: Value[] = [0, 1, 2, 5, 12, -3, 0.25, 1714608000, 2n ** 60n, 2n ** 60n + 1n];
const orNull = <T extends Value>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 4 });

const jsonValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Value>(null, true, false, 0, 5, 12, 'a', 'abc', '5', 'true'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('k', 'list', 'a b', 'constructor'), tie('value'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).value;

const valuesOf: { readonly [type in 'string' | 'number' | 'timestamp' | 'json']: fc.Arbitrary<Value> } = {
  string: orNull(fc.constantFrom(...texts)),
  number: orNull(fc.constantFrom(...numbers)),
  timestamp: orNull(fc.constantFrom(...[0, 1, 2, 3, 4, 5, 7].map((day) => base + day * 86_400_000 + 250))),
  json: orNull(jsonValue),
};

function table(columns: readonly Column[], timeColumn: string | undefined): fc.Arbitrary<OracleTable> {
  const row = fc.record(Object.fromEntries(columns.map((column) => [column.name, valuesOf[column.type as 'string']])));
  return fc
    .array(row, { minLength: 1, maxLength: 8 })
    .map((rows) => ({ columns, rows, ...(timeColumn === undefined ? {} : { timeColumn }) }));
}

const tables = fc.record({
  HOSTS: table(columnsOf.HOSTS, undefined),
  EVENTS: table(columnsOf.EVENTS, 'EVENT_TIME'),
  ACCOUNTS: table(columnsOf.ACCOUNTS, undefined),
});

/** Names that an expression can use, by type. */
type Scope = { readonly [type in 'string' | 'number' | 'timestamp' | 'json']: readonly string[] };

function scopeOf(
  sources: readonly (readonly [alias: string, name: keyof typeof columnsOf])[],
  elements: readonly string[],
): Scope {
  const names = (type: string): string[] =>
    sources.flatMap(([alias, name]) =>
      columnsOf[name].filter((column) => column.type === type).map((column) => `${alias}.${column.name}`),
    );
  return {
    string: names('string'),
    number: names('number'),
    timestamp: names('timestamp'),
    json: [...names('json'), ...elements],
  };
}

const shapes: readonly { readonly source: string; readonly scope: Scope }[] = [
  { source: 'HOSTS h', scope: scopeOf([['h', 'HOSTS']], []) },
  { source: 'EVENTS e', scope: scopeOf([['e', 'EVENTS']], []) },
  {
    source: 'HOSTS h with EVENTS e',
    scope: scopeOf(
      [
        ['h', 'HOSTS'],
        ['e', 'EVENTS'],
      ],
      [],
    ),
  },
  {
    source: 'HOSTS h with (EVENTS e, ACCOUNTS a)',
    scope: scopeOf(
      [
        ['h', 'HOSTS'],
        ['e', 'EVENTS'],
        ['a', 'ACCOUNTS'],
      ],
      [],
    ),
  },
  {
    source: 'EVENTS e with HOSTS h with ACCOUNTS a',
    scope: scopeOf(
      [
        ['e', 'EVENTS'],
        ['h', 'HOSTS'],
        ['a', 'ACCOUNTS'],
      ],
      [],
    ),
  },
  { source: 'HOSTS h, array_to_rows(h.CONFIG) as (x)', scope: scopeOf([['h', 'HOSTS']], ['x']) },
  {
    source: 'HOSTS h, array_to_rows(h.CONFIG) as (x), array_to_rows_non_empty(x:list) as (y)',
    scope: scopeOf([['h', 'HOSTS']], ['x', 'y']),
  },
  {
    source: 'EVENTS e, array_to_rows(e.EVENT:list) as (x), array_to_rows(e.EVENT) as (y)',
    scope: scopeOf([['e', 'EVENTS']], ['x', 'y']),
  },
  {
    source: 'HOSTS h with EVENTS e, array_to_rows(e.EVENT:list) as (x)',
    scope: scopeOf(
      [
        ['h', 'HOSTS'],
        ['e', 'EVENTS'],
      ],
      ['x'],
    ),
  },
];

interface Expressions {
  readonly string: string;
  readonly number: string;
  readonly timestamp: string;
  readonly json: string;
  readonly boolean: string;
  readonly any: string;
}

/** Joins generated parts with fixed text: `` say`(${a} + ${b})` ``. */
function say(strings: TemplateStringsArray, ...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(...parts)
    .map((values) => strings.reduce((text, piece, index) => `${text}${values[index - 1]}${piece}`));
}

const quote = (text: string): string => `s'${text.replaceAll("'", "''")}'`;
const path = fc.constantFrom(':k', ':list', ':"a b"', ':k.k', ':constructor', ':list.k');
const pattern = fc.constantFrom('%', 'a%', '%b', '_', 'A_C', '%b%', 'abc', '', 'b\\%').map(quote);
const regex = fc.constantFrom('.*', 'a.*', '.*b.*', '[a-c]+', '.', 'a(b|x)c?', '^ab', '').map(quote);
const count = fc.constantFrom('-1', '0', '1', '2', '3');

function expressions(scope: Scope, subqueries: boolean): fc.Arbitrary<Expressions> {
  const columns = (type: keyof Scope): fc.Arbitrary<string>[] =>
    scope[type].length > 0 ? [fc.constantFrom(...scope[type])] : [];
  const subquery = subqueries ? [membership(scope)] : [];
  const tied = fc.letrec<Expressions>((tie: fc.LetrecTypedTie<Expressions>) => {
    const string = tie('string');
    const number = tie('number');
    const timestamp = tie('timestamp');
    const json = tie('json');
    const boolean = tie('boolean');
    const comparable = fc.oneof(string, number, timestamp, json);
    const texty = fc.oneof(string, json);
    const option = { maxDepth: 3, depthIdentifier: 'expression', withCrossShrink: true } as const;
    return {
      string: fc.oneof(
        option,
        fc.oneof(...columns('string'), fc.constantFrom(...texts).map(quote)),
        say`(${texty} || ${string})`,
        say`${json}::string`,
        say`${timestamp}::String`,
        say`lower(${texty})`,
        say`upper(${texty})`,
        say`substring(${texty}, ${count}, ${count})`,
        say`substring(${texty}, ${count})`,
        say`coalesce(${string}, ${string})`,
        say`case when ${boolean} then ${string} when ${boolean} then ${string} else ${string} end`,
        say`case ${comparable} when ${comparable} then ${string} end`,
      ),
      number: fc.oneof(
        option,
        fc.oneof(...columns('number'), fc.constantFrom('0', '1', '5', '0.5', '1152921504606846976')),
        say`(${number} + ${number})`,
        say`(${number} - ${number} * ${number})`,
        say`(${number} / ${number})`,
        say`(${number} % ${number})`,
        say`(-${number})`,
        say`${json}::Number`,
        say`${string}::number`,
        say`length(${texty})`,
        say`array_size(${json})`,
        say`abs(${number})`,
        say`diff_days(${timestamp}, ${timestamp})`,
        say`current_timestamp_sec()`,
      ),
      timestamp: fc.oneof(
        option,
        fc.oneof(...columns('timestamp'), fc.constant("'2024-05-03'::timestamp")),
        say`add_days(${count}, ${timestamp})`,
        say`${string}::timestamp`,
        say`${number}::timestamp`,
        say`${json}::timestamp`,
      ),
      json: fc.oneof(
        option,
        fc.oneof(...columns('json'), ...columns('json').map((column) => say`${column}${path}`)),
        say`${json}${path}`,
        say`${string}::json`,
        say`${number}::json`,
        say`${timestamp}::json`,
      ),
      boolean: fc.oneof(
        option,
        say`${comparable} = ${comparable}`,
        say`${comparable} ${fc.constantFrom('<>', '<', '<=', '>', '>=')} ${comparable}`,
        say`${json} = ${fc.constantFrom('true', 'false')}`,
        say`(${boolean} and ${boolean})`,
        say`(${boolean} or ${boolean})`,
        say`(not ${boolean})`,
        say`${comparable} is ${fc.constantFrom('', 'not ')}null`,
        say`${json} is ${fc.constantFrom('', 'not ')}json null`,
        say`${comparable} ${fc.constantFrom('', 'not ')}between ${comparable} and ${comparable}`,
        say`${comparable} ${fc.constantFrom('', 'not ')}in (${comparable}, ${comparable}, s'a', 5)`,
        say`${texty} ${fc.constantFrom('like', 'ilike', 'not like')} ${pattern}`,
        say`${texty} ${fc.constantFrom('like', 'ilike')} any (${pattern}, ${string})`,
        say`${texty} ${fc.constantFrom('rlike', 'not rlike')} ${regex}`,
        say`key_exists(${json})`,
        say`value_exists(${json})`,
        say`is_array(${json})`,
        say`is_object(${json})`,
        say`any_in_array(${json}, ${string}, 5, null)`,
        say`contains(${texty}, ${string})`,
        say`starts_with(${texty}, ${string})`,
        say`${json}::boolean`,
        ...subquery,
      ),
      any: fc.oneof(string, number, timestamp, json, boolean),
    };
  });
  return fc.record(tied);
}

/** `x in { … }`, plain and by tuple, with filters of its own. */
function membership(scope: Scope): fc.Arbitrary<string> {
  const inner = scopeOf([['z', 'EVENTS']], []);
  const filter = fc.constantFrom(
    '',
    'filter { z.HOST_ID > 1 }',
    "filter { z.KIND like '%a%' }",
    'filter { z.HOST_ID = 77 }',
  );
  const one = [...scope.string, ...scope.number, ...scope.json].map((name) => name);
  const of = fc.constantFrom(...inner.string, ...inner.number, 'z.EVENT', 'z.EVENT:k');
  const not = fc.constantFrom('', 'not ');
  const single = say`${fc.constantFrom(...one)} ${not}in { source { EVENTS z } ${filter} return { ${of} } }`;
  const pair = say`(${fc.constantFrom(...one)}, ${fc.constantFrom(...one)}) in { source { EVENTS z } ${filter} return distinct { ${of} as p, ${of} as q } }`;
  return fc.oneof(single, pair);
}

const body: fc.Arbitrary<string> = fc.constantFrom(...shapes).chain(({ source, scope }) =>
  fc
    .tuple(
      expressions(scope, true),
      expressions(scope, true),
      fc.constantFrom('none', 'or', 'and', 'not'),
      fc.constantFrom('', 'distinct '),
      fc.boolean(),
    )
    .map(([first, second, condition, distinct, star]) => {
      const alias = /^\w+ (\w)/.exec(source)?.[1];
      const items = star
        ? [`${alias}.*`, `${first.any} as first`]
        : [`${first.any} as first`, `${second.any} as second`];
      const filter = filterOf(condition, first.boolean, second.boolean);
      return `{ source { ${source} } ${filter} return ${distinct}{ ${items.join(', ')} } }`;
    }),
);

/** Filters that let much through beside those that let little through. */
function filterOf(form: string, a: string, b: string): string {
  if (form === 'none') return '';
  if (form === 'not') return `filter { not (${a} and ${b}) }`;
  return `filter { ${a} ${form} ${b} }`;
}

/** Two bodies whose columns have the same types, as a union needs. */
const union: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...shapes), fc.constantFrom(...shapes), fc.constantFrom('union', 'union all'))
  .chain(([a, b, keyword]) =>
    fc.tuple(expressions(a.scope, false), expressions(b.scope, false)).map(([x, y]) => {
      const part = (shape: (typeof shapes)[number], e: Expressions): string =>
        `{ source { ${shape.source} } filter { ${e.boolean} } return { ${e.string} as s, ${e.number} as n, ${e.json} as j } }`;
      return `${keyword} { ${part(a, x)}, ${part(b, y)} }`;
    }),
  );

export const generatedCase: fc.Arbitrary<GeneratedCase> = fc.record({
  text: fc.oneof({ weight: 6, arbitrary: body }, { weight: 1, arbitrary: union }),
  tables,
});
