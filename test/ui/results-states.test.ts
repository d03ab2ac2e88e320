// Every state of the view, in every theme, for whoever cannot see it; and rows that would like to be more than text in every place of it.
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../bed/index.ts';
import { expectAccessible } from './support/accessible.ts';
import { openResults, type ResultsPage, sampleRows } from './support/results-page.ts';

const shots = 'out/screenshots';
const themes = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;
let browser: Browser;
beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const until = <Value>(get: () => Value): ReturnType<typeof expect.poll<Value>> => expect.poll(get, { timeout: 10_000 });

async function columnMenu(page: Page, column: string, item: string): Promise<void> {
  await page.getByRole('columnheader', { name: column }).click({ button: 'right' });
  await page.getByRole('menu').waitFor();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** What can be opened above a result, each left by Escape. */
const opened: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['column menu', (page) => page.getByRole('columnheader', { name: 'BYTES' }).click({ button: 'right' })],
  ['cell menu', (page) => page.locator('#cell-2-1').click({ button: 'right' })],
  ['tab menu', (page) => page.getByRole('tab', { selected: true }).click({ button: 'right' })],
  ['all results', (page) => page.getByRole('button', { name: 'All results…' }).click()],
  ['columns', (page) => page.getByRole('button', { name: 'Columns…' }).click()],
  ['copy', (page) => page.getByRole('button', { name: 'Copy…' }).click()],
  ['export', (page) => page.getByRole('button', { name: 'Export…' }).click()],
  ['filter', (page) => columnMenu(page, 'BYTES', 'Filter…')],
  ['values', (page) => columnMenu(page, 'EVENT_NAME', 'Filter by values…')],
  ['statistics', (page) => columnMenu(page, 'EVENT_NAME', 'Statistics')],
];

it.each(themes)('nothing is in the way of anybody in %s: rows, menus, dialogs, details', async (theme) => {
  const view = await openResults(browser, { theme, width: 1000, height: 500, otherTabs: 2 });
  view.run.succeed(sampleRows(300), 56, 'Cut to 300 rows.', [{ title: 'Run without the Limit', run: () => undefined }]);
  await view.refresh();
  const { page } = view;
  const shoot = (name: string): Promise<Buffer> =>
    page.screenshot({ path: `${shots}/state-${theme}-${name.replaceAll(' ', '-')}.png` });
  await page.locator('#cell-2-1').waitFor();
  for (const [name, open] of opened) {
    await open(page);
    await page.locator('[role=menu], [role=dialog]').waitFor();
    await shoot(name);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await until(() => page.locator('[role=menu], [role=dialog]').count()).toBe(0);
  }
  await page.getByRole('columnheader', { name: 'BYTES' }).click();
  await page.getByRole('columnheader', { name: 'ERROR_CODE' }).click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Wrap long cells' }).click();
  await page.locator('#cell-2-6').dblclick();
  await page.getByRole('treeitem').first().waitFor();
  await shoot('details');
  await expectAccessible(page);
  await page.getByRole('treeitem', { name: /userName/ }).click({ button: 'right' });
  await shoot('member menu');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close row details (Escape)' }).click();
  await columnMenu(page, 'EVENT_NAME', 'Filter…');
  await page.getByRole('combobox', { name: 'Condition' }).selectOption('matches the expression');
  await page.getByRole('textbox', { name: 'Value' }).fill('(');
  await page.keyboard.press('Enter');
  await page
    .getByText(/The filter is not valid/)
    .first()
    .waitFor();
  await shoot('bad filter');
  await expectAccessible(page);
  expect(view.violations).toEqual([]);
  await view.close();
});

const ended: readonly (readonly [name: string, end: (view: ResultsPage) => void, text: RegExp])[] = [
  ['running', () => undefined, /^Running/],
  ['cancelled', ({ run }) => run.cancelled(), /was cancelled/],
  [
    'failed',
    ({ run }) => run.fail({ message: 'The service refused the query.\nUnknown column.' }),
    /refused the query/,
  ],
  ['empty', ({ run }) => run.succeed([], 12, undefined), /No rows in Local platform/],
];

it.each(themes)(
  'nothing is in the way of anybody in %s: while it runs, without rows, after a failure',
  async (theme) => {
    for (const [name, end, text] of ended) {
      const view = await openResults(browser, { theme, width: 400, height: 250 });
      end(view);
      await view.refresh();
      await view.page.getByText(text).first().waitFor();
      await view.page.screenshot({ path: `${shots}/state-${theme}-${name}.png` });
      await expectAccessible(view.page);
      expect(view.violations).toEqual([]);
      await view.close();
    }
  },
);

it('a long message keeps its buttons within reach in a low panel', async () => {
  const view = await openResults(browser, { width: 500, height: 220 });
  view.run.fail({ message: 'why not\n'.repeat(200) });
  await view.refresh();
  const button = view.page.getByRole('button', { name: 'Run again' }).last();
  await button.scrollIntoViewIfNeeded();
  const bottom = await button.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThanOrEqual(220);
  await view.close();
});

it('hostile texts are text in statistics, dialogs, menus, the JSON of a row and its tab', async () => {
  const markup = '<img src=x onerror="fetch(\'http://127.0.0.1:9/\')"><b>bold</b>';
  const bidi = '\u202egnp.exe \u0000\u0007';
  const view = await openResults(browser, { width: 1000, height: 600, description: { title: markup } });
  const rows = [markup, bidi, '=1+1', '__proto__'].map((text) =>
    JSON.parse(
      `{${JSON.stringify(markup)}: ${JSON.stringify(text)}, "J": {"__proto__": {"x": 1}, ${JSON.stringify(markup)}: ${JSON.stringify(text)}, "long": ${JSON.stringify('y'.repeat(5_000_000))}}}`,
    ),
  );
  view.run.succeed(rows, 1, undefined);
  await view.refresh();
  const { page } = view;
  await page.locator('#cell-0-0').waitFor();
  expect(await page.locator('.tab-title').textContent()).toBe(markup);
  const header = page.getByRole('columnheader').nth(1);
  for (const [item, place] of [
    ['Statistics', '.top-text'],
    ['Filter by values…', '.value-text'],
  ] as const) {
    await header.click({ button: 'right' });
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog').waitFor();
    expect((await page.locator(place).allTextContents()).sort()).toEqual([markup, bidi, '=1+1', '__proto__'].sort());
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
  await header.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Filter…' }).click();
  expect(await page.locator('.dialog-title').textContent()).toBe(`Filter ${markup}`);
  await page.keyboard.press('Escape');
  await page.locator('#cell-0-1').dblclick();
  await until(() => page.locator('.json-key').allTextContents()).toEqual(['__proto__', 'x', markup, 'long']);
  expect(await page.locator('.json-value').nth(2).textContent()).toBe(markup);
  expect(await page.locator('.json-value').nth(3).textContent()).toMatch(
    /4,900,000 more characters\. Copy takes them all\.$/,
  );
  await page.getByRole('treeitem').nth(3).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy value' }).click();
  await until(() => view.sent.at(-1)?.kind).toBe('copyText');
  const copied = view.sent.at(-1);
  expect(copied?.kind === 'copyText' && copied.text.length).toBe(5_000_000);
  expect(await page.locator('img, b, script:not([nonce])').count()).toBe(0);
  expect(view.violations).toEqual([]);
  await view.close();
});
