// The benchmark: `npm run bench` prints every row as a table.
//
//   npm run bench -- --only language,engine    some sections
//   npm run bench -- --json FILE               the rows as JSON, too
//   npm run bench -- --check                   exit code 1 when a gate of budgets.json is missed
//   npm run bench -- --events 500000           events of the engine section (200,000 otherwise)
//   LQL_BENCH_DEEP=1 npm run bench             500,000 rows of results, too, and 1,000,000 events
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchEngine, engineBudgets, engineQueries } from './engine.ts';
import { benchHttp, httpBudget } from './http.ts';
import { benchLanguage } from './language.ts';
import { benchLanguageServer } from './language-server.ts';
import { benchPlatform, platformBudgets } from './platform.ts';
import { benchResults } from './results.ts';
import { type BenchRow, type Budgets, figureRow, printRows, ratioRow, verdictOf } from './row.ts';

type Section = (log: (line: string) => void, options: { readonly events: number }) => Promise<readonly BenchRow[]>;

const sections: Readonly<Record<string, Section>> = {
  language: benchLanguage,
  'language-server': serverRows,
  http: httpRows,
  engine: engineRows,
  results: benchResults,
  platform: platformRows,
};

/** Limits that live beside what they limit. */
const allBudgets: Budgets = {
  ...(JSON.parse(readFileSync(path.join(import.meta.dirname, 'budgets.json'), 'utf8')) as Budgets),
  'http.plain': { limit: httpBudget, gate: true },
  'http.wide': { limit: httpBudget, gate: true },
  'engine.load': { limit: engineBudgets.load, gate: false },
  'platform.start': { limit: platformBudgets.start, gate: false },
  'platform.request': { limit: platformBudgets.request, gate: false },
  'platform.cancel': { limit: platformBudgets.cancel, gate: false },
  ...Object.fromEntries(
    engineQueries.flatMap((_, index) => [
      [`engine.query${index}.json`, { limit: engineBudgets.duckdbJson, gate: true }],
      [`engine.query${index}.struct`, { limit: engineBudgets.duckdbStruct, gate: true }],
    ]),
  ),
  'engine.differences': { limit: 0, gate: true },
};

async function serverRows(log: (line: string) => void): Promise<readonly BenchRow[]> {
  const { bareNodeMs, bareNodeMb, servers } = await benchLanguageServer(log);
  const bare = { name: 'bare node', value: bareNodeMs };
  const ours = servers[0];
  if (ours === undefined) return [];
  const others = servers.slice(1);
  return [
    ratioRow('server.start', 'spawn until initialize is answered', 'ms', ours.startMs, bare),
    ...others.flatMap((peer) => [
      ratioRow('server.start.peer', 'spawn until initialize is answered', 'ms', ours.startMs, {
        name: peer.name,
        value: peer.startMs,
      }),
      ratioRow('server.diagnostics.peer', 'keystroke until diagnostics, p95', 'ms', ours.diagnosticsMs, {
        name: peer.name,
        value: peer.diagnosticsMs,
      }),
      ratioRow('server.completion.peer', 'keystroke until completion, p95', 'ms', ours.completionMs, {
        name: peer.name,
        value: peer.completionMs,
      }),
    ]),
    ...(ours.memoryMb === undefined || bareNodeMb === undefined
      ? []
      : [figureRow('server.memory', 'resident memory above bare node', 'MB', ours.memoryMb - bareNodeMb)]),
  ];
}

async function httpRows(): Promise<readonly BenchRow[]> {
  const { parsed, client, clientWide, ratioWide } = await benchHttp();
  const peer = { name: 'undici + JSON.parse', value: parsed };
  return [
    ratioRow('http.plain', 'a page of 5,000 rows', 'ms', client, peer),
    ratioRow('http.wide', 'the same with integers beyond 2^53', 'ms', clientWide, {
      ...peer,
      value: clientWide / ratioWide,
    }),
  ];
}

async function engineRows(
  log: (line: string) => void,
  { events }: { readonly events: number },
): Promise<readonly BenchRow[]> {
  log(`${events.toLocaleString('en')} events …`);
  const { load, queries, differences } = await benchEngine(events);
  for (const difference of differences) log(difference);
  return [
    ratioRow('engine.load', 'loading events', 'ms', load.engine, { name: 'JSON.parse', value: load.jsonParse }),
    ...queries.flatMap(({ name, engine, interpreter, duckdbJson, duckdbStruct }, i) => [
      ratioRow(`engine.query${i}.interpreter`, name, 'ms', engine, { name: 'interpreter', value: interpreter }),
      ...(duckdbJson === undefined
        ? []
        : [ratioRow(`engine.query${i}.json`, name, 'ms', engine, { name: 'DuckDB JSON', value: duckdbJson })]),
      ...(duckdbStruct === undefined
        ? []
        : [ratioRow(`engine.query${i}.struct`, name, 'ms', engine, { name: 'DuckDB struct', value: duckdbStruct })]),
    ]),
    figureRow('engine.differences', 'queries with other rows than another engine', 'count', differences.length),
  ];
}

async function platformRows(): Promise<readonly BenchRow[]> {
  const { start, bareNode, requests, cancel } = await benchPlatform();
  return [
    figureRow(
      'platform.start',
      `platform: spawn until it says where it is (bare node ${bareNode.toFixed(0)} ms)`,
      'ms',
      start,
    ),
    figureRow(
      'platform.cancel',
      'platform: a socket is closed until its execution over the lab has ended',
      'ms',
      cancel,
    ),
    ...requests.map(({ name, median }) => figureRow('platform.request', `platform: ${name}, median`, 'ms', median)),
  ];
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
    events: { type: 'string', default: process.env['LQL_BENCH_DEEP'] ? '1000000' : '200000' },
  },
});
const chosen = values.only === undefined ? Object.keys(sections) : values.only.split(',');
const unknown = chosen.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  console.error(`No section ${unknown.join(', ')}. Sections: ${Object.keys(sections).join(', ')}`);
  process.exit(2);
}
const log = (line: string): void => console.error(line);
const rows: BenchRow[] = [];
for (const name of chosen) {
  log(`== ${name}`);
  rows.push(...((await sections[name]?.(log, { events: Number(values.events) })) ?? []));
}
console.log(printRows(rows, allBudgets));
if (values.json !== undefined) {
  const figures = rows.map((row) => ({ ...row, budget: allBudgets[row.id], verdict: verdictOf(row, allBudgets) }));
  writeFileSync(values.json, `${JSON.stringify(figures, undefined, 1)}\n`);
}
if (values.check) {
  const missed = rows.filter((row) => verdictOf(row, allBudgets) === 'missed');
  for (const row of missed) console.error(`missed: ${row.what} (${row.id})`);
  if (missed.length > 0) process.exitCode = 1;
}
