// The engine over audit-trail events, beside an interpreter and DuckDB (npm install in this folder; left out without it).
// `node scripts/run.mjs test/bench/engine.ts 200000` prints the figures for 200,000 events.
import { createExecution } from '../../server/core/engine/create-execution.ts';
import { createTableBuilder, type TableProvider, type TableSource } from '../../server/core/engine/table.ts';
import type { Catalog, Column } from '../../server/core/language/catalog/catalog.ts';
import { analyze } from '../../server/core/language/semantics/analyze.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { parseJson } from '../../server/core/language/values/json.ts';
import type { JsonObject, Value } from '../../server/core/language/values/value.ts';
import { openDuckdb } from './engine-duckdb.ts';
import { eachEventLine, firstEventTime } from './engine-events.ts';
import { interpret } from './engine-interpreter.ts';

/** Milliseconds, the best of several rounds in which every contender has its turn. DuckDB's are undefined where it is not installed. */
export interface EngineFigures {
  readonly events: number;
  readonly load: { readonly jsonParse: number; readonly engine: number };
  readonly queries: readonly QueryFigures[];
  /** Queries whose rows differ from those of another engine; must be empty. */
  readonly differences: readonly string[];
}

export interface QueryFigures {
  readonly name: string;
  /** The first run: nothing compiled by the JIT, no dictionaries of paths. */
  readonly first: number;
  readonly engine: number;
  readonly interpreter: number;
  readonly duckdbJson: number | undefined;
  readonly duckdbStruct: number | undefined;
}

/** What the engine may take: loading against JSON.parse of the same lines, queries against DuckDB on one thread. */
export const engineBudgets = { load: 1.2, duckdbJson: 1.0, duckdbStruct: 1.5 } as const;

export interface BenchQuery {
  readonly name: string;
  readonly lql: string;
  /** The same question to DuckDB over a JSON column and over a struct. */
  readonly json: string;
  readonly struct: string;
}

export const engineQueries: readonly BenchQuery[] = [
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

/** Measures loading and queries of `count` events: our engine, an interpreter and, where it is installed, DuckDB on one thread. */
export async function benchEngine(count: number): Promise<EngineFigures> {
  const lines: string[] = [];
  eachEventLine(count, (line) => lines.push(line));
  const loading = { jsonParse: Number.POSITIVE_INFINITY, engine: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    // Loading leaves much garbage; each pays for its own.
    globalThis.gc?.();
    loading.jsonParse = Math.min(loading.jsonParse, await time(() => lines.map((line) => JSON.parse(line) as unknown)));
    globalThis.gc?.();
    loading.engine = Math.min(loading.engine, await time(() => load(lines)));
  }
  const table = load(lines);
  const objects = lines.map((line) => parseJson(line) as JsonObject);
  const duckdb = await openDuckdb(lines);
  const differences: string[] = [];
  const figures: QueryFigures[] = [];
  for (const query of engineQueries) {
    const { query: tree } = parse(query.lql).file;
    if (tree?.kind !== 'query') throw new Error('The benchmark query does not parse.');
    let ours: Value[][] = [];
    const first = await time(() => {
      ours = execute(query.lql, table);
    });
    const best = { engine: first, interpreter: first * 1000, json: first * 1000, struct: first * 1000 };
    for (let round = 0; round < 7; round++) {
      best.engine = Math.min(best.engine, await time(() => execute(query.lql, table)));
      best.interpreter = Math.min(best.interpreter, await time(() => interpret(tree.body, objects)));
      if (duckdb === undefined) continue;
      best.json = Math.min(best.json, await time(() => duckdb.rows('json', query.json)));
      best.struct = Math.min(best.struct, await time(() => duckdb.rows('struct', query.struct)));
    }
    compare(query.name, 'the interpreter', ours, interpret(tree.body, objects), differences);
    if (duckdb !== undefined) compare(query.name, 'DuckDB', ours, await duckdb.rows('json', query.json), differences);
    figures.push({
      name: query.name,
      first,
      engine: best.engine,
      interpreter: best.interpreter,
      duckdbJson: duckdb === undefined ? undefined : best.json,
      duckdbStruct: duckdb === undefined ? undefined : best.struct,
    });
  }
  duckdb?.close();
  return { events: count, load: loading, queries: figures, differences };
}

function load(lines: readonly string[]): TableSource {
  const builder = createTableBuilder({ name: 'EVENTS', columns, timeColumn: 'EVENT_TIME' });
  for (const line of lines) builder.append(parseJson(line) as JsonObject);
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

/** Milliseconds of an action. */
async function time(action: () => unknown): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
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
  const figures = await benchEngine(Number(process.argv[2] ?? 100_000));
  console.log(
    JSON.stringify(figures, (_key, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value), 2),
  );
  process.exitCode = figures.differences.length === 0 ? 0 : 1;
}
