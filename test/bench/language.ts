// The language rows of the benchmark: reading, checking and completing a query of thirty lines, beside parsers that are in wide use,
// each measured in this process and this run.
import { buildSchema, type GraphQLSchema, parse as parseGraphql, validate } from 'graphql';
import { analyzeText, createLanguageService } from '../../server/core/language/language-service.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { pathologicalFamilies } from '../generators/pathological.ts';
import { catalogSize, largeCatalog, largeSchemaText, thirtyLines, thirtyLinesOfGraphql } from './language-texts.ts';
import { type Contender, heldBytes, keep, kept, measure } from './measure.ts';
import { parseByHand } from './peers/hand-written.ts';
import { openKusto } from './peers/kusto.ts';
import { openPeers } from './peers/optional-peers.ts';
import { type BenchRow, figureRow, ratioRow } from './row.ts';

export async function benchLanguage(log: (line: string) => void): Promise<readonly BenchRow[]> {
  const schema = buildSchema(largeSchemaText());
  const catalog = largeCatalog();
  const settings = { catalog, vendorPrefix: 'SVC' };
  checkTexts(schema);
  const peers = await openPeers(log);
  const service = createLanguageService(settings);
  const offset = thirtyLines.indexOf('groups.ARN') + 'groups.'.length;
  const analyzed = service.analyze('completion', thirtyLines);

  log('reading and checking …');
  const contenders: Record<string, Contender> = {
    hand: () => parseByHand(thirtyLines),
    parse: () => parse(thirtyLines),
    check: () => analyzeText(thirtyLines, settings).diagnostics,
    complete: () => service.complete(analyzed, offset, { snippets: true }),
    graphql: () => validate(schema, parseGraphql(thirtyLinesOfGraphql)),
    ...(peers.sql === undefined ? {} : { sql: peers.sql }),
    ...(peers.lezer === undefined ? {} : { lezer: peers.lezer }),
  };
  const times = measure(contenders);
  const time = (name: string): number => times[name] ?? Number.NaN;
  const graphql = { name: 'graphql-js parse + validate', value: time('graphql') };
  const rows: BenchRow[] = [
    ratioRow('parse.graphql', 'parse + tree, 30 lines', 'µs', time('parse'), graphql),
    ratioRow('parse.floor', 'parse + tree, 30 lines', 'µs', time('parse'), {
      name: 'hand-written descent',
      value: time('hand'),
    }),
    ratioRow('check.graphql', 'all diagnostics, 2,300 datasources', 'µs', time('check'), graphql),
  ];
  if (peers.lezer !== undefined) {
    rows.push(
      ratioRow('parse.lezer', 'parse + tree, 30 lines', 'µs', time('parse'), {
        name: 'Lezer (its JavaScript)',
        value: time('lezer'),
      }),
    );
  }
  if (peers.sql !== undefined) {
    rows.push(
      ratioRow('check.sql', 'all diagnostics, 2,300 datasources', 'µs', time('check'), {
        name: 'dt-sql-parser',
        value: time('sql'),
      }),
    );
  }
  const kusto = openKusto(catalogSize);
  if (kusto === undefined) {
    log('not compared with Kusto: npm install in test/bench');
    rows.push(figureRow('complete', 'completion at a column', 'µs', time('complete')));
  } else {
    log('Kusto …');
    const slow = measure(
      { ...kusto, check: contenders['check'] ?? (() => undefined), own: contenders['complete'] ?? (() => undefined) },
      { warmUp: 1_500, rounds: 9, sample: 1 },
    );
    const analysis = { name: 'Kusto analysis', value: slow.analyse };
    const completion = { name: 'Kusto completion', value: slow.complete };
    rows.push(
      ratioRow('check.kusto', 'all diagnostics, 2,300 datasources', 'µs', slow.check, analysis),
      ratioRow('complete.kusto', 'completion at a column', 'µs', slow.own, completion),
    );
  }

  log('growth …');
  rows.push(...growthRows());
  log('a workspace of 2,000 files …');
  rows.push(...workspaceRows(settings));
  rows.push(memoryRow());
  return rows;
}

/** The texts must be sound, or what is measured is the making of messages. */
function checkTexts(schema: GraphQLSchema): void {
  const problems = [
    ...analyzeText(thirtyLines, { catalog: largeCatalog(), vendorPrefix: 'SVC' }).diagnostics.map(
      ({ message }) => message,
    ),
    ...validate(schema, parseGraphql(thirtyLinesOfGraphql)).map(({ message }) => message),
  ];
  if (problems.length > 0) throw new Error(`The texts of the benchmark have problems: ${problems.join(' ')}`);
  parseByHand(thirtyLines);
}

/** Parser steps of twice the text, over those of the text: the worst family, and ordinary text of a megabyte. */
function growthRows(): readonly BenchRow[] {
  const families = Object.values(pathologicalFamilies).map(
    (make) => parse(make(8_000)).steps / parse(make(4_000)).steps,
  );
  const ordinary = (megabytes: number): string =>
    thirtyLines.replace('and value_exists', `${conditions(megabytes)} and value_exists`);
  const half = ordinary(0.5);
  const whole = ordinary(1);
  const start = performance.now();
  const { steps } = parse(whole);
  const milliseconds = performance.now() - start;
  return [
    figureRow(
      'growth.pathological',
      `steps of twice the text, worst of ${families.length} pathological families`,
      'ratio',
      Math.max(...families),
    ),
    figureRow('growth.ordinary', 'steps of a megabyte over those of half', 'ratio', steps / parse(half).steps),
    figureRow('growth.time', 'parsing a megabyte', 'ms', milliseconds),
  ];
}

function conditions(megabytes: number): string {
  const line =
    "\n    and (permission:FromPort <> 22 or range:CidrIp like '10.%' or groups.RESOURCE_CONFIG:a.b::string = 'x')";
  return line.repeat(Math.round((megabytes * 1_000_000) / line.length));
}

/** Two thousand queries, all different, each seen for the first time. */
function workspaceRows(settings: Parameters<typeof createLanguageService>[0]): readonly BenchRow[] {
  const files = Array.from({ length: 2_000 }, (_, i) =>
    thirtyLines.replace('0.0.0.0/0', `10.0.${i % 256}.${i >> 8}/32`),
  );
  const before = heldBytes();
  const service = createLanguageService(settings);
  const start = performance.now();
  for (const [i, text] of files.entries()) keep(service.analyze(String(i), text).diagnostics);
  const seconds = (performance.now() - start) / 1000;
  const bytes = heldBytes() - before;
  keep(service);
  return [
    figureRow('workspace.speed', 'cold check of 2,000 files', 'files/s', files.length / seconds),
    figureRow('workspace.memory', 'memory held by 2,000 checked files', 'MB', bytes / 1_000_000),
  ];
}

/** Memory that the result of parsing a megabyte of queries as people write them holds, its text not counted. */
function memoryRow(): BenchRow {
  const text = `union {\n${Array.from({ length: Math.round(1_000_000 / thirtyLines.length) }, () => thirtyLines).join(',\n')}}`;
  const { diagnostics } = parse(text);
  if (diagnostics.length > 0) throw new Error('the megabyte has syntax errors');
  keep(undefined);
  const before = heldBytes();
  keep(parse(text));
  const held = heldBytes() - before;
  if (kept() === undefined) throw new Error('the tree was not kept');
  return figureRow(
    'parse.memory',
    'memory held by the tree of a megabyte',
    'MB',
    (held * 1_000_000) / text.length / 1_000_000,
  );
}
