// Results and history as a person keeps house with them, in the real window: what stays, what goes, and what is found again.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { openFile, resultFrames, runCommand, waitForTable } from '../bed/actions.ts';
import { expectAccessible } from './support/accessible.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { signInTo } from './support/sign-in.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio } from './support/studio.ts';

const query = (name: string): string =>
  `-- @range 2026-01-05 to 2026-01-06\n${'-- said before\n'.repeat(60)}{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_ID <> '${name}' } return { RESOURCE_ID } }`;

let service: SlowService;
let studio: Studio;
beforeAll(async () => {
  service = await startSlowService();
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default High Contrast Light' },
    viewport: { width: 1200, height: 800 },
    files: { 'alpaca.lql': query('needle-one'), 'wombat.lql': query('needle-two') },
  });
  await openFile(studio.page, 'alpaca.lql');
  await signInTo(studio.page, service);
});
afterAll(async () => {
  await studio?.close();
  await service?.stop();
});

const rows = (count: number): object[] =>
  Array.from({ length: count }, (_, row) => ({
    RESOURCE_ID: `bucket-${row}`,
    START_TIME: new Date(Date.UTC(2026, 0, 5) + row * 60_000).toISOString(),
  }));

async function run(file: string, count: number): Promise<Frame> {
  await openFile(studio.page, file);
  service.answerNext(200, { data: rows(count) });
  await runCommand(studio.page, 'LQL: Run Query');
  await expect.poll(async () => (await waitForTable(studio.page, 40_000)).rowCount, { timeout: 40_000 }).toBe(count);
  return (await waitForTable(studio.page)).frame;
}

const titles = (frame: Frame): Promise<string[]> => frame.locator('.tab-title').allTextContents();
const historyRow = (text: string): Locator =>
  studio.page.locator('.pane-body .monaco-list-row', { hasText: text }).first();

test('a default panel shows rows below bars, note and names, and looks right in high contrast light', async () => {
  onTestFailed(() => studio.shoot('house-panel-failed'));
  const frame = await run('alpaca.lql', 5000);
  await studio.shoot('house-panel');
  const seen = await frame.evaluate(() => {
    const top = document.querySelector('.header')?.getBoundingClientRect().bottom ?? 0;
    return Math.floor((window.innerHeight - top) / 22);
  });
  console.log(`      ${seen} whole rows in a panel of ${await frame.evaluate(() => window.innerHeight)} px`);
  expect(seen).toBeGreaterThanOrEqual(4);
  await frame.getByRole('button', { name: 'Rows over time' }).click();
  await frame.getByRole('listbox', { name: /^Rows over/ }).waitFor();
  await studio.shoot('house-bars');
});

test('a query run again has one tab, unless the rows before are pinned', async () => {
  onTestFailed(() => studio.shoot('house-tabs-failed'));
  await run('alpaca.lql', 10);
  const frame = await run('alpaca.lql', 11);
  expect(await titles(frame)).toEqual(['alpaca']);
  await frame.getByRole('button', { name: 'Pin this result' }).click();
  await frame.locator('.tab[title*="pinned"]').waitFor();
  await run('alpaca.lql', 12);
  await run('wombat.lql', 13);
  await run('alpaca.lql', 14);
  expect(await titles(frame)).toEqual(['alpaca', 'alpaca (2)', 'wombat']);
  await studio.shoot('house-tabs');
});

test('a result opened beside lives on when its tab is closed', async () => {
  onTestFailed(() => studio.shoot('house-beside-failed'));
  const panel = await run('wombat.lql', 600);
  await panel.getByRole('tab', { selected: true }).click({ button: 'right' });
  await panel.getByRole('menuitem', { name: 'Open beside the editor' }).click();
  await expect.poll(() => framesWith('#cell-0-0').then((frames) => frames.length), { timeout: 20_000 }).toBe(2);
  await panel.locator('.tab.active .tab-close').click();
  await expect.poll(() => titles(panel), { timeout: 20_000 }).toEqual(['alpaca', 'alpaca (2)']);
  const beside = (await framesWith('#cell-0-0')).find((frame) => frame !== panel);
  await beside?.getByRole('searchbox').fill('bucket-599');
  await expect.poll(() => beside?.locator('.status-rows').textContent(), { timeout: 20_000 }).toBe('1 of 600 rows');
  await studio.shoot('house-beside');
  // Its own tab closes the editor.
  await beside?.locator('.tab-close').click();
  await expect.poll(() => framesWith('#cell-0-0').then((frames) => frames.length), { timeout: 20_000 }).toBe(1);
});

test('a kept result comes back under the name it was given, and the bars as they were asked for', async () => {
  onTestFailed(() => studio.shoot('house-kept-failed'));
  const { page } = studio;
  const frame = await run('wombat.lql', 21);
  await frame.getByRole('button', { name: 'Export…' }).click();
  await frame.getByRole('menuitemcheckbox', { name: /Keep across reloads/ }).click();
  await frame.locator('.tab[title*="kept on disk"]').waitFor({ timeout: 30_000 });
  await frame.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('F2');
  await answerText(page, 'evidence');
  await expect.poll(() => titles(frame), { timeout: 20_000 }).toContain('evidence');
  await page.reload();
  await page.locator('.monaco-workbench .explorer-folders-view').waitFor({ timeout: 60_000 });
  await openFile(page, 'wombat.lql');
  const table = await waitForTable(page, 90_000);
  expect([await titles(table.frame), table.rowCount]).toEqual([['evidence'], 21]);
  await table.frame.getByRole('listbox', { name: /^Rows over/ }).waitFor({ timeout: 20_000 });
  await expectAccessible(table.frame);
});

test('the history finds a run by any word of its text, stars and labels it, and opens it', async () => {
  onTestFailed(() => studio.shoot('house-history-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Search History');
  const input = page.locator('.quick-input-widget input.input');
  const found = page.locator('.quick-input-list .monaco-list-row');
  await input.fill('needle-two 600');
  await expect.poll(() => found.count(), { timeout: 20_000 }).toBe(1);
  expect(await found.first().textContent()).toContain('needle-two');
  await studio.shoot('house-search');
  await page.keyboard.press('Escape');
  await page.locator('.activitybar .action-label[aria-label="LQL"]').click();
  await historyRow('600 rows').waitFor({ timeout: 20_000 });
  await historyRow('600 rows').hover();
  await historyRow('600 rows').locator('.action-label[aria-label*="Star"]').click();
  await page.locator('.pane-body .monaco-list-row', { hasText: 'Starred' }).waitFor({ timeout: 20_000 });
  await chooseFor('13 rows', /Label/, () => page.locator('.quick-input-widget input.input').isVisible());
  await answerText(page, 'the odd one');
  await historyRow('the odd one').waitFor({ timeout: 20_000 });
  await chooseFor('14 rows', /Forget/, async () => (await historyRow('14 rows').count()) === 0);
  await studio.shoot('house-history');
  await historyRow('the odd one').click();
  await page.locator('.tab.active', { hasText: /Untitled/ }).waitFor({ timeout: 20_000 });
});

test('clearing the history keeps what was starred or labelled, and leaves no row on the disk', async () => {
  onTestFailed(() => studio.shoot('house-clear-failed'));
  const { page } = studio;
  const files = (): string[] => {
    const below = path.join(studio.userDataDir, 'User', 'globalStorage');
    if (!existsSync(below)) return [];
    return readdirSync(below, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ndjson'));
  };
  expect(files().length).toBe(1);
  await runCommand(page, 'LQL: Clear History');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor({ timeout: 20_000 });
  expect(await dialog.textContent()).toContain('2 starred or labelled runs are kept.');
  await studio.shoot('house-clear');
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(files, { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => historyRow('21 rows').count(), { timeout: 20_000 }).toBe(0);
  await historyRow('the odd one').waitFor({ timeout: 20_000 });
  const history = readdirSync(path.join(studio.userDataDir, 'User', 'globalStorage'), {
    recursive: true,
    encoding: 'utf8',
  })
    .filter((file) => file.endsWith('history.jsonl'))
    .map((file) => readFileSync(path.join(studio.userDataDir, 'User', 'globalStorage', file), 'utf8'))
    .join('');
  expect(history).not.toContain('bucket-');
});

test('a run of another account is not sent again before the person has said to which', async () => {
  onTestFailed(() => studio.shoot('house-account-failed'));
  const { page } = studio;
  const account = page.locator('.statusbar-item[id*="lql.account"]');
  const question = accountQuestion();
  await runCommand(page, 'LQL: Switch Account');
  await answerChoice(page, 'Local platform');
  await account.filter({ hasText: 'Local platform' }).waitFor({ timeout: 60_000 });
  const sent = service.executions.length;
  // A result that was kept over a reload knows where it came from, too.
  await runTabAgain('evidence');
  await question.waitFor({ timeout: 20_000 });
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });

  await rerunFromHistory('600 rows');
  await question.waitFor({ timeout: 20_000 });
  expect(await page.locator('.quick-input-widget input.input').getAttribute('placeholder')).toBe(
    'It ran on acme. This window uses Local platform.',
  );
  expect(await choices()).toEqual(['Run on Local platform', 'Switch to acme and run']);
  await studio.shoot('house-account');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'hidden' });

  await rerunFromHistory('600 rows');
  await answerChoice(page, 'Run on Local platform');
  await expect.poll(statusOf, { timeout: 30_000 }).toMatch(/Local platform/);
  expect(service.executions.length).toBe(sent);

  await rerunFromHistory('600 rows');
  await answerChoice(page, 'Switch to acme and run');
  await account.filter({ hasText: 'acme' }).waitFor({ timeout: 30_000 });
  await expect.poll(() => service.executions.length, { timeout: 30_000 }).toBe(sent + 1);

  // The account in use is the one it ran on: there is nothing to ask.
  await rerunFromHistory('600 rows');
  await expect.poll(() => service.executions.length, { timeout: 30_000 }).toBe(sent + 2);
  expect(await question.isVisible()).toBe(false);
});

test('a run goes to production only by its name, and by one question', async () => {
  onTestFailed(() => studio.shoot('house-production-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Remove Account');
  await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove', exact: true }).click();
  const account = page.locator('.statusbar-item[id*="lql.account"]');
  await account.filter({ hasText: 'Local platform' }).waitFor({ timeout: 60_000 });
  await runTabAgain('wombat');
  await accountQuestion().waitFor({ timeout: 20_000 });
  expect(await page.locator('.quick-input-widget input.input').getAttribute('placeholder')).toBe(
    'It ran on acme, which is not among your accounts any more. This window uses Local platform.',
  );
  await page.keyboard.press('Escape');
  await accountQuestion().waitFor({ state: 'hidden' });
  await signInTo(page, service, 'Production');
  await account.filter({ hasText: 'PRODUCTION' }).waitFor({ timeout: 60_000 });
  const sent = service.executions.length;
  await rerunFromHistory('Local platform');
  await expect
    .poll(choices, { timeout: 20_000 })
    .toEqual(['Switch to Local platform and run', 'Run on acme (PRODUCTION)']);
  await studio.shoot('house-production');
  expect(service.executions.length).toBe(sent);
  await answerChoice(page, 'Run on acme (PRODUCTION)');
  await expect.poll(() => service.executions.length, { timeout: 30_000 }).toBe(sent + 1);
  await expect.poll(statusOf, { timeout: 30_000 }).toMatch(/acme \(PRODUCTION\)/);
});

function accountQuestion(): Locator {
  return studio.page.locator('.quick-input-widget:not([style*="display: none"]) .quick-input-title', {
    hasText: 'Run again: on which account?',
  });
}

async function runTabAgain(title: string): Promise<void> {
  const [frame] = await framesWith(`.tab-title:text-is("${title}")`);
  await frame?.locator('.tab-title', { hasText: title }).click();
  await frame?.getByRole('tab', { selected: true, name: title }).waitFor({ timeout: 20_000 });
  await frame?.getByRole('button', { name: 'Run again' }).first().click();
}

async function rerunFromHistory(words: string): Promise<void> {
  const { page } = studio;
  await runCommand(page, 'LQL: Search History');
  await page.locator('.quick-input-title', { hasText: 'Runs of the past' }).waitFor({ timeout: 20_000 });
  await answerText(page, words);
}

/** What the question offers, as a person reads it. */
async function choices(): Promise<string[]> {
  const labels = await studio.page.locator('.quick-input-list-row:first-child .label-name').allTextContents();
  return labels.map((label) => label.trim());
}

/** Also of a result without rows, which has no table. */
async function statusOf(): Promise<string | null> {
  const [frame] = await framesWith('[data-testid=result-status]');
  return frame ? frame.locator('[data-testid=result-status]').textContent() : null;
}

/** Chooses from the context menu of a run. A menu that has just opened may drop the click: then it is opened again. */
async function chooseFor(row: string, item: RegExp, done: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 5 && !(await done()); tries++) {
    await historyRow(row).click({ button: 'right' });
    await studio.page.getByRole('menuitem', { name: item }).hover();
    await studio.page.getByRole('menuitem', { name: item }).click();
    for (let waits = 0; waits < 30 && !(await done()); waits++) await studio.page.waitForTimeout(100);
  }
  expect(await done()).toBe(true);
}

async function framesWith(selector: string): Promise<Frame[]> {
  const found: Frame[] = [];
  for (const frame of resultFrames(studio.page)) {
    const shown = await frame
      .locator(selector)
      .first()
      .isVisible()
      .catch(() => false);
    if (shown) found.push(frame);
  }
  return found;
}
