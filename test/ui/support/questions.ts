import type { Page } from 'playwright-core';

/** Answers a question of the quick input with a text. */
export async function answerText(page: Page, text: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  await input.waitFor({ timeout: 10_000 });
  const title = await questionOf(page);
  // A window under load may drop a key. Pressing it again is safe while the same question is open.
  for (let tries = 0; tries < 4; tries++) {
    await input.fill(text);
    await input.press('Enter');
    if (await goesOn(page, title)) return;
  }
  throw new Error(`The question did not go on: ${title}`);
}

/** Answers a question of the quick input by one of its choices, named by the beginning of its label. */
export async function answerChoice(page: Page, label: string): Promise<void> {
  const row = page.locator(`.quick-input-list .monaco-list-row[aria-label^="${label}"]`).first();
  await row.waitFor({ timeout: 10_000 });
  const title = await questionOf(page);
  await row.click();
  if (!(await goesOn(page, title))) throw new Error(`The question did not go on: ${title}`);
}

/** What tells one question from the next: its prompt, its placeholder, and whether what is typed is hidden. */
async function questionOf(page: Page): Promise<string> {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input.input');
  const parts = await Promise.all([
    widget.locator('.quick-input-message').textContent(),
    input.getAttribute('placeholder'),
    input.getAttribute('type'),
    widget.locator('.quick-input-title').textContent(),
  ]);
  return parts.join(' | ');
}

// A box stays open while the next question is on its way: what is typed before that would be lost.
async function goesOn(page: Page, question: string): Promise<boolean> {
  const end = Date.now() + 5000;
  while (Date.now() < end) {
    const open = await page.locator('.quick-input-widget').isVisible();
    if (!open || (await questionOf(page).catch(() => question)) !== question) return true;
    await page.waitForTimeout(50);
  }
  return false;
}
