// Finding a text in the cells of a result: by keyboard alone, counted and read out, in every theme.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { type ResultsPage, type ResultsPageOptions, sampleRows } from './support/results-page.ts';
import { shots, until, useResultsViews } from './support/results-views.ts';

let view: ResultsPage;

const openView = useResultsViews();

async function open(options: ResultsPageOptions = {}): Promise<Page> {
  view = await openView(options);
  view.run.succeed(sampleRows(1000), 56, undefined);
  await view.refresh();
  await view.page.locator('[role=gridcell]').first().waitFor();
  return view.page;
}

const bar = (page: Page) => page.getByRole('search', { name: 'Find in the table' });
const said = (page: Page): Promise<string | null> => bar(page).getByRole('status').textContent();
const focused = (page: Page): Promise<string | null> => page.locator('.cell.focused').getAttribute('id');
const active = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('goes to cells by keyboard alone, and back to the table', async () => {
  const page = await open();
  await page.locator('#cell-2-0').click();
  await page.keyboard.press('Control+f');
  expect(await active(page)).toBe('Find in cells');
  await page.keyboard.type('user-42"');
  // One user's events, 97 rows apart.
  await until(() => said(page)).toBe('1 of 10 cells, row 43, EVENT');
  await until(() => focused(page)).toBe('cell-42-6');
  await page.keyboard.press('Enter');
  await until(() => said(page)).toBe('2 of 10 cells, row 140, EVENT');
  await page.keyboard.press('F3');
  await until(() => said(page)).toBe('3 of 10 cells, row 237, EVENT');
  for (const key of ['Shift+Enter', 'Shift+F3']) await press(page, key);
  await until(() => said(page)).toBe('1 of 10 cells, row 43, EVENT');
  await press(page, 'Shift+F3');
  await until(() => said(page)).toBe('10 of 10 cells, row 916, EVENT');
  expect(await active(page)).toBe('Find in cells');
  await page.keyboard.press('Escape');
  await until(() => bar(page).isVisible()).toBe(false);
  expect(await active(page)).toBe('Query results');
  expect(await page.getByRole('grid').getAttribute('aria-activedescendant')).toBe('cell-915-6');
  // The text is remembered, and marked so that another one takes its place.
  await page.keyboard.press('F3');
  await until(() => said(page)).toBe('1 of 10 cells, row 43, EVENT');
  await page.keyboard.press('Control+f');
  await page.keyboard.type('nowhere');
  await until(() => said(page)).toBe('No results');
  await expectAccessible(page);
  expect(await focused(page)).toBe('cell-42-6');
});

/** Presses a key and waits until another match has been told. */
async function press(page: Page, key: string): Promise<void> {
  const before = await said(page);
  await page.keyboard.press(key);
  await until(() => said(page)).not.toBe(before);
}

it('tells no count of rows that changed, and leaves the filter within reach', async () => {
  const page = await open();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('accessdenied');
  await until(() => said(page)).toBe('1 of 200 cells, row 1, ERROR_CODE');
  await page.keyboard.press('Control+Alt+f');
  expect(await active(page)).toBe('Filter rows by text in any column');
  await page.keyboard.type('user-42"');
  await until(() => page.locator('.status-rows').textContent()).toBe('10 of 1,000 rows');
  await until(() => said(page)).toBe('');
  await bar(page).getByRole('button', { name: 'Next Match (Enter)' }).click();
  await until(() => said(page)).toMatch(/^\d of 2 cells, row \d+, ERROR_CODE$/);
});

it.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
  'has room beside the rows and is accessible in %s, wide and at 400 px',
  async (theme) => {
    const page = await open({ theme, width: 1000, height: 300 });
    await page.keyboard.press('Control+f');
    await page.keyboard.type('user-9');
    await until(() => said(page)).toMatch(/^1 of \d+ cells/);
    await expectAccessible(page);
    await page.screenshot({ path: `${shots}/find-${theme}-wide.png` });
    await page.setViewportSize({ width: 400, height: 260 });
    await press(page, 'Enter');
    const close = await bar(page).getByRole('button', { name: 'Close (Escape)' }).boundingBox();
    expect((close?.x ?? 400) + (close?.width ?? 0)).toBeLessThanOrEqual(400);
    await page.locator('.cell.focused').waitFor();
    await expectAccessible(page);
    await page.screenshot({ path: `${shots}/find-${theme}-narrow.png` });
  },
);
