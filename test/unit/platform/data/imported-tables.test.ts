import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { valueAt } from '../../../../server/core/engine/table.ts';
import { createImportedTables, type ImportedTable } from '../../../../server/platform/data/imported-tables.ts';
import { createClock, signIn } from '../signed-in.ts';

let data = '';
let folder = '';
beforeEach(() => {
  data = mkdtempSync(path.join(os.tmpdir(), 'platform-import-'));
  folder = path.join(data, 'datasources');
  mkdirSync(folder);
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);

function rowsOf({ table }: ImportedTable): unknown[] {
  return Array.from({ length: table.rowCount }, (_, row) =>
    Object.fromEntries(
      table.columns.flatMap((column) => {
        const vector = table.column(column.name);
        const value = vector === undefined ? undefined : valueAt(vector, row);
        return value === undefined ? [] : [[column.name, value]];
      }),
    ),
  );
}

function only(): ImportedTable {
  const [table] = createImportedTables(folder).list();
  if (table === undefined) throw new Error(createImportedTables(folder).problems().join());
  return table;
}

describe('imported tables', () => {
  test('infer their columns from what the rows hold', () => {
    put(
      'Events.ndjson',
      [
        '{"WHEN":"2031-04-01T10:00:00.000Z","ID":9223372036854775807,"OK":true,"WHO":"ann","DETAIL":{"a":[1]},"MIXED":1,"NOTE":null}',
        '',
        '{"WHEN":"2031-04-01T11:00:00Z","ID":2,"OK":false,"WHO":"bob","DETAIL":null,"MIXED":"x","LATER":1.5}',
      ].join('\n'),
    );
    const imported = only();
    expect(imported.name).toBe('Events');
    expect(imported.table.columns.map(({ name, type }) => [name, type])).toEqual([
      ['WHEN', 'timestamp'],
      ['ID', 'number'],
      ['OK', 'string'],
      ['WHO', 'string'],
      ['DETAIL', 'json'],
      ['MIXED', 'json'],
      ['NOTE', 'string'],
      ['LATER', 'number'],
    ]);
    expect(rowsOf(imported)).toEqual([
      {
        WHEN: Date.parse('2031-04-01T10:00:00Z'),
        ID: 9223372036854775807n,
        OK: 'true',
        WHO: 'ann',
        DETAIL: { a: [1] },
        MIXED: 1,
      },
      {
        WHEN: Date.parse('2031-04-01T11:00:00Z'),
        ID: 2,
        OK: 'false',
        WHO: 'bob',
        DETAIL: null,
        MIXED: 'x',
        LATER: 1.5,
      },
    ]);
  });

  test.each([
    ['a list', 'T.json', '[{"A":1},{"A":2}]'],
    ['an answer of the service', 'T.json', '{"data":[{"A":1},{"A":2}],"ok":true}'],
    ['lines', 'T.jsonl', '{"A":1}\n{"A":2}'],
    ['CSV', 'T.csv', 'A\n1\n2\n'],
    ['CSV of a spreadsheet', 'T.csv', '\uFEFF"A"\r\n"1"\r\n"2"\r\n'],
    ['packed lines', 'T.ndjson.gz', gzipSync('{"A":1}\n{"A":2}\n')],
  ])('%s gives the same rows', (_, name, content) => {
    put(name, content);
    expect(rowsOf(only())).toEqual([{ A: 1 }, { A: 2 }]);
  });

  test('a CSV field holds JSON, text, a number, or nothing', () => {
    put('T.csv', 'J,N,S,E\n"{""a"":{""b"":1}}",00123,"x, y",\n[1],5,7up,\n');
    const imported = only();
    expect(imported.table.columns.map(({ type }) => type)).toEqual(['json', 'json', 'string', 'string']);
    expect(rowsOf(imported)).toEqual([
      { J: { a: { b: 1 } }, N: '00123', S: 'x, y' },
      { J: [1], N: 5, S: '7up' },
    ]);
  });

  test.each([
    ['Broken.ndjson', '{"A":1}\n{"A":', 'Line 2'],
    ['Broken.json', '{"rows":[]}', 'list of objects'],
    ['Broken.json', '[1]', 'Entry 1'],
    ['Empty.csv', '', 'empty'],
    ['Nothing.json', '[]', 'no rows'],
    ['Torn.json.gz', Buffer.from('not gzip'), 'Torn.json.gz'],
  ])('%s is left out with a reason', (name, content, reason) => {
    put(name, content);
    const tables = createImportedTables(folder);
    expect(tables.list()).toEqual([]);
    expect(tables.problems().join()).toContain(reason);
  });

  test('files with other names are not looked at', () => {
    for (const name of ['.hidden.json', 'with space.json', '1st.csv', 'notes.txt', 'a-b.json']) put(name, '[{"A":1}]');
    const tables = createImportedTables(folder);
    expect([tables.list(), tables.problems()]).toEqual([[], []]);
    expect(createImportedTables(path.join(folder, 'missing')).list()).toEqual([]);
  });

  test('a changed file is read again, a removed one is gone', () => {
    const tables = createImportedTables(folder);
    put('T.json', '[{"A":1}]');
    const [first] = tables.list();
    expect(tables.list()[0]?.table).toBe(first?.table);
    put('T.json', '[{"A":1},{"A":2}]');
    expect(tables.list()[0]?.table.rowCount).toBe(2);
    rmSync(path.join(folder, 'T.json'));
    expect(tables.list()).toEqual([]);
  });
});

describe('own datasources on the platform', () => {
  test('are listed, queried over a range, and take the place of a sample of the same name', async () => {
    put('SVC_HE_MACHINES.csv', 'BATCH_END_TIME,HOSTNAME\n2031-04-02T11:00:00Z,mine-01\n2031-04-01T01:00:00Z,mine-02\n');
    const { call, execute } = await signIn({ dataFolder: data }, createClock());
    const names: string[] = (await call('GET', '/Datasources')).body.data.map((entry: { name: string }) => entry.name);
    expect(names.filter((name) => name === 'SVC_HE_MACHINES')).toHaveLength(1);
    const { body } = await execute('{ source { SVC_HE_MACHINES } return { HOSTNAME, BATCH_END_TIME } }');
    expect(body.data).toEqual([{ HOSTNAME: 'mine-01', BATCH_END_TIME: '2031-04-02T11:00:00.000Z' }]);
  });
});
