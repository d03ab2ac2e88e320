import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import type { Grid, GridPage } from './grid-page.ts';
import type { LibraryPage } from './page/library-page.ts';

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

async function serve(library: Library): Promise<Server> {
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
  const answers = new Map<string, readonly [string, string]>([
    ['/', ['text/html; charset=utf-8', html]],
    ...outputFiles.map(
      (file) =>
        [`/${path.basename(file.path)}`, ['text/javascript', file.text]] as readonly [
          string,
          readonly [string, string],
        ],
    ),
  ]);
  const server = createServer((request, response) => {
    const [type, body] = answers.get(request.url ?? '') ?? ['text/plain', ''];
    response.writeHead(answers.has(request.url ?? '') ? 200 : 404, { 'content-type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** A page of its own with the library's grid, fed by a worker that stands for an extension host. */
async function openLibrary(browser: Browser, library: Library, count: number): Promise<GridPage> {
  const server = await serve(library);
  const context = await browser.newContext({ viewport: { width: 1100, height: 600 } });
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`${library.name}: ${error.message}`));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate((rows) => (globalThis as unknown as { bench: LibraryPage }).bench.prepare(rows), count);
  const time = (
    task: 'sort' | 'filter' | 'search',
    args: readonly [string, boolean | string] | readonly [string],
    first: string,
  ): Promise<number> =>
    page.evaluate(
      (call) => (globalThis as unknown as { bench: LibraryPage }).bench.time(call.task, call.args, call.first),
      { task, args, first },
    );
  return {
    load: (first) => page.evaluate((text) => (globalThis as unknown as { bench: LibraryPage }).bench.load(text), first),
    sort: (column, numeric, first) => time('sort', [column, numeric], first),
    filter: (column, needle, first) => time('filter', [column, needle], first),
    search: (needle, first) => time('search', [needle], first),
    clear: (first) =>
      page.evaluate(async (text) => {
        const { bench } = globalThis as unknown as { bench: LibraryPage };
        bench.contestant.clear();
        await bench.probe.shows(text);
      }, first),
    scroll: (rows, steps) =>
      page.evaluate(([by, times]) => (globalThis as unknown as { bench: LibraryPage }).bench.probe.scroll(by, times), [
        rows,
        steps,
      ] as const),
    async heldMb() {
      const session = await context.newCDPSession(page);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 2 ** 20;
    },
    async close() {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
