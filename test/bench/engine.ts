import { createExecution } from '../../server/core/engine/create-execution.ts';
import { createTableBuilder, type TableProvider, type TableSource } from '../../server/core/engine/table.ts';
import type { Catalog, Column } from '../../server/core/language/catalog/catalog.ts';
import { analyze } from '../../server/core/language/semantics/analyze.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { parseJson } from '../../server/core/language/values/json.ts';
import { parseTimestamp } from '../../server/core/language/values/timestamps.ts';
import type { JsonObject, Value } from '../../server/core/language/values/value.ts';
import { openDuckdb } from './engine-duckdb.ts';
import { eachEventLine, firstEventTime } from './engine-events.ts';
import { interpret } from './engine-interpreter.ts';

/** One line of the benchmark's report: a measured time and what it is compared with. */
export interface EngineRow {
  readonly name: string;
  readonly milliseconds: number;
}

export interface EngineBench {
  readonly events: number;
  readonly rows: readonly EngineRow[];
  /** Queries whose rows differ from those of another engine; must be empty. */
  readonly differences: readonly string[];
}

interface BenchQuery {
  readonly name: string;
  readonly lql: string;
  /** The same question to DuckDB over a JSON column and over a struct. */
  readonly json: string;
  readonly struct: string;
}

const queries: readonly BenchQuery[] = [
  {
    name: 'column filter, paths, expansion, distinct',
    lql: `{ source { EVENTS e, array_to_rows(e.EVENT:resources) as (r) }
      filter { e.EVENT_NAME in ('PutBucketPolicy', 'DeleteBucket') and e.EVENT:errorCode is null and r:type = 'AWS::S3::Bucket' }
      return distinct { EVENT_NAME, r:ARN::string as arn, e.EVENT:userIdentity.arn::string as who } }`,
    json: `select distinct event_name, (r->>'$.ARN'), (event->>'$.userIdentity.arn')
      from (select event_name, event, unnest((event->'$.resources')::json[]) r from events
        where event_name in ('PutBucketPolicy', 'DeleteBucket') and (event->>'$.errorCode') is null) where (r->>'$.type') = 'AWS::S3::Bucket'`,
    struct: `select distinct event_name, r.ARN, who
      from (select event_name, event.userIdentity.arn who, unnest(event.resources) r from events
        where event_name in ('PutBucketPolicy', 'DeleteBucket') and event.errorCode is null) where r.type = 'AWS::S3::Bucket'`,
  },
  {
    name: 'JSON filter over every event',
    lql: `{ source { EVENTS e } filter { e.EVENT:userIdentity.type = 'Root' and e.EVENT:awsRegion = 'eu-west-1' and starts_with(e.EVENT:sourceIPAddress, '203.') }
      return distinct { e.EVENT:userIdentity.arn::string as who, e.EVENT:eventName::string as what } }`,
    json: `select distinct (event->>'$.userIdentity.arn'), (event->>'$.eventName') from events
      where (event->>'$.userIdentity.type') = 'Root' and (event->>'$.awsRegion') = 'eu-west-1' and starts_with(event->>'$.sourceIPAddress', '203.')`,
    struct: `select distinct event.userIdentity.arn, event.eventName from events
      where event.userIdentity.type = 'Root' and event.awsRegion = 'eu-west-1' and starts_with(event.sourceIPAddress, '203.')`,
  },
];

const columns: readonly Column[] = [
  { name: 'EVENT_TIME', type: 'timestamp', description: undefined },
  { name: 'EVENT_NAME', type: 'string', description: undefined },
  { name: 'EVENT_SOURCE', type: 'string', description: undefined },
  { name: 'EVENT', type: 'json', description: undefined },
];

/** Measures loading and queries of `count` events: ours, an interpreter, and DuckDB where `duckdb` says it is installed. */
export async function benchEngine(count: number, log: (line: string) => void): Promise<EngineBench> {
  const rows: EngineRow[] = [];
  const differences: string[] = [];
  const report = (name: string, milliseconds: number): void => {
    rows.push({ name, milliseconds });
    log(`${name.padEnd(64)} ${milliseconds.toFixed(1).padStart(9)} ms`);
  };
  const lines: string[] = [];
  eachEventLine(count, (line) => lines.push(line));

  report(
    'load: JSON.parse of the lines',
    best(3, () => lines.map((line) => JSON.parse(line) as unknown)),
  );
  let table: TableSource | undefined;
  report(
    'load: engine table',
    best(3, () => {
      table = load(lines);
    }),
  );
  const objects = lines.map((line) => parseJson(line) as JsonObject);
  const duckdb = await openDuckdb(lines);
  if (duckdb === undefined) log('DuckDB is not installed (npm install in test/bench): its rows are left out.');
  else for (const [name, milliseconds] of duckdb.loadTimes) report(`load: ${name}`, milliseconds);

  for (const query of queries) {
    const run = (): Value[][] => execute(query.lql, table as TableSource);
    let result: Value[][] = [];
    report(
      `${query.name}: engine, first run`,
      best(1, () => {
        result = run();
      }),
    );
    report(`${query.name}: engine`, best(9, run));
    const { query: tree } = parse(query.lql).file;
    if (tree?.kind !== 'query') throw new Error('The benchmark query does not parse.');
    report(
      `${query.name}: AST interpreter`,
      best(5, () => interpret(tree.body, objects)),
    );
    compare(query.name, 'the interpreter', result, interpret(tree.body, objects), differences);
    if (duckdb === undefined) continue;
    for (const form of ['json', 'struct'] as const) {
      for (const threads of [1, 2]) {
        const milliseconds = await duckdb.time(form, query[form], threads);
        report(`${query.name}: DuckDB ${form}, ${threads} thread${threads === 1 ? '' : 's'}`, milliseconds);
      }
    }
    compare(query.name, 'DuckDB', result, await duckdb.rows('json', query.json), differences);
  }
  duckdb?.close();
  return { events: count, rows, differences };
}

function load(lines: readonly string[]): TableSource {
  const builder = createTableBuilder({ name: 'EVENTS', columns, timeColumn: 'EVENT_TIME' });
  for (const line of lines) {
    const row = parseJson(line) as { EVENT_TIME: Value };
    row.EVENT_TIME = parseTimestamp(row.EVENT_TIME as string);
    builder.append(row);
  }
  return builder.finish();
}

function execute(text: string, table: TableSource): Value[][] {
  const provider: TableProvider = { open: () => table, joinKeys: () => undefined };
  const datasource = {
    name: 'EVENTS',
    description: undefined,
    columns,
    columnsFrom: 'inline',
    relationships: [],
  } as const;
  const catalog: Catalog = {
    version: '1',
    origin: 'account',
    vendorPrefix: 'SVC',
    datasources: new Map([['EVENTS', datasource]]),
  };
  const model = analyze(parse(text), { catalog, vendorPrefix: 'SVC' });
  const range = { now: firstEventTime, startTime: firstEventTime, endTime: Number.MAX_SAFE_INTEGER };
  const execution = createExecution(model, provider, range);
  while (!execution.step(1_000_000));
  if (execution.error !== undefined) throw new Error(execution.error.message);
  return execution.takeRows();
}

/** The least of several timings: the least disturbed by whatever else runs on the machine. */
function best(times: number, action: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    action();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** Compares two sets of rows, whatever their order. */
function compare(
  query: string,
  other: string,
  ours: readonly (readonly Value[])[],
  theirs: readonly (readonly unknown[])[],
  differences: string[],
): void {
  const normal = (rows: readonly (readonly unknown[])[]): string =>
    rows
      .map((row) => JSON.stringify(row.map((value) => value ?? null)))
      .sort()
      .join('\n');
  if (normal(ours) !== normal(theirs)) {
    differences.push(`${query}: ${ours.length} rows here, ${theirs.length} rows by ${other}, or other values in them`);
  }
}

if (import.meta.main) {
  const count = Number(process.argv[2] ?? 100_000);
  const { differences } = await benchEngine(count, (line) => console.log(line));
  for (const difference of differences) console.error(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
