import { describe, expect, it } from 'vitest';
import type { ExecutionOptions } from '../../../../server/core/engine/execution.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { catalogOf, tableProvider } from '../../../support/engine-tables.ts';
import type { OracleTable } from '../../../support/oracle.ts';
import { type QueryRun, runQuery } from '../../../support/run-query.ts';

const hour = 3_600_000;
const base = Date.UTC(2024, 4, 1);

const tables: { readonly [name: string]: OracleTable } = {
  HOSTS: {
    columns: [
      { name: 'ID', type: 'number' },
      { name: 'NAME', type: 'string' },
      { name: 'account', type: 'string' },
      { name: 'CONFIG', type: 'json' },
    ],
    rows: [
      { ID: 1, NAME: 'web-1', account: 'A', CONFIG: { ports: [22, 443], 'key type': 'rsa', nested: { on: true } } },
      { ID: 2, NAME: 'web-2', account: 'B', CONFIG: { ports: [], gone: null } },
      {
        ID: 3,
        NAME: 'db-1',
        account: undefined,
        CONFIG: { ports: null, rules: [{ from: ['x', 'y'] }, { from: ['z'] }] },
      },
      { ID: 9007199254740993n, NAME: undefined, account: 'C', CONFIG: undefined },
    ],
  },
  EVENTS: {
    timeColumn: 'AT',
    columns: [
      { name: 'AT', type: 'timestamp' },
      { name: 'HOST_ID', type: 'number' },
      { name: 'KIND', type: 'string' },
    ],
    rows: [
      { AT: base, HOST_ID: 1, KIND: 'start' },
      { AT: base + hour, HOST_ID: 1, KIND: 'stop' },
      { AT: base + hour, HOST_ID: 2, KIND: 'start' },
      { AT: base + 2 * hour, HOST_ID: undefined, KIND: 'start' },
      { AT: undefined, HOST_ID: 3, KIND: 'start' },
      { AT: base + 3 * hour, HOST_ID: 9007199254740993n, KIND: 'start' },
    ],
  },
  ACCOUNTS: {
    columns: [
      { name: 'CODE', type: 'string' },
      { name: 'OWNER', type: 'string' },
    ],
    rows: [
      { CODE: 'A', OWNER: 'ann' },
      { CODE: 'C', OWNER: 'cal' },
    ],
  },
};

const joins = {
  'HOSTS>EVENTS': [{ from: 'ID', to: 'HOST_ID' }],
  'HOSTS>ACCOUNTS': [{ from: 'account', to: 'CODE' }],
  'EVENTS>HOSTS': [{ from: 'HOST_ID', to: 'ID' }],
} as const;

const provider = tableProvider(tables, joins);
const catalog = catalogOf(tables, joins);

function run(text: string, options: Partial<ExecutionOptions> = {}): QueryRun {
  return runQuery(text, provider, catalog, options);
}

function rows(text: string, options: Partial<ExecutionOptions> = {}): readonly (readonly Value[])[] {
  const result = run(text, options);
  expect(result.error).toBeUndefined();
  return result.rows;
}

/** The values of the first result column. */
function values(text: string, options: Partial<ExecutionOptions> = {}): Value[] {
  return rows(text, options).map((row) => row[0]);
}

describe('results', () => {
  it('names columns in upper case: alias, column, the column a path starts from', () => {
    const { columns } = run(
      '{ source { HOSTS h } return { h.account, account as theAlias, h.CONFIG:ports, h.CONFIG:nested.on as on2 } }',
    );
    expect(columns).toEqual(['ACCOUNT', 'THEALIAS', 'CONFIG', 'ON2']);
  });

  it('returns every column of a source by alias.*', () => {
    const result = run('{ source { HOSTS h with ACCOUNTS a } filter { ID = 1 } return { a.*, h.NAME } }');
    expect(result.columns).toEqual(['CODE', 'OWNER', 'NAME']);
    expect(result.rows).toEqual([['A', 'ann', 'web-1']]);
  });

  it('keeps integers of 64 bits', () => {
    expect(values('{ source { HOSTS } filter { ID = 9007199254740993 } return { ID } }')).toEqual([9007199254740993n]);
    expect(values('{ source { HOSTS } filter { ID = 9007199254740992 } return { ID } }')).toEqual([]);
    expect(values('{ source { HOSTS } filter { NAME is null } return { ID + 1 as n } }')).toEqual([9007199254740994n]);
  });

  it('finds a column that is written in another case', () => {
    expect(values('{ source { HOSTS h } filter { h.id = 1 } return { h.name } }')).toEqual(['web-1']);
  });

  it('stops at the limit without doing more work than that takes', () => {
    const result = run('{ source { HOSTS h } return { ID } }', { limit: 2 });
    expect(result.rows).toEqual([[1], [2]]);
    expect(run('{ source { HOSTS h } return { ID } }', { limit: 0 }).rows).toEqual([]);
  });

  it('drops duplicates by value', () => {
    expect(values('{ source { EVENTS e } return distinct { KIND } }')).toEqual(['start', 'stop']);
    expect(values('{ source { EVENTS e } return distinct { to_json(s\'{"a":1,"b":[2]}\') as j } }')).toHaveLength(1);
  });
});

describe('time range', () => {
  it('includes its start, excludes its end, and rows without a time', () => {
    const range = { startTime: base, endTime: base + hour };
    expect(values('{ source { EVENTS } return { KIND } }', range)).toEqual(['start']);
    expect(values('{ source { EVENTS } return { KIND } }', { startTime: base, endTime: base + hour + 1 })).toHaveLength(
      3,
    );
  });

  it('applies to joined datasources and to subqueries', () => {
    const range = { startTime: base, endTime: base + hour };
    expect(rows('{ source { HOSTS h with EVENTS e } return { h.ID, e.KIND } }', range)).toEqual([
      [1, 'start'],
      [2, null],
      [3, null],
      [9007199254740993n, null],
    ]);
    expect(
      values(
        '{ source { HOSTS h } filter { ID in { source { EVENTS e } return { e.HOST_ID } } } return { ID } }',
        range,
      ),
    ).toEqual([1]);
  });
});

describe('joins', () => {
  it('keeps left rows without a partner, with nulls', () => {
    expect(rows('{ source { HOSTS h with ACCOUNTS a } return { h.ID, a.OWNER } }')).toEqual([
      [1, 'ann'],
      [2, null],
      [3, null],
      [9007199254740993n, 'cal'],
    ]);
  });

  it('gives one row for each partner, joined by exact 64-bit keys', () => {
    expect(rows('{ source { HOSTS h with EVENTS e } filter { e.KIND is not null } return { h.ID, e.KIND } }')).toEqual([
      [1, 'start'],
      [1, 'stop'],
      [2, 'start'],
      [9007199254740993n, 'start'],
    ]);
  });

  it('chains to the right and forks', () => {
    expect(
      rows(
        "{ source { EVENTS e with HOSTS h with ACCOUNTS a } filter { KIND = 'start' } return { e.HOST_ID, h.NAME, a.OWNER } }",
      ),
    ).toEqual([
      [1, 'web-1', 'ann'],
      [2, 'web-2', null],
      [null, null, null],
      [9007199254740993n, null, 'cal'],
    ]);
    expect(
      rows('{ source { HOSTS h with (EVENTS e, ACCOUNTS a) } filter { h.ID = 1 } return { e.KIND, a.OWNER } }'),
    ).toEqual([
      ['start', 'ann'],
      ['stop', 'ann'],
    ]);
  });

  it('selects rows without a partner by not value_exists', () => {
    expect(
      values('{ source { HOSTS h with ACCOUNTS a } filter { not value_exists(a.OWNER) } return { h.ID } }'),
    ).toEqual([2, 3]);
  });
});

describe('expansion', () => {
  it('keeps rows whose array is null, JSON null, empty, missing or no array, with a null', () => {
    expect(rows('{ source { HOSTS h, array_to_rows(h.CONFIG:ports) as (port) } return { ID, port } }')).toEqual([
      [1, 22],
      [1, 443],
      [2, null],
      [3, null],
      [9007199254740993n, null],
    ]);
    expect(
      rows(
        '{ source { HOSTS h, array_to_rows(h.CONFIG:nested) as (n) } filter { ID = 1 and n is null } return { ID } }',
      ),
    ).toEqual([[1]]);
  });

  it('drops them as array_to_rows_non_empty', () => {
    expect(values('{ source { HOSTS h, array_to_rows_non_empty(h.CONFIG:ports) as (port) } return { port } }')).toEqual(
      [22, 443],
    );
  });

  it('expands expansions, and multiplies independent ones', () => {
    expect(
      values(
        '{ source { HOSTS h, array_to_rows_non_empty(h.CONFIG:rules) as (r), array_to_rows(r:from) as (f) } return { f } }',
      ),
    ).toEqual(['x', 'y', 'z']);
    expect(
      values(
        '{ source { HOSTS h, array_to_rows(h.CONFIG:ports) as (p), array_to_rows(h.CONFIG:ports) as (q) } filter { ID = 1 } return { p || q as pq } }',
      ),
    ).toEqual(['2222', '22443', '44322', '443443']);
  });
});

describe('JSON', () => {
  it('tells a missing key from a key that maps to null', () => {
    const probe = (expression: string): Value =>
      values(`{ source { HOSTS } filter { ID = 2 } return { ${expression} as v } }`)[0];
    expect(probe('CONFIG:gone is null')).toBe(false);
    expect(probe('CONFIG:gone is json null')).toBe(true);
    expect(probe('key_exists(CONFIG:gone)')).toBe(true);
    expect(probe('value_exists(CONFIG:gone)')).toBe(false);
    expect(probe('CONFIG:missing is null')).toBe(true);
    expect(probe('CONFIG:missing is json null')).toBeNull();
    expect(probe('key_exists(CONFIG:missing)')).toBe(false);
    expect(probe("CONFIG:gone = s'null'")).toBeNull();
    expect(probe('CONFIG:constructor is null')).toBe(true);
  });

  it('compares with text as text, whatever its kind', () => {
    const probe = (expression: string): Value =>
      values(`{ source { HOSTS } filter { ID = 1 } return { ${expression} as v } }`)[0];
    expect(probe("CONFIG:nested.on = 'true'")).toBe(true);
    expect(probe('CONFIG:nested.on = true')).toBe(true);
    expect(probe("CONFIG:ports = '[22,443]'")).toBe(true);
    expect(probe(`CONFIG:nested = s'{"on":true}'`)).toBe(true);
    expect(probe('CONFIG:"key type" = \'rsa\'')).toBe(true);
    expect(probe('CONFIG like \'%"rsa"%\'')).toBe(true);
    expect(probe('CONFIG:ports = CONFIG:ports')).toBe(true);
  });
});

describe('subqueries', () => {
  it('keep rows of not in although the subquery returns nulls', () => {
    expect(
      values(
        "{ source { HOSTS h } filter { not (ID in { source { EVENTS e } filter { KIND = 'stop' or HOST_ID is null } return { HOST_ID } }) } return { ID } }",
      ),
    ).toEqual([2, 3, 9007199254740993n]);
  });

  it('are null for a null on the left, false when empty', () => {
    const inQuery = (filter: string): Value[] =>
      values(
        `{ source { EVENTS e } filter { HOST_ID is null } return { HOST_ID in { source { HOSTS h } ${filter} return { h.ID } } as v } }`,
      );
    expect(inQuery('')).toEqual([null]);
    expect(inQuery('filter { h.ID = 77 }')).toEqual([false]);
  });

  it('match tuples', () => {
    expect(
      values(
        "{ source { EVENTS e } filter { (HOST_ID, KIND) in { source { EVENTS x } filter { x.KIND = 'stop' } return { x.HOST_ID, x.KIND } } } return { KIND } }",
      ),
    ).toEqual(['stop']);
  });
});

describe('unions', () => {
  const part = (filter: string): string => `{ source { EVENTS e } filter { ${filter} } return { KIND } }`;

  it('drop duplicates across queries unless all', () => {
    expect(values(`union { ${part('HOST_ID = 1')}, ${part('HOST_ID = 2')} }`)).toEqual(['start', 'stop']);
    expect(values(`union all { ${part('HOST_ID = 1')}, ${part('HOST_ID = 2')} }`)).toEqual(['start', 'stop', 'start']);
  });
});

describe('failures', () => {
  it.each<[string, string, RegExp]>([
    ['{ source { NOWHERE } return { X } }', 'no-such-table', /NOWHERE/],
    ['{ source { HOSTS } return { MISSING } }', 'no-such-column', /MISSING/],
    ['{ source { HOSTS h } return { h.OTHER } }', 'no-such-column', /h\.OTHER/],
    ['{ source { ACCOUNTS a with EVENTS e } return { e.KIND } }', 'no-join-keys', /ACCOUNTS.*EVENTS/],
    ["{ source { HOSTS } filter { NAME rlike '(' } return { ID } }", 'invalid-pattern', /'\('/],
    ["{ source { HOSTS } filter { NAME rlike NAME || '(' } return { ID } }", 'invalid-pattern', /web-1\(/],
    ['{ source { HOSTS } return { nothing(ID) as x } }', 'unsupported', /NOTHING/],
    ['{ source { HOSTS } return { left(NAME) as x } }', 'unsupported', /2 arguments/],
    ['{ source { HOSTS } return { count(*) as x } }', 'unsupported', /COUNT/],
    ["{ source { HOSTS } return { (NAME = 'a')::string as x } }", 'unsupported', /CASE/],
    ['{ source { EVENTS } return { AT::number as x } }', 'unsupported', /EPOCH_MS/],
    ['{ source { HOSTS } return { (ID, NAME) as x } }', 'unsupported', /IN/],
    [
      '{ source { HOSTS h } filter { ID in { source { EVENTS e } return { e.KIND, e.HOST_ID } } } return { ID } }',
      'unsupported',
      /2 columns/,
    ],
    [
      'union { { source { HOSTS } return { ID } }, { source { HOSTS } return { ID, NAME } } }',
      'unsupported',
      /same number/,
    ],
    ['{ source { HOSTS } filter { ID = } return { ID } }', 'incomplete-query', /missing/],
    ['{ source { HOSTS } }', 'incomplete-query', /return/],
    ['', 'incomplete-query', /no query/],
  ])('%s', (text, code, message) => {
    const { error } = run(text);
    expect(error).toMatchObject({ code });
    expect(error?.message).toMatch(message);
  });

  it('ends before memory runs out', () => {
    const big = {
      N: { columns: [{ name: 'V', type: 'number' }], rows: Array.from({ length: 300 }, (_, V) => ({ V })) },
    } as const;
    const product = '{ source { N a, N b, N c } return distinct { a.V as x, b.V as y, c.V as z } }';
    const { error } = runQuery(product, tableProvider(big, {}), catalogOf(big, {}), { memoryLimit: 1_000_000 });
    expect(error).toMatchObject({ code: 'memory-limit' });
    expect(error?.message).toMatch(/time range/);
  });

  it('ends when a text grows beyond all bounds', () => {
    const text = `{ source { T } return { length(${new Array(300).fill('NAME').join(' || ')}) as n } }`;
    const one = {
      T: { columns: [{ name: 'NAME', type: 'string' }], rows: [{ NAME: 'x'.repeat(2_000_000) }] },
    } as const;
    const { error } = runQuery(text, tableProvider(one, {}), catalogOf(one, {}));
    expect(error).toMatchObject({ code: 'memory-limit' });
  });

  it('survives long runs of operators', () => {
    const long = (count: number, operator: string, operand: string): string =>
      new Array(count).fill(operand).join(` ${operator} `);
    expect(values(`{ source { HOSTS } filter { ID = 1 } return { ${long(1200, '+', 'ID')} as n } }`)).toEqual([1200]);
    expect(values(`{ source { HOSTS } filter { ${long(9000, 'or', 'ID = 2')} } return { ID } }`)).toEqual([2]);
    expect(values(`{ source { HOSTS } filter { ${long(9000, 'and', 'ID = 2')} } return { ID } }`)).toEqual([2]);
  });

  it('refuses expressions nested too deeply instead of exhausting the stack', () => {
    const { error } = run(`{ source { HOSTS } return { ID${' = ID'.repeat(600)} as n } }`);
    expect(error).toMatchObject({ code: 'unsupported' });
  });
});

describe('steps', () => {
  it('does bounded work in each and can be left at any time', () => {
    const big = {
      N: { columns: [{ name: 'V', type: 'number' }], rows: Array.from({ length: 2000 }, (_, V) => ({ V })) },
    } as const;
    const text = '{ source { N a, N b } filter { a.V + b.V < 0 } return { a.V as x, b.V as y } }';
    const result = runQuery(text, tableProvider(big, {}), catalogOf(big, {}), {}, 10_000);
    expect(result.rows).toEqual([]);
    expect(result.work).toBeGreaterThan(2000 * 2000);
    expect(result.work).toBeLessThan(2000 * 2010);
  });

  it('does not look for more partners of a row that is returned already', () => {
    const many = {
      ...tables,
      EVENTS: {
        ...tables['EVENTS'],
        rows: Array.from({ length: 5000 }, () => ({ AT: base, HOST_ID: 1, KIND: 'start' })),
      } as OracleTable,
    };
    const text = "{ source { HOSTS h with EVENTS e } filter { e.KIND = 'start' } return distinct { h.NAME } }";
    const result = runQuery(text, tableProvider(many, joins), catalog);
    expect(result.rows).toEqual([['web-1']]);
    // The index of the join is built once; beyond that each host costs a few units.
    expect(result.work).toBeLessThan(5050);
  });

  it('reads nothing when a condition is false for every row', () => {
    expect(run('{ source { HOSTS } filter { 1 = 2 and ID = 1 } return { ID } }').work).toBe(0);
  });
});
