import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { type ResultsPage, type ResultsPageOptions, sampleRows } from './support/results-page.ts';
import { shots, until, useResultsViews } from './support/results-views.ts';

let view: ResultsPage;

const openView = useResultsViews();

async function open(rows: number, options: ResultsPageOptions = {}): Promise<Page> {
  view = await openView(options);
  view.run.succeed(sampleRows(rows), 56, undefined);
  await view.refresh();
  if (rows > 0) await view.page.locator('[role=gridcell]').first().waitFor();
  return view.page;
}

const cell = (page: Page, row: number, column: number): Locator => page.locator(`#cell-${row}-${column}`);
const grid = (page: Page): Locator => page.locator('[role=grid]');
const shoot = (page: Page, name: string): Promise<Buffer> => page.screenshot({ path: `${shots}/results-${name}.png` });

describe('the results table', () => {
  it('shows 100,000 rows with only those in sight as elements', async () => {
    const page = await open(100_000);
    await until(() => cell(page, 0, 1).textContent()).toBe('ConsoleLogin');
    expect(await grid(page).getAttribute('aria-rowcount')).toBe('100001');
    expect(await page.locator('[role=row]').count()).toBeLessThan(80);
    await until(() => page.locator('[data-testid=result-status]').textContent()).toBe(
      '100,000 rows · 56 ms · Local platform · last 24 hours (2026-01-01 00:00 – 2026-01-02 00:00 UTC)',
    );
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await until(() => cell(page, 99_999, 4).textContent()).toBe('5644915113269163999');
    await shoot(page, 'scrolled');
  });
  it('sorts by a click, by two columns with Shift, and back', async () => {
    const page = await open(500);
    const header = (name: string): Locator => page.getByRole('columnheader', { name });
    await header('BYTES').click();
    await until(() => cell(page, 0, 3).textContent()).toBe('0');
    await until(() => header('BYTES').getAttribute('aria-sort')).toBe('ascending');
    await header('BYTES').click();
    await until(() => header('BYTES').getAttribute('aria-sort')).toBe('descending');
    await header('EVENT_NAME').click();
    await header('BYTES').click({ modifiers: ['Shift'] });
    await until(() => cell(page, 0, 1).textContent()).toBe('AssumeRole');
    await shoot(page, 'sorted');
    await expectAccessible(page);
  });
  it('goes on from what was asked for last, while the host is still at it', async () => {
    const page = await open(100_000);
    const header = page.getByRole('columnheader', { name: 'BYTES' });
    // Both clicks come before any answer can.
    await header.evaluate((element: HTMLElement) => {
      element.click();
      element.click();
    });
    await until(() => cell(page, 0, 3).textContent()).toBe('999976');
    await until(() => header.getAttribute('aria-sort')).toBe('descending');
    const asked = await page.getByRole('searchbox').evaluate((box: HTMLInputElement) => {
      box.focus();
      box.value = 'user-42"';
      box.dispatchEvent(new Event('input'));
      document.querySelector<HTMLElement>('[aria-label="Pin this result"]')?.focus();
      document.querySelector<HTMLElement>('[aria-label="Pin this result"]')?.click();
      return box.value;
    });
    expect(asked).toBe('user-42"');
    await until(() => page.locator('.status-rows').textContent()).toBe('1,031 of 100,000 rows');
    expect(await page.getByRole('searchbox').inputValue()).toBe('user-42"');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
  });
  it('has room in every header for the name beside the marks of sorting', async () => {
    const page = await open(100);
    for (const name of ['EVENT_TIME', 'BYTES', 'ERROR_CODE'])
      await page.getByRole('columnheader', { name }).click({ modifiers: ['Shift'] });
    await until(() => page.locator('.sort-order').count()).toBe(3);
    const cut = await page
      .locator('.header-label')
      .evaluateAll((labels) =>
        labels.filter((label) => label.scrollWidth > label.clientWidth).map((label) => label.textContent),
      );
    expect(cut).toEqual([]);
  });
  it('has every cell under its header, whatever it holds and whatever font is chosen', async () => {
    view = await openView();
    const odd = { EVENT_NAME: 'größer 世界 \u202E', EVENT_TIME: null, BYTES: -1.5e300, ERROR_CODE: 'x'.repeat(300) };
    view.run.succeed([odd, ...sampleRows(30), { ...odd, BYTES: null }], 56, undefined);
    const { page } = view;
    await cell(page, 0, 0).waitFor();
    /** How far cells stand from the edges of their headers, in CSS pixels, at most. */
    const off = (): Promise<number> =>
      page.evaluate(() => {
        const edges = new Map(
          [...document.querySelectorAll('.header-cell')].map((header) => [
            header.getAttribute('aria-colindex'),
            header.getBoundingClientRect(),
          ]),
        );
        const distances = [...document.querySelectorAll('.row:not([aria-hidden]) .cell')].map((element) => {
          const [box, header] = [element.getBoundingClientRect(), edges.get(element.getAttribute('aria-colindex'))];
          return header ? Math.max(Math.abs(box.left - header.left), Math.abs(box.right - header.right)) : 1e9;
        });
        return distances.length > 100 ? Math.max(...distances) : 1e9;
      });
    // Rows that are left over, for others to come, are not counted.
    const boxed = (): Promise<number> => page.locator('.row:not([aria-hidden]) [role=gridcell].boxed').count();
    expect(await off()).toBeLessThan(0.5);
    await until(() => page.locator('.row').count()).toBe(await page.locator('.row:not([aria-hidden])').count());
    const few = await boxed();
    for (const [font, size] of [
      ['monospace', '17px'],
      ['monospace', '11.3px'],
      ['sans-serif', '13px'],
      ['monospace', '12px'],
    ] as const) {
      await page.evaluate(
        ([family, height]) => {
          const { style } = document.documentElement;
          style.setProperty('--vscode-editor-font-family', family);
          style.setProperty('--vscode-editor-font-size', height);
        },
        [font, size] as const,
      );
      await until(off).toBeLessThan(0.5);
      // Letters of different widths cannot be counted: each cell is a box of its own.
      if (font === 'sans-serif') await until(() => page.locator('[role=gridcell]:not(.boxed)').count()).toBe(0);
    }
    await until(boxed).toBe(few);
    await shoot(page, 'odd-cells');
  });
  it('keeps the cell in sight, and its field, when the details take their place in a low panel', async () => {
    const page = await open(300, { width: 700, height: 260 });
    await cell(page, 0, 0).click();
    await page.keyboard.press('End');
    await until(() => grid(page).getAttribute('aria-activedescendant')).toBe('cell-0-6');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const field = page.locator('.inspector .field', { has: page.locator('.focused') });
    await until(() => field.locator('h3').textContent()).toBe('ERROR_CODE');
    const boxes = await page.evaluate(() => {
      const of = (selector: string): DOMRect | undefined => document.querySelector(selector)?.getBoundingClientRect();
      return {
        cell: of('#cell-0-5')?.right,
        grid: of('[role=grid]')?.right,
        value: of('.field:has(.focused) pre')?.bottom,
        fields: of('.inspector-fields')?.bottom,
      };
    });
    expect(boxes.cell).toBeLessThanOrEqual(Math.ceil(boxes.grid ?? 0));
    expect(boxes.value).toBeLessThanOrEqual(boxes.fields ?? 0);
    await shoot(page, 'inspector-low');
  });
  it('filters the whole result while typing and says how many rows are left', async () => {
    const page = await open(20_000);
    await page.getByRole('searchbox').fill('user-42"');
    await until(() => page.locator('.status-rows').textContent()).toBe('206 of 20,000 rows');
    await page.getByRole('searchbox').fill('nothing like this');
    await page.getByText('No row passes the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until(() => page.locator('.status-rows').textContent()).toBe('20,000 rows');
  });
  it('filters one column from its menu, by keyboard alone', async () => {
    const page = await open(1000);
    await grid(page).focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'Alt+ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('menu').waitFor();
    await shoot(page, 'column-menu');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    const rows = (): Promise<string | null> => page.locator('.status-rows').textContent();
    await page.keyboard.type('assume');
    await until(rows).toBe('200 of 1,000 rows');
    await page.keyboard.press('Escape');
    await until(rows).toBe('1,000 rows');
    for (const key of ['Alt+ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('assume');
    await page.keyboard.press('Enter');
    await until(rows).toBe('200 of 1,000 rows');
    await expectAccessible(page);
  });
  it('moves by keyboard, names the cell to a screen reader, and copies the selection', async () => {
    const page = await open(1000);
    await grid(page).focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('Control+End');
    await until(() => grid(page).getAttribute('aria-activedescendant')).toBe('cell-999-6');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+c');
    await until(() => view.sent).toContainEqual({
      kind: 'copy',
      runId: 'run-1',
      range: { firstRow: 0, lastRow: 1, firstColumn: 0, lastColumn: 1 },
      format: 'tsv',
      header: false,
    });
  });
  it('shows a row in full beside the table and follows the focus', async () => {
    const page = await open(300);
    await cell(page, 2, 1).dblclick();
    await page.locator('.inspector .field').first().waitFor();
    expect(await page.locator('.inspector h2').textContent()).toBe('Row 3');
    await page.locator('.inspector').getByText('user-2').waitFor();
    await shoot(page, 'inspector');
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await until(() => page.locator('.inspector h2').textContent()).toBe('Row 4');
  });
  it('walks JSON by keyboard and turns a value into a condition of the query', async () => {
    const page = await open(300);
    await cell(page, 2, 6).dblclick();
    const item = page.getByRole('treeitem', { name: /userName/ });
    await item.click();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await until(() => item.isHidden()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await shoot(page, 'json-menu');
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Add condition to the query' }).click();
    await until(() => view.sent).toContainEqual({
      kind: 'editQuery',
      runId: 'run-1',
      edit: 'filter',
      column: 6,
      path: ['userIdentity', 'userName'],
      value: 'user-2',
      valueKind: 'string',
    });
  });
  it('counts a column and filters by a frequent value', async () => {
    const page = await open(1000);
    await page.getByRole('columnheader', { name: 'EVENT_NAME' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Statistics' }).click();
    await page.getByRole('dialog', { name: 'Statistics of EVENT_NAME' }).waitFor();
    await shoot(page, 'statistics');
    await expectAccessible(page);
    await page.getByRole('button', { name: /AssumeRole/ }).click();
    await until(() => page.locator('.status-rows').textContent()).toBe('200 of 1,000 rows');
  });
  it('takes a time range from the bars, where they are of the time that was asked for', async () => {
    const drag = async (page: Page): Promise<void> => {
      const box = await page.locator('.histogram-bars').boundingBox();
      const [left, width, y] = [box?.x ?? 0, box?.width ?? 0, (box?.y ?? 0) + 10];
      await page.mouse.move(left + width * 0.26, y);
      await page.mouse.down();
      await page.mouse.move(left + width * 0.49, y, { steps: 4 });
      await page.mouse.up();
    };
    const page = await open(1000);
    await page.getByText('Drag to choose a time range').waitFor();
    await drag(page);
    await until(() => view.sent.at(-1)?.kind).toBe('setRange');
    const asked = view.sent.at(-1);
    const hours =
      asked?.kind === 'setRange' ? [asked.start, asked.end].map((time) => new Date(time).getUTCHours()) : [];
    expect(hours[0]).toBeGreaterThanOrEqual(5);
    expect(hours[0]).toBeLessThanOrEqual(6);
    expect(hours[1]).toBeGreaterThanOrEqual(11);
    expect(hours[1]).toBeLessThanOrEqual(12);
    await view.close();
    // Dates of something else than the run: dragging over them would ask for a time that nobody meant.
    const window = { startTime: Date.UTC(2026, 5, 1), endTime: Date.UTC(2026, 5, 2), label: 'last 24 hours' };
    const other = await open(1000, { description: { window } });
    await other.locator('.histogram-bar').first().waitFor();
    await drag(other);
    expect(await other.getByText('Drag to choose').count()).toBe(0);
    expect(view.sent.filter(({ kind }) => kind === 'setRange')).toEqual([]);
  });
  it('opens everything by keyboard alone, and all that opens can be read out', async () => {
    view = await openView({ theme: 'highContrast' });
    view.run.succeed(sampleRows(200), 56, 'Exactly 5,000 rows came at once.', [
      { title: 'Run in Slices', run: () => undefined },
    ]);
    await view.refresh();
    const { page } = view;
    await cell(page, 0, 1).waitFor();
    // Every button that is seen is reached by Tab.
    const reached = new Set<string>();
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const { activeElement: focused } = document;
          return focused?.getAttribute('aria-label') ?? focused?.textContent ?? '';
        }),
      );
    }
    const seen = await page
      .locator('button:visible')
      .evaluateAll((buttons) =>
        buttons
          .filter((button) => button.getAttribute('tabindex') !== '-1')
          .map((button) => button.getAttribute('aria-label') ?? button.textContent),
      );
    expect(seen.length).toBeGreaterThan(8);
    expect(seen.filter((name) => !reached.has(name))).toEqual([]);
    for (const name of ['Columns…', 'Copy…', 'Export…']) {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menu').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await until(() => page.getByRole('menu').count()).toBe(0);
    }
    await grid(page).focus();
    for (const key of ['ArrowRight', 'ArrowUp', 'Alt+ArrowDown']) await page.keyboard.press(key);
    await page.getByRole('menu').waitFor();
    await expectAccessible(page);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await shoot(page, 'filter-highContrast');
    await page.keyboard.press('Escape');
    await until(() => page.getByRole('dialog').count()).toBe(0);
    await grid(page).focus();
    for (const key of ['Control+Home', 'Shift+F10']) await page.keyboard.press(key);
    await page.getByRole('menu', { name: 'Cell' }).waitFor();
    await expectAccessible(page);
  });
  it('hides, moves and freezes columns', async () => {
    const page = await open(100, { width: 700 });
    await page.getByRole('columnheader', { name: 'EVENT_TIME' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await until(() => page.getByRole('columnheader').count()).toBe(7);
    await page.getByRole('columnheader', { name: 'EVENT_NAME' }).click({ button: 'right' });
    await page.getByRole('menuitemcheckbox', { name: 'Freeze up to here' }).click();
    await grid(page).evaluate((element) => {
      element.scrollLeft = 600;
    });
    const left = (): Promise<number> =>
      cell(page, 0, 0).evaluate((element) => Math.round(element.getBoundingClientRect().left));
    // The table hears of being scrolled with its next frame.
    await until(left).toBe(56);
    await shoot(page, 'frozen');
  });
  it.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'hides what is scrolled below frozen columns in %s, also in the row under the pointer',
    async (theme) => {
      const page = await open(50, { theme, width: 500 });
      const { run, refresh } = view;
      run.setLayout({ ...run.view().layout, frozen: 1 });
      await refresh();
      await grid(page).evaluate((element) => {
        element.scrollLeft = 150;
      });
      await page.locator('.grid.sideways').waitFor();
      await cell(page, 2, 0).hover();
      const opaque = (): Promise<boolean> =>
        cell(page, 2, 0).evaluate(
          (element) => !/[,/]\s*0?\.\d+\)|transparent/.test(getComputedStyle(element).backgroundColor),
        );
      await until(opaque).toBe(true);
      await shoot(page, `frozen-hover-${theme}`);
    },
  );
  it('leaves out columns out of sight, tells the gaps, and keeps the cell that has the focus', async () => {
    const page = await open(1000, { width: 560 });
    await grid(page).focus();
    await page.keyboard.press('ArrowRight');
    await until(() => grid(page).getAttribute('aria-activedescendant')).toBe('cell-0-1');
    await grid(page).evaluate((element) => {
      element.scrollLeft = element.scrollWidth;
      element.scrollTop = 6000;
    });
    await cell(page, 280, 6).waitFor();
    const indices = (row: number): Promise<number[]> =>
      page
        .locator(`[role=row][aria-rowindex="${row + 2}"] > *`)
        .evaluateAll((cells) => cells.map((element) => Number(element.getAttribute('aria-colindex'))));
    // The row's number, the column of the focus and those in sight, in their order; EVENT_TIME and others are left out.
    const seen = await indices(280);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen).toEqual(expect.arrayContaining([1, 3, 8]));
    expect(seen).not.toContain(2);
    expect(await grid(page).getAttribute('aria-colcount')).toBe('8');
    expect(await cell(page, 0, 1).textContent()).toBe('ConsoleLogin');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid');
    // Read from top to bottom once nothing moves: rows that were used again stand in their order.
    const order = (): Promise<number[]> =>
      page
        .locator('.grid-canvas [role=row]')
        .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))));
    await until(async () => {
      const rows = await order();
      return rows.every((row, at) => at === 0 || row > (rows[at - 1] ?? 0)) && rows[0];
    }).toBe(2);
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await until(() => grid(page).getAttribute('aria-activedescendant')).toBe('cell-0-2');
    await until(() => cell(page, 0, 2).isVisible()).toBe(true);
    expect(await grid(page).evaluate((element) => element.scrollTop)).toBe(0);
  });
});

describe('the states of a run', () => {
  it('shows a running query with its time and a cancel that works at once', async () => {
    view = await openView();
    await view.refresh();
    const { page } = view;
    await page.getByText(/^Running…/).waitFor();
    await shoot(page, 'running');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('The run was cancelled.').waitFor();
  });
  it('explains an empty result and offers a longer time range', async () => {
    let asked: string | undefined;
    view = await openView({ description: { rerun: (range) => (asked = range) } });
    view.run.succeed([], 12, undefined);
    await view.refresh();
    const { page } = view;
    await page.getByText('No rows in Local platform over this time range: last 24 hours.').waitFor();
    await page.getByText('Configuration data is collected about once a day').waitFor();
    await shoot(page, 'empty');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Run over the last 7 days' }).click();
    await until(() => view.sent).toContainEqual({ kind: 'action', runId: 'run-1', action: 'action-0' });
    view.run.actions.get('action-0')?.();
    expect(asked).toBe('last 7 days');
  });
  it('shows a failure where the rows would be', async () => {
    view = await openView();
    view.run.fail({ message: 'The service refused the query: unknown column EVENT_NAM.' }, [
      { title: 'Show Problems', run: () => undefined },
    ]);
    await view.refresh();
    await view.page.getByRole('button', { name: 'Show Problems' }).waitFor();
    await shoot(view.page, 'failed');
    await expectAccessible(view.page);
  });
  it.each(['dark', 'light', 'highContrast', 'highContrastLight'] as const)(
    'looks right in %s, wide and narrow',
    async (theme) => {
      const page = await open(2000, { theme });
      await cell(page, 2, 1).click();
      await shoot(page, theme);
      await expectAccessible(page);
      await page.setViewportSize({ width: 400, height: 300 });
      await shoot(page, `${theme}-narrow`);
      await expectAccessible(page);
    },
  );
});

describe('hostile rows', () => {
  it('are shown as the text they are, in the table, the inspector and the header', async () => {
    const hostile = [
      '<img src=x onerror="fetch(\'http://127.0.0.1:9/\')">',
      '</div><script>alert(1)</script>',
      '\u202Egnp.exe',
      'line one\nline two\ttab\u0000nul',
      '{{constructor.constructor("return 1")()}}',
      `${'x'.repeat(5_000_000)}`,
    ];
    view = await openView();
    view.run.succeed(
      hostile.map((text) => JSON.parse(JSON.stringify({ '<b>H</b>': text, ['__proto__x']: text }))),
      1,
      undefined,
    );
    await view.refresh();
    const { page } = view;
    for (const [row, text] of hostile.entries()) {
      await expect
        .poll(() => cell(page, row, 0).textContent())
        .toBe(text.length > 400 ? `${text.slice(0, 400)}…` : text);
    }
    expect(await page.getByRole('columnheader').nth(1).textContent()).toBe('<b>H</b>');
    await cell(page, 5, 0).dblclick();
    await page.locator('.inspector').getByText('4,900,000 more characters. Copy takes them all.').first().waitFor();
    expect(await page.locator('img, script:not([nonce])').count()).toBe(0);
  });
});
