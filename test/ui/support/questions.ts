import type { Locator, Page } from 'playwright-core';
import { enterText } from '../../bed/actions.ts';

// Nothing here is measured: a window on a busy machine takes the time it takes.
const patienceMs = 40_000;
/** A question may write its proposal over what was entered while it opened. */
const proposalMs = 150;

/** What the box says while it takes commands: no question of ours. */
const commandPalette = 'Type the name of a command to run';

/** Answers a question of the quick input with a text. */
export async function answerText(page: Page, text: string): Promise<void> {
  const input = inputOf(page);
  const end = Date.now() + patienceMs;
  let question: string;
  do {
    await input.waitFor({ timeout: patienceMs });
    await enterText(input, text);
    await settled(page, text);
    // Now, and not before: the box may be that of the command which asks, about to close, and a question opens piece by piece.
    question = await questionOf(page);
    if (question === '' || question.includes(commandPalette)) continue;
    // A window under load may drop a key. Pressing it again is safe while the same question is open.
    await input.press('Enter');
    if (await goesOn(page, question, 5000)) return;
  } while (Date.now() < end);
  throw new Error(`The question did not go on: ${question}`);
}

/** Answers a question of the quick input by one of its choices, named by the beginning of its label. */
export async function answerChoice(page: Page, label: string): Promise<void> {
  // A label that begins with a picture is read out with the picture's name before it.
  const row = page
    .locator(`.quick-input-list .monaco-list-row:is([aria-label^="${label}"], [aria-label*=" ${label}"])`)
    .first();
  await row.waitFor({ timeout: patienceMs }).catch(async () => {
    throw new Error(`There is no choice ${label}. Asked is: ${await questionOf(page)}`);
  });
  const end = Date.now() + patienceMs;
  let question: string;
  do {
    question = await questionOf(page);
    await row.click({ timeout: 5000 }).catch(() => undefined);
    if (await goesOn(page, question, 5000)) return;
  } while (Date.now() < end);
  throw new Error(`The question did not go on: ${question}`);
}

/** Types into the quick input that is open and waits until the window has taken it in. */
export async function type(page: Page, text: string): Promise<void> {
  const input = inputOf(page);
  await input.waitFor({ timeout: patienceMs });
  await enterText(input, text);
  await settled(page, text);
}

/** Until the box holds the text, and a list below it, where there is one, has been filtered by it. */
async function settled(page: Page, text: string): Promise<void> {
  const list = page.locator('.quick-input-widget .quick-input-list');
  const end = Date.now() + patienceMs;
  for (;;) {
    await page.waitForTimeout(proposalMs);
    const holds = (await inputOf(page).inputValue()) === text;
    if (!holds) await enterText(inputOf(page), text);
    if (holds && (!(await list.isVisible()) || text === '')) return;
    const first =
      (await rowsOf(page)
        .first()
        .textContent({ timeout: 500 })
        .catch(() => '')) ?? '';
    if (holds && first.replaceAll('\u200b', '').toLowerCase().includes(text.toLowerCase())) return;
    if (Date.now() > end) throw new Error(`The quick input did not take in: ${text}`);
  }
}

function inputOf(page: Page): Locator {
  return page.locator('.quick-input-widget input.input');
}

function rowsOf(page: Page): Locator {
  return page.locator('.quick-input-list .monaco-list-row');
}

/**
 * What tells one question from the next: its prompt, its placeholder, its title, and whether what is typed is hidden; empty while none is open.
 * Looked at in one moment: a half of one question and a half of the next would be taken for a third.
 */
function questionOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const widget = document.querySelector<HTMLElement>('.quick-input-widget');
    if (!widget?.checkVisibility()) return '';
    const input = widget.querySelector('input.input');
    return [
      widget.querySelector('.quick-input-message')?.textContent,
      input?.getAttribute('placeholder'),
      input?.getAttribute('type'),
      widget.querySelector('.quick-input-title')?.textContent,
    ].join(' | ');
  });
}

// A box stays open while the next question is on its way: what is typed before that would be lost.
async function goesOn(page: Page, question: string, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    if ((await questionOf(page)) !== question) return true;
    await page.waitForTimeout(50);
  }
  return false;
}
