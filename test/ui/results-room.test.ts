// The view of results as a panel has room for it, and what stands above its rows: by pointer, by keyboard, and read out.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { type ResultsPage, type ResultsPageOptions, sampleRows } from './support/results-page.ts';
import { shots, until, useResultsViews } from './support/results-views.ts';

const themes = ['dark', 'light', 'highContrast', 'highContrastLight'] as const;
const cutNote =
  'Exactly 5,000 rows came at once: the service may have cut the result there. Filter further, or choose a shorter time range.';

let view: ResultsPage;

const openView = useResultsViews();

/** A result that has everything above its rows that there can be. */
async function open(options: ResultsPageOptions = {}, rows = 1000): Promise<Page> {
  view = await openView(options);
  view.run.succeed(sampleRows(rows), 56, cutNote, [{ title: 'Run in 4 Slices of 6 hours', run: () => undefined }]);
  await view.refresh();
  await view.page.locator('[role=gridcell]').first().waitFor();
  return view.page;
}

const shoot = (page: Page, name: string): Promise<Buffer> => page.screenshot({ path: `${shots}/room-${name}.png` });
const bars = (page: Page): Locator => page.getByRole('listbox', { name: /^Rows over EVENT_TIME/ });
const rowsText = (page: Page): Promise<string | null> => page.locator('.status-rows').textContent();

/** Rows that can be seen whole. */
function wholeRows(page: Page): Promise<number> {
  return page.evaluate(() => {
    const header = document.querySelector('.header')?.getBoundingClientRect().bottom ?? 0;
    const bottom = document.querySelector('[role=grid]')?.getBoundingClientRect().bottom ?? 0;
    return [...document.querySelectorAll('.grid-canvas .row[aria-rowindex]')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.top >= header - 1 && box.bottom <= bottom + 1;
    }).length;
  });
}

describe('a panel of the default height', () => {
  it.each(themes)('has room for rows below all that is said of them, in %s, wide and at 400 px', async (theme) => {
    const page = await open({ theme, width: 1100, height: 215 });
    await until(() => wholeRows(page)).toBeGreaterThanOrEqual(4);
    await shoot(page, `${theme}-wide`);
    await expectAccessible(page);
    await page.setViewportSize({ width: 400, height: 215 });
    await until(() => wholeRows(page)).toBeGreaterThanOrEqual(3);
    await page.locator('#cell-1-0').click();
    await shoot(page, `${theme}-narrow`);
    await expectAccessible(page);
  });
  it('cuts a long note to one line, which opens to all of it by keyboard', async () => {
    const page = await open({ width: 400, height: 250 });
    const more = page.getByRole('button', { name: 'Show all of the note' });
    const height = (): Promise<number> =>
      page.getByRole('note').evaluate((note) => note.getBoundingClientRect().height);
    await more.waitFor();
    expect(await height()).toBeLessThan(36);
    await more.focus();
    await page.keyboard.press('Enter');
    await until(height).toBeGreaterThan(50);
    expect(await more.getAttribute('aria-expanded')).toBe('true');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await until(height).toBeLessThan(36);
    // Whoever cannot see it hears all of it.
    expect(await page.locator('.status-line [role=status]').textContent()).toContain(cutNote);
  });
  it('shows the bars where they are asked for, and says so to the host, which remembers it', async () => {
    const page = await open({ width: 900, height: 250 });
    const toggle = page.getByRole('button', { name: 'Rows over time' });
    expect(await toggle.getAttribute('aria-pressed')).toBe('false');
    expect(await bars(page).count()).toBe(0);
    await toggle.focus();
    await page.keyboard.press('Enter');
    await bars(page).waitFor();
    expect(view.sent).toContainEqual({ kind: 'showBars', shown: true });
    await until(() => wholeRows(page)).toBeGreaterThanOrEqual(4);
    await shoot(page, 'low-bars');
    await expectAccessible(page);
    // A higher panel has them without being asked, until somebody says no.
    await page.setViewportSize({ width: 900, height: 600 });
    await toggle.click();
    await until(() => bars(page).isVisible()).toBe(false);
    await page.setViewportSize({ width: 900, height: 250 });
    await page.setViewportSize({ width: 900, height: 600 });
    expect(await bars(page).isVisible()).toBe(false);
  });
});

describe('rows over time by keyboard', () => {
  it('tell each bar, choose with Shift, and set the time range with Enter', async () => {
    const page = await open({ theme: 'highContrastLight', width: 1000, height: 420 });
    await bars(page).waitFor();
    await page.getByRole('button', { name: 'Run in 4 Slices of 6 hours' }).focus();
    await page.keyboard.press('Tab');
    const active = (): Promise<string | null> =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
        return document.getElementById(id)?.getAttribute('aria-label') ?? null;
      });
    await until(active).toMatch(/^2026-01-01 00:00 – 00:23 UTC: \d+ rows$/);
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight'])
      await page.keyboard.press(key);
    await until(() => page.locator('[role=option][aria-selected=true]').count()).toBe(3);
    await shoot(page, 'bars-keyboard');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await until(() => view.sent.at(-1)?.kind).toBe('setRange');
    const asked = view.sent.at(-1);
    const span = asked?.kind === 'setRange' ? Date.parse(asked.end) - Date.parse(asked.start) : 0;
    // Three of sixty bars of a day.
    expect(Math.round(span / 60_000)).toBe(72);
    await page.keyboard.press('Escape');
    await until(() => page.locator('[role=option][aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('Tab');
    await until(() => page.locator('[role=option][aria-selected=true]').count()).toBe(0);
  });
  it('of another time than the run can be read, and choose nothing', async () => {
    const window = { startTime: Date.UTC(2026, 5, 1), endTime: Date.UTC(2026, 5, 2), label: 'last 24 hours' };
    const page = await open({ description: { window } });
    await bars(page).waitFor();
    await bars(page).focus();
    for (const key of ['End', 'Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key);
    expect(await page.locator('[role=option][aria-selected=true]').count()).toBe(0);
    expect(view.sent.filter(({ kind }) => kind === 'setRange')).toEqual([]);
    await expectAccessible(page);
  });
});

describe('the box of the search and the button beside it', () => {
  it('clear what they say: the text alone, or sorting and all filters', async () => {
    const page = await open({ width: 1100 }, 5000);
    const header = page.getByRole('columnheader', { name: 'BYTES' });
    const box = page.getByRole('searchbox');
    await header.click();
    await box.fill('user-42"');
    await until(() => rowsText(page)).toBe('52 of 5,000 rows');
    await shoot(page, 'search');
    await box.press('Escape');
    await until(() => rowsText(page)).toBe('5,000 rows');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await box.fill('user-42"');
    await until(() => rowsText(page)).toBe('52 of 5,000 rows');
    await page.getByRole('button', { name: 'Clear sorting and filters' }).click();
    await until(() => rowsText(page)).toBe('5,000 rows');
    await until(() => header.getAttribute('aria-sort')).toBe('none');
    expect(await box.inputValue()).toBe('');
  });
});

describe('a column filtered by its values', () => {
  const openValues = async (page: Page, name: string): Promise<Locator> => {
    await page.getByRole('columnheader', { name }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter by values…' }).click();
    const dialog = page.getByRole('dialog', { name: `Values of ${name}` });
    await dialog.waitFor();
    return dialog;
  };
  it('offers them with their counts, nulls too, and takes several by keyboard', async () => {
    const page = await open({ width: 900, height: 420 });
    const dialog = await openValues(page, 'ERROR_CODE');
    expect(await dialog.locator('.value-option').allTextContents()).toEqual(['NULL800', 'AccessDenied200']);
    await page.keyboard.press('Space');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await until(() => rowsText(page)).toBe('800 of 1,000 rows');
    // What the column's own filter leaves out can be chosen next.
    await openValues(page, 'ERROR_CODE');
    expect(await dialog.locator('.value-option').count()).toBe(2);
    for (const key of ['Space', 'ArrowDown', 'Space', 'Enter']) await page.keyboard.press(key);
    await until(() => rowsText(page)).toBe('200 of 1,000 rows');
    await openValues(page, 'EVENT_NAME');
    await dialog.page().getByRole('textbox', { name: 'Find a value' }).fill('c');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+a');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is none of');
    await shoot(page, 'values');
    await page.getByRole('button', { name: 'Apply' }).click();
    await until(() => rowsText(page)).toBe('0 of 1,000 rows');
    await page.getByText('No row passes the filter.').waitFor();
    // The cell that had the focus is gone.
    await until(() => page.getByRole('grid').getAttribute('aria-activedescendant')).toBeNull();
    await expectAccessible(page);
  });
  it('keeps values that have commas, blanks or markup as they are, also when the filter is looked at again', async () => {
    view = await openView({ width: 900, height: 420 });
    const texts = ['a, b', ' a', '<b>x</b>', '__proto__', '\u202egnp', 'x'.repeat(5_000_000), '', 'a'];
    view.run.succeed(
      texts.map((text) => ({ NAME: text })),
      1,
      undefined,
    );
    await view.refresh();
    const { page } = view;
    await page.locator('[role=gridcell]').first().waitFor();
    const dialog = await openValues(page, 'NAME');
    const listed = await dialog.locator('.value-text').allTextContents();
    expect([...listed].sort()).toEqual([...texts.filter((text) => text.length < 500 && text !== ''), '(empty)'].sort());
    await dialog.getByText('Only the most frequent values are listed.').waitFor();
    await dialog.getByRole('option', { name: 'a, b' }).click();
    await page.keyboard.press('Enter');
    await until(() => rowsText(page)).toBe('1 of 8 rows');
    await page.getByRole('columnheader', { name: 'NAME' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Filter…' }).click();
    await page.getByRole('option', { name: 'a, b', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await until(() => rowsText(page)).toBe('1 of 8 rows');
    expect(await page.locator('#cell-0-0').textContent()).toBe('a, b');
  });
});

describe('the strip of results', () => {
  it('has a menu for what it has no room for, and one on each tab, by pointer and by keyboard', async () => {
    const page = await open({ width: 400, height: 300, otherTabs: 9 });
    const strip = page.getByRole('tablist');
    expect(await strip.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    await strip.hover();
    await page.mouse.wheel(0, 200);
    await until(() => strip.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'All results…' }).click();
    expect(await page.getByRole('menuitemcheckbox').count()).toBe(10);
    await shoot(page, 'all-results');
    await expectAccessible(page);
    await page.getByRole('menuitemcheckbox', { name: 'other 9' }).click();
    expect(view.sent.at(-1)).toEqual({ kind: 'activate', runId: 'other-9' });
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu', { name: '01-first.lql' }).waitFor();
    await shoot(page, 'tab-menu');
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    expect(view.sent.at(-1)).toEqual({ kind: 'rename', runId: 'run-1' });
    await page.getByRole('tab', { selected: true }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Close others that are not pinned' }).click();
    expect(view.sent.at(-1)).toEqual({ kind: 'closeOthers', runId: 'run-1' });
  });
});
