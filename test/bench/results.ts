import { spawn } from 'node:child_process';
import path from 'node:path';
import { type BenchRow, figureRow, ratioRow } from './row.ts';

/** What the program in results/ prints. */
interface GridFigures {
  readonly name: string;
  readonly load: number;
  readonly number: number;
  readonly text: number;
  readonly filter: number;
  readonly search?: number;
  readonly scroll: number;
  readonly pageMb: number;
}

interface ResultsFigures {
  readonly rows: number;
  readonly grids: readonly GridFigures[];
  readonly firstPage: number;
  readonly roundTrip: number;
  readonly memory: { readonly heldMb: number; readonly columnsMb: number };
}

/** Rows of the gated run, and of the one that LQL_BENCH_DEEP=1 adds, which is reported only. */
const gatedRows = 100_000;
const deepRows = 500_000;

export async function benchResults(log: (line: string) => void): Promise<readonly BenchRow[]> {
  const rounds = Number(process.env['LQL_BENCH_ROUNDS'] ?? 3);
  const rows = resultRows(await measureTables(gatedRows, rounds), '');
  if (process.env['LQL_BENCH_DEEP'] !== '1') {
    log('500,000 rows too: LQL_BENCH_DEEP=1');
    return rows;
  }
  return [...rows, ...resultRows(await measureTables(deepRows, 1), '.deep')];
}

/** Measures in a process of its own: its heap holds no other section's texts, and the browser's code stays out of this project. */
function measureTables(rows: number, rounds: number): Promise<ResultsFigures> {
  const program = path.join(import.meta.dirname, 'results', 'main.ts');
  const child = spawn(process.execPath, [...process.execArgv, program, String(rows), String(rounds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(parts).toString('utf8')) as ResultsFigures);
      else reject(new Error(`Measuring the tables ended with code ${code}; what went wrong is printed above.`));
    });
  });
}

type Measure = 'load' | 'number' | 'text' | 'filter' | 'search' | 'scroll';

const measures: Readonly<Record<Measure, string>> = {
  load: 'load',
  number: 'sort a number',
  text: 'sort a unique text',
  filter: 'filter a text',
  search: 'search all columns',
  scroll: 'scroll by 10 rows, p50',
};

function resultRows({ rows, grids, firstPage, roundTrip, memory }: ResultsFigures, deep: string): BenchRow[] {
  const [ours, ...libraries] = grids;
  if (ours === undefined) return [];
  const thousands = `${rows / 1000}k rows`;
  const lines: BenchRow[] = [];
  for (const measure of Object.keys(measures) as Measure[]) {
    const own = ours[measure];
    if (own === undefined) continue;
    const peers = libraries.flatMap(({ name, [measure]: value }) => (value === undefined ? [] : [{ name, value }]));
    peers.sort((a, b) => a.value - b.value);
    // The budget is against the best of them; the others are reported.
    for (const [place, peer] of peers.entries())
      lines.push(
        ratioRow(
          `results.${measure}${place === 0 ? '' : '.other'}${deep}`,
          `${measures[measure]}, ${thousands}`,
          'ms',
          own,
          peer,
        ),
      );
  }
  const columns = { name: 'bytes of the columns', value: memory.columnsMb };
  lines.push(ratioRow(`results.memory${deep}`, `memory in the host, ${thousands}`, 'MB', memory.heldMb, columns));
  const lightest = { name: 'least page of a library', value: Math.min(...libraries.map(({ pageMb }) => pageMb)) };
  lines.push(ratioRow(`results.page${deep}`, `memory of the page, ${thousands}`, 'MB', ours.pageMb, lightest));
  if (deep !== '') return lines;
  return [
    ...lines,
    figureRow('results.first', 'first rows of a page of 5,000, after its fetch', 'ms', firstPage),
    figureRow('results.round', 'a question of the view and its answer', 'ms', roundTrip),
  ];
}
