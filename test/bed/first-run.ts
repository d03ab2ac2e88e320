// `npm start -- --check`: what a newcomer does first, without a person. Installs the packaged extension into a fresh VS
// Code, opens the first example, runs it by the command palette, prints the rows and leaves a picture.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { countTokenColours, openFile, runCommand, type ShownTable, waitForTable } from './actions.ts';
import { type CodeServer, launchBrowser, makeProfile, openWorkbench, runCodeServer, startServer } from './index.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const out = path.join(root, 'out');
const shownRows = 10;
const widestCell = 28;

process.exitCode = await main();

async function main(): Promise<number> {
  const profile = makeProfile();
  let server: CodeServer | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;
  mkdirSync(out, { recursive: true });
  for (const name of ['first-run.png', 'first-run-failed.png']) rmSync(path.join(out, name), { force: true });
  try {
    const folder = path.join(profile.folder, 'examples');
    cpSync(path.join(root, 'examples'), folder, { recursive: true });
    const [example] = readdirSync(folder)
      .filter((name) => name.endsWith('.lql'))
      .sort();
    if (!example) throw new Error('There is no query in examples/.');
    runCodeServer(profile, ['--install-extension', path.join(out, 'lql-studio.vsix')]);
    [server, browser] = await Promise.all([startServer({ profile }), launchBrowser()]);
    const window = await openWorkbench(browser, server, { folder });
    page = window.page;
    await window.open();
    await openFile(page, example);
    await runCommand(page, 'LQL: Run Query');
    const table = await waitForTable(page);
    const colours = await countTokenColours(page);
    if (colours < 3) throw new Error(`The query is not highlighted: its text has ${colours} colour(s).`);
    // Notifications and the mouse pointer would stand in the picture.
    await page.mouse.move(0, 0);
    await page.waitForTimeout(500);
    await page.screenshot({ path: path.join(out, 'first-run.png'), animations: 'disabled', caret: 'hide' });
    print(example, table);
    return 0;
  } catch (error) {
    const picture = path.join(out, 'first-run-failed.png');
    await page?.screenshot({ path: picture, timeout: 5000 }).catch(() => undefined);
    console.error(`The first run failed: ${error instanceof Error ? error.message : String(error)}`);
    if (page) console.error(`Picture of the window: ${path.relative(root, picture)}`);
    return 1;
  } finally {
    await browser?.close();
    await server?.stop();
    profile.remove();
  }
}

function print(example: string, table: ShownTable): void {
  const columns = table.columns.filter((column) => column !== '');
  // A leading column for row numbers has cells but no name.
  const lead = (table.rows[0]?.length ?? 0) - columns.length;
  const rows = table.rows.slice(0, shownRows).map((row) => row.slice(Math.max(0, lead)));
  const cut = (text: string): string => (text.length > widestCell ? `${text.slice(0, widestCell - 1)}…` : text);
  const widths = columns.map((column, index) =>
    Math.max(cut(column).length, ...rows.map((row) => cut(row[index] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => cut(cell).padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(`examples/${example}: ${table.status}\n`);
  console.log(line(columns));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
  console.log('\nPicture: out/first-run.png');
}
