// What a person does in the workbench, and what they then see.
import type { Frame, Locator, Page } from 'playwright-core';

/** Runs a command by its title in the command palette, e.g. `LQL: Run Query`. */
export async function runCommand(page: Page, title: string): Promise<void> {
  // The palette finds commands by similarity: only the one of exactly this title is run.
  await pick(page, 'F1', `>${title}`, title);
}

/** Opens the quick input by its key and clicks what a text finds there, the first whose name begins with `label`. */
async function pick(page: Page, key: string, text: string, label: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const input = await openQuickInput(page, key);
    // A view that finishes loading takes the focus, and the quick input goes away with it: then it is opened again.
    try {
      await enterText(input, text);
      const row = page.locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`).first();
      await row.click({ timeout: 4000 * tries });
      return;
    } catch (error) {
      if (tries === 3) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** Opens the quick input by its key. A window that is still starting drops keys, so the key is pressed until it helps. */
async function openQuickInput(page: Page, key: string): Promise<Locator> {
  const input = page.locator('.quick-input-widget input.input');
  for (let tries = 0; tries < 15; tries++) {
    await page.keyboard.press(key);
    const opened = await input.waitFor({ timeout: 2000 }).then(
      () => true,
      () => false,
    );
    if (opened) return input;
  }
  throw new Error(`The quick input did not open on ${key} within 30 s.`);
}

/**
 * Gives a box its text, and nothing else: keys would go to whatever has the focus by then, which on a busy machine may be the editor behind a
 * box that is just closing.
 */
export async function enterText(input: Locator, text: string): Promise<void> {
  await input.evaluate(
    (element: HTMLInputElement, value) => {
      element.focus();
      element.value = value;
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    },
    text,
    { timeout: 5000 },
  );
}

/** Opens a file by its name and waits until its text is shown. */
export async function openFile(page: Page, name: string): Promise<void> {
  // What Enter opens is the file that was last in focus, which while the list is refreshed may be another.
  await pick(page, 'ControlOrMeta+P', name, name);
  await page.locator('.tab.active', { hasText: name }).first().waitFor();
  await editorOf(page).locator('.view-line').first().waitFor();
}

/** The text editor that has the file which was opened last. */
export function editorOf(page: Page): Locator {
  return page
    .locator(
      '.editor-group-container.active .monaco-editor[role="code"], .editor-group-container .editor-instance .monaco-editor',
    )
    .first();
}

/** Replaces the whole text of the active editor, by one paste: typing would meet completion and closing brackets. */
export async function replaceText(page: Page, text: string): Promise<void> {
  await editorOf(page).locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('ControlOrMeta+V');
  const shown = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
  await page.waitForFunction(
    ([selector, last]) =>
      [...document.querySelectorAll(selector)].some(
        (line) => line.textContent?.replaceAll('\u00a0', ' ').trim() === last,
      ),
    ['.monaco-editor .view-line', shown] as const,
  );
}

/** How many colours the tokens of the active editor have; an unhighlighted text has one. */
export async function countTokenColours(page: Page): Promise<number> {
  return editorOf(page)
    .locator('.view-line span span')
    .evaluateAll((spans) => new Set(spans.map((span) => getComputedStyle(span).color)).size);
}

/** What notifications say at this moment. */
export async function readNotifications(page: Page): Promise<string[]> {
  return page.locator('.notification-toast .notification-list-item-message').allTextContents();
}

export interface ShownTable {
  readonly frame: Frame;
  /** Rows of the result, as the grid tells assistive technology; the header row is not counted. */
  readonly rowCount: number;
  readonly columns: readonly string[];
  /** The texts of the rows that are drawn at this moment. */
  readonly rows: readonly (readonly string[])[];
  readonly status: string;
}

/** Waits until the results table shows rows, and reads it. Throws with what the window said instead. */
export async function waitForTable(page: Page, limitMs = 30_000): Promise<ShownTable> {
  const end = Date.now() + limitMs;
  let status = '';
  while (Date.now() < end) {
    for (const frame of resultFrames(page)) {
      const table = await readTable(frame).catch(() => undefined);
      if (table && table.rows.length > 0) return table;
      status = table?.status || status;
    }
    await page.waitForTimeout(100);
  }
  const said = await readNotifications(page);
  throw new Error(
    `The results table showed no rows within ${limitMs / 1000} s.${status ? ` Its status: ${status}` : ''}` +
      `${said.length > 0 ? ` Notifications: ${said.join(' | ')}` : ''}`,
  );
}

/** The frames of webviews. VS Code loads the content of each in a pending frame, which it then makes the active one; the name stays. */
export function resultFrames(page: Page): Frame[] {
  return page.frames().filter((frame) => /^(?:active|pending)-frame$/.test(frame.name()) && !frame.isDetached());
}

async function readTable(frame: Frame): Promise<ShownTable> {
  const content = await frame.evaluate(() => {
    const textOf = (element: Element): string => element.textContent?.trim() ?? '';
    const found = document.querySelector('[role="grid"]');
    // While a query runs the table is laid out with rows that nobody sees.
    const grid = found?.checkVisibility() && !found.closest('[aria-hidden]') ? found : null;
    const status = document.querySelector('[data-testid="result-status"]');
    const rows = [...(grid?.querySelectorAll('[role="row"]') ?? [])].map((row) =>
      [...row.querySelectorAll('[role="gridcell"]')].map(textOf),
    );
    return {
      // The header is a row to assistive technology.
      rowCount: Math.max(0, Number(grid?.getAttribute('aria-rowcount') ?? 0) - 1),
      columns: [...(grid?.querySelectorAll('[role="columnheader"]:not([aria-colindex="1"])') ?? [])].map(textOf),
      rows: rows.filter((row) => row.some((cell) => cell !== '')),
      status: status ? textOf(status) : '',
    };
  });
  return { frame, ...content };
}
