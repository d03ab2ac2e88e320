import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { repoRoot } from '../../harness/paths.ts';
import type { Contender } from '../measure.ts';
import { javascriptText, sqlText } from './peer-texts.ts';

/** Peers that only the benchmark needs; each is left out where it is not installed (npm install in test/bench). */
export interface Peers {
  readonly sql: Contender | undefined;
  readonly lezer: Contender | undefined;
}

const require = createRequire(import.meta.url);

/** Bundles a package and loads it: some are written for bundlers and cannot be loaded as they are. */
async function load(name: string): Promise<Record<string, unknown> | undefined> {
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    return undefined;
  }
  const outfile = path.join(repoRoot, 'out', 'bench', `${name.replaceAll(/\W+/g, '-')}.mjs`);
  await build({ entryPoints: [entry], bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'error' });
  const loaded = (await import(pathToFileURL(outfile).href)) as Record<string, unknown>;
  return { ...(loaded['default'] as object | undefined), ...loaded };
}

export async function openPeers(log: (line: string) => void): Promise<Peers> {
  const peers = { sql: await openSql(), lezer: await openLezer() };
  const missing = Object.entries(peers).flatMap(([name, peer]) => (peer === undefined ? [name] : []));
  if (missing.length > 0) log(`not compared with ${missing.join(', ')}: npm install in test/bench`);
  return peers;
}

/** dt-sql-parser: a SQL parser on ANTLR with error recovery; gives the errors of a text. */
async function openSql(): Promise<Contender | undefined> {
  const library = await load('dt-sql-parser');
  if (library === undefined) return undefined;
  type Parser = new () => { validate(text: string): readonly unknown[] };
  const { MySQL } = library as { readonly MySQL?: Parser };
  if (MySQL === undefined) return undefined;
  const parser = new MySQL();
  if (parser.validate(sqlText).length > 0) throw new Error('dt-sql-parser does not take the SQL text of the benchmark');
  // A blank more or less each time, because the parser remembers the text it read last.
  let round = 0;
  return () => parser.validate(round++ % 2 === 0 ? sqlText : `${sqlText} `);
}

/** Lezer: an incremental LR parser with recovery, here with its grammar of JavaScript. */
async function openLezer(): Promise<Contender | undefined> {
  const library = await load('@lezer/javascript');
  const parser = library?.['parser'] as { parse(text: string): unknown } | undefined;
  return parser === undefined ? undefined : () => parser.parse(javascriptText);
}
