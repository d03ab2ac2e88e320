import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import type { PageFiles } from '../../ui/support/results-page.ts';
import type { Grid, GridPage } from './grid-page.ts';
import type { LibraryPage } from './page/library-page.ts';
import { openShell } from './shell.ts';

const here = import.meta.dirname;

interface Library {
  readonly name: string;
  readonly package: string;
  readonly file: string;
  readonly style?: string;
  readonly searches: boolean;
}

const libraries: readonly Library[] = [
  {
    name: 'SlickGrid',
    package: 'slickgrid',
    file: 'slickgrid.ts',
    style: 'slickgrid/dist/styles/css/slick.grid.css',
    searches: true,
  },
  { name: 'RevoGrid', package: '@revolist/revogrid', file: 'revogrid.ts', searches: false },
  { name: 'AG Grid', package: 'ag-grid-community', file: 'ag-grid.ts', searches: true },
];

const modules = path.join(here, '..', 'node_modules');

/** The libraries that are installed for the benchmark; `log` hears of the others. */
export function installedLibraries(log: (line: string) => void): readonly Grid[] {
  const missing = libraries.filter((library) => !existsSync(path.join(modules, library.package)));
  if (missing.length > 0)
    log(`not compared with ${missing.map(({ name }) => name).join(', ')}: npm install in test/bench`);
  return libraries
    .filter((library) => !missing.includes(library))
    .map((library) => ({
      name: library.name,
      searches: library.searches,
      open: (browser, count) => openLibrary(browser, library, count),
    }));
}

async function filesOf(library: Library): Promise<PageFiles> {
  const { outputFiles } = await build({
    entryPoints: ['library-page.ts', 'worker.ts'].map((file) => path.join(here, 'page', file)),
    bundle: true,
    // Some libraries load their parts when they are first needed.
    splitting: true,
    write: false,
    minify: true,
    format: 'esm',
    outdir: here,
    target: 'chrome142',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { contestant: path.join(here, 'page', library.file) },
    logLevel: 'error',
  });
  const style = library.style === undefined ? '' : await readFile(path.join(modules, library.style), 'utf8');
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">
<style>${style} html, body { margin: 0; height: 100% } #grid { height: 600px; width: 1100px; font: 12px monospace } revo-grid { height: 100% }</style>
</head><body><div id="grid"></div><script type="module" src="/library-page.js"></script></body></html>`;
  return new Map<string, readonly [string, string]>([
    ['/', ['text/html; charset=utf-8', html]],
    ...outputFiles.map(
      (file) =>
        [`/${path.basename(file.path)}`, ['text/javascript', file.text]] as readonly [
          string,
          readonly [string, string],
        ],
    ),
  ]);
}

/** A page of its own with the library's grid, fed by a worker that stands for an extension host. */
async function openLibrary(browser: Browser, library: Library, count: number): Promise<GridPage> {
  const shell = await openShell(
    browser,
    await filesOf(library),
    () => undefined,
    (message) => console.error(`${library.name}: ${message}`),
  );
  const { frame } = shell;
  await frame.evaluate((rows) => (globalThis as unknown as { bench: LibraryPage }).bench.prepare(rows), count);
  const time = (
    task: 'sort' | 'filter' | 'search',
    args: readonly [string, boolean | string] | readonly [string],
    first: string,
  ): Promise<number> =>
    frame.evaluate(
      (call) => (globalThis as unknown as { bench: LibraryPage }).bench.time(call.task, call.args, call.first),
      { task, args, first },
    );
  return {
    load: (first) =>
      frame.evaluate((text) => (globalThis as unknown as { bench: LibraryPage }).bench.load(text), first),
    sort: (column, numeric, first) => time('sort', [column, numeric], first),
    filter: (column, needle, first) => time('filter', [column, needle], first),
    search: (needle, first) => time('search', [needle], first),
    clear: (first) =>
      frame.evaluate(async (text) => {
        const { bench } = globalThis as unknown as { bench: LibraryPage };
        await bench.probe.shows(text, () => bench.contestant.clear());
      }, first),
    scroll: (rows, steps) =>
      frame.evaluate(([by, times]) => (globalThis as unknown as { bench: LibraryPage }).bench.probe.scroll(by, times), [
        rows,
        steps,
      ] as const),
    heldMb: () => shell.heldMb(),
    close: () => shell.close(),
  };
}
