// Measures the table of results beside libraries, all in one headless Chromium; prints the figures as JSON. `npm run bench -- --only results`
// starts it in a process of its own, so that the memory it counts is the table's.
import { setTimeout } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { findChromium } from '../../bed/install.mjs';
import { heldBytes, median } from '../measure.ts';
import type { Grid, GridPage } from './grid-page.ts';
import { installedLibraries } from './library.ts';
import { holdRows, roundTrip } from './memory.ts';
import { ourGrid } from './ours.ts';
import { benchRows, type Tasks, tasksOver } from './rows.ts';

/** Milliseconds unless the name says MB. */
export interface GridFigures {
  readonly name: string;
  readonly load: number;
  readonly number: number;
  readonly text: number;
  readonly filter: number;
  readonly search: number | undefined;
  readonly scroll: number;
  readonly pageMb: number;
}

export interface ResultsFigures {
  readonly rows: number;
  /** Ours first. */
  readonly grids: readonly GridFigures[];
  /** Milliseconds from a page of 5,000 rows being fetched to its first rows being painted. */
  readonly firstPage: number;
  /** Milliseconds of a question of the view and its answer. */
  readonly roundTrip: number;
  readonly memory: { readonly heldMb: number; readonly columnsMb: number };
}

/** The first one or two of a page run in code that is not compiled yet. */
const samplesPerTask = 5;

/**
 * Milliseconds between a page being opened and its rows. A browser goes on for most of a second with work of its own, as a process for the
 * page that may come next; on two cores that would be counted as the table's.
 */
const openingTime = 1000;

const log = (line: string): void => console.error(line);
const [count = 100_000, rounds = 3] = process.argv.slice(2).map(Number);
const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found. Run `npm run setup`, or set CHROMIUM.');
const browser = await chromium.launch({
  executablePath,
  // Frames as fast as they are made: at 60 a second each figure would be a multiple of 17 ms, whoever made it.
  args: [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-frame-rate-limit',
    '--disable-gpu-vsync',
  ],
});
try {
  const memory = holdRows(count, heldBytes);
  const tasks = tasksOver(benchRows(count));
  const grids = [ourGrid, ...installedLibraries(log)];
  const samples = new Map<Grid, GridFigures[]>(grids.map((grid) => [grid, []]));
  for (let round = 0; round < rounds; round++) {
    for (const grid of grids) {
      const figures = await measureGrid(grid, tasks);
      samples.get(grid)?.push(figures);
      log(
        `${grid.name} ${JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value))}`,
      );
    }
  }
  const firstPages: number[] = [];
  for (let round = 0; round < 5; round++) {
    const page = await ourGrid.open(browser, 5000);
    await setTimeout(openingTime);
    firstPages.push(await page.load('0'));
    await page.close();
  }
  const result: ResultsFigures = {
    rows: count,
    grids: grids.map((grid) => medianFigures(grid.name, samples.get(grid) ?? [])),
    firstPage: median(firstPages),
    roundTrip: await roundTrip(browser),
    memory,
  };
  console.log(JSON.stringify(result));
} finally {
  await browser.close();
}

async function measureGrid(grid: Grid, tasks: Tasks): Promise<GridFigures> {
  const page: GridPage = await grid.open(browser, count);
  // What a page does to be ready it does now.
  await setTimeout(openingTime);
  try {
    const load = await page.load('0');
    await setTimeout(300);
    const pageMb = await page.heldMb();
    const repeat = async (run: () => Promise<number>): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < samplesPerTask; i++) {
        times.push(await run());
        await page.clear('0');
        // A person looks at what came before asking for more.
        await setTimeout(300);
      }
      return median(times);
    };
    const { number, text, filter, search } = tasks;
    const figures = {
      number: await repeat(() => page.sort(number.column, true, number.first)),
      text: await repeat(() => page.sort(text.column, false, text.first)),
      filter: await repeat(() => page.filter(filter.column, filter.needle, filter.first)),
      search: grid.searches ? await repeat(() => page.search(search.needle, search.first)) : undefined,
    };
    const scroll = median(await page.scroll(10, 120));
    return { name: grid.name, load, ...figures, scroll, pageMb };
  } finally {
    await page.close();
  }
}

function medianFigures(name: string, samples: readonly GridFigures[]): GridFigures {
  const of = (pick: (figures: GridFigures) => number | undefined): number =>
    median(samples.map(pick).filter((value) => value !== undefined));
  return {
    name,
    load: of(({ load }) => load),
    number: of(({ number }) => number),
    text: of(({ text }) => text),
    filter: of(({ filter }) => filter),
    search: samples[0]?.search === undefined ? undefined : of(({ search }) => search),
    scroll: of(({ scroll }) => scroll),
    pageMb: of(({ pageMb }) => pageMb),
  };
}
