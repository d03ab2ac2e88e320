// Columns as a person arranges, filters and copies them: with the keyboard alone, and with the pointer.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser } from '../bed/index.ts';
import { expectAccessible } from './support/accessible.ts';
import { openResults, type ResultsPage, sampleRows } from './support/results-page.ts';

let browser: Browser;
let view: ResultsPage;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  view = await openResults(browser, { width: 1300 });
  view.run.succeed(sampleRows(1000), 56, undefined);
  await view.refresh();
  ({ page } = view);
  await page.locator('#cell-0-0').waitFor();
});
afterEach(async () => {
  const { violations } = view;
  await view.close();
  expect(violations).toEqual([]);
});

const until = <Value>(get: () => Value): ReturnType<typeof expect.poll<Value>> => expect.poll(get, { timeout: 10_000 });
const headers = (): Promise<string[]> => page.locator('.header-label').allTextContents();
const rowsText = (): Promise<string | null> => page.locator('.status-rows').textContent();
const header = (name: string): Locator => page.getByRole('columnheader', { name });
const widthOf = (name: string): Promise<number> =>
  header(name).evaluate((element) => element.getBoundingClientRect().width);

/** Chooses from the menu of a column without a pointer. */
async function byKeyboard(position: number, item: string): Promise<void> {
  await page.locator('[role=grid]').focus();
  await page.keyboard.press('Control+Home');
  for (let step = 0; step < position; step++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menu').waitFor();
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.querySelector('.menu-label')?.textContent ?? '');
  for (let steps = 0; (await focused()) !== item; steps++) {
    expect(steps).toBeLessThan(20);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

async function filterBy(position: number, condition: string, ...values: string[]): Promise<void> {
  await byKeyboard(position, 'Filter…');
  await page.getByRole('combobox', { name: 'Condition' }).selectOption(condition);
  for (const [index, value] of values.entries()) await page.locator('.filter-dialog input').nth(index).fill(value);
  await page.getByRole('button', { name: 'Apply' }).click();
}

describe('by keyboard alone', () => {
  it('columns are moved, made wider, frozen, hidden and shown again, and long cells wrapped', async () => {
    await byKeyboard(1, 'Move right');
    await until(headers).toEqual([
      'EVENT_TIME',
      'ACCOUNT_ID',
      'EVENT_NAME',
      'BYTES',
      'PID_HASH',
      'ERROR_CODE',
      'EVENT',
    ]);
    await byKeyboard(2, 'Move left');
    await until(headers).toContain('EVENT_NAME');
    await until(async () => (await headers())[1]).toBe('EVENT_NAME');
    const before = await widthOf('BYTES');
    await byKeyboard(3, 'Wider');
    await until(() => widthOf('BYTES')).toBeGreaterThan(before * 1.3);
    await byKeyboard(3, 'Narrower');
    await until(() => widthOf('BYTES')).toBeLessThan(before * 1.1);
    await byKeyboard(0, 'Freeze up to here');
    await until(() => page.locator('.header-cell.frozen').count()).toBe(1);
    await byKeyboard(5, 'Hide column');
    await until(headers).not.toContain('ERROR_CODE');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Columns…' }).focus();
    for (const key of ['Enter', 'End', 'Enter']) await page.keyboard.press(key);
    await until(async () => (await headers()).length).toBe(7);
    await page.getByRole('button', { name: 'Wrap long cells' }).focus();
    await page.keyboard.press('Enter');
    await until(() => page.locator('.grid.wrap').count()).toBe(1);
  });
  it('rows are sorted by several columns', async () => {
    await byKeyboard(1, 'Sort ascending');
    await byKeyboard(3, 'Add to sorting');
    await until(() => page.locator('.sort-order').allTextContents()).toEqual(['1', '2']);
    expect(await header('EVENT_NAME').getAttribute('aria-sort')).toBe('ascending');
  });
  it('a column is filtered by a range of numbers or of times, an expression, null, and what it does not contain', async () => {
    await filterBy(3, 'range', '1000', '200000');
    const inRange = sampleRows(1000).filter(({ BYTES }) => Number(BYTES) >= 1000 && Number(BYTES) <= 200_000).length;
    await until(rowsText).toBe(`${inRange} of 1,000 rows`);
    await page.getByRole('button', { name: 'Clear sorting and filters' }).click();
    await filterBy(0, 'range', '', '2026-01-01T11:59:59Z');
    const early = sampleRows(1000).filter(({ EVENT_TIME }) => String(EVENT_TIME) < '2026-01-01T12').length;
    await until(rowsText).toBe(`${early} of 1,000 rows`);
    await page.getByRole('button', { name: 'Clear sorting and filters' }).click();
    await filterBy(1, 'regex', '^(Console|Assume)');
    await until(rowsText).toBe('400 of 1,000 rows');
    await page.getByRole('button', { name: 'Clear sorting and filters' }).click();
    await filterBy(5, 'null');
    await until(rowsText).toBe('800 of 1,000 rows');
    await filterBy(5, 'notNull');
    await until(rowsText).toBe('200 of 1,000 rows');
    await page.getByRole('button', { name: 'Clear sorting and filters' }).click();
    await filterBy(1, 'notContains', 'o');
    await until(rowsText).toBe('400 of 1,000 rows');
  });
  it('a selection is copied in every form, and the whole column too', async () => {
    await page.locator('[role=grid]').focus();
    await page.keyboard.press('Shift+ArrowDown');
    for (const [item, format, named] of [
      ['Copy', 'tsv', false],
      ['Copy with column names', 'tsv', true],
      ['Copy as CSV', 'csv', true],
      ['Copy as JSON', 'json', true],
      ['Copy as Markdown', 'markdown', true],
      ['Copy as LQL list', 'in-list', false],
    ] as const) {
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menuitem', { name: item }).first().press('Enter');
      const range = { firstRow: 0, lastRow: 1, firstColumn: 0, lastColumn: 0 };
      await until(() => view.sent.at(-1)).toEqual({ kind: 'copy', runId: 'run-1', range, format, header: named });
    }
    await byKeyboard(1, 'Copy as LQL list');
    await until(() => view.sent.at(-1)).toMatchObject({ range: { lastRow: 999, firstColumn: 1 }, format: 'in-list' });
  });
  it('rows are shown and left out by the value of a cell', async () => {
    await page.locator('[role=grid]').focus();
    for (const key of ['ArrowRight', 'Shift+F10']) await page.keyboard.press(key);
    await page.getByRole('menuitem', { name: 'Filter by this value' }).press('Enter');
    await until(rowsText).toBe('200 of 1,000 rows');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Exclude this value' }).press('Enter');
    await until(rowsText).toBe('800 of 1,000 rows');
  });
});

describe('by pointer', () => {
  it('columns are dragged to another place and to another width', async () => {
    await header('EVENT_NAME').dragTo(header('BYTES'));
    await until(headers).toEqual([
      'EVENT_TIME',
      'ACCOUNT_ID',
      'BYTES',
      'EVENT_NAME',
      'PID_HASH',
      'ERROR_CODE',
      'EVENT',
    ]);
    const before = await widthOf('ACCOUNT_ID');
    const box = await header('ACCOUNT_ID').boundingBox();
    const [edge, y] = [(box?.x ?? 0) + (box?.width ?? 0), (box?.y ?? 0) + 10];
    await page.mouse.move(edge, y);
    await page.mouse.down();
    await page.mouse.move(edge + 50, y, { steps: 3 });
    await page.mouse.up();
    await until(async () => Math.round((await widthOf('ACCOUNT_ID')) - before)).toBe(50);
    // A drag of the edge is no click on the name.
    expect(await header('ACCOUNT_ID').getAttribute('aria-sort')).toBe('none');
  });
});
