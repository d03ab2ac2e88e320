import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of DuckDB's client that the benchmark uses. The package is optional, so its own types cannot be relied on. */
interface DuckdbConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): readonly (readonly unknown[])[] }>;
  closeSync(): void;
}

interface DuckdbModule {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckdbConnection> }> };
}

export interface Duckdb {
  /** The rows of a query over the table of that form, on one thread. */
  rows(form: 'json' | 'struct', sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): void;
}

/** Loads the lines into DuckDB twice, with the event as JSON and as struct; undefined when the package is not installed beside this file. */
export async function openDuckdb(lines: readonly string[]): Promise<Duckdb | undefined> {
  const duckdb = await importDuckdb();
  if (duckdb === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'lql-bench-'));
  const file = path.join(folder, 'events.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const read = (columns: string): string =>
    `read_json('${file}', format = 'newline_delimited', columns = {EVENT_TIME: 'TIMESTAMP', EVENT_NAME: 'VARCHAR', EVENT_SOURCE: 'VARCHAR', EVENT: '${columns}'})`;
  const struct =
    'STRUCT(eventName VARCHAR, awsRegion VARCHAR, sourceIPAddress VARCHAR, errorCode VARCHAR, userIdentity STRUCT(type VARCHAR, arn VARCHAR), requestParameters STRUCT(bucketName VARCHAR, key VARCHAR), resources STRUCT(type VARCHAR, ARN VARCHAR)[])';
  await connection.run('set threads = 1');
  for (const [form, type] of [
    ['json', 'JSON'],
    ['struct', struct],
  ] as const) {
    await connection.run(`create schema ${form}; create table ${form}.events as select * from ${read(type)}`);
  }
  rmSync(folder, { recursive: true });
  return {
    async rows(form, sql) {
      await connection.run(`set schema = '${form}'`);
      return (await connection.runAndReadAll(sql)).getRows();
    },
    close: () => connection.closeSync(),
  };
}

async function importDuckdb(): Promise<DuckdbModule | undefined> {
  try {
    const entry = createRequire(import.meta.url).resolve('@duckdb/node-api');
    return (await import(pathToFileURL(entry).href)) as DuckdbModule;
  } catch {
    return undefined;
  }
}
