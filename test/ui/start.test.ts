// The first steps without an account: an empty query, a look into a datasource, the account's registered queries, a restart.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { editorOf, openFile, readNotifications, replaceText, runCommand, waitForTable } from '../bed/actions.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { openStudio, type Studio } from './support/studio.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio({ settings: { 'workbench.colorTheme': 'Default Light Modern' } });
});
afterAll(() => studio?.close());

test('a new query has its three blocks, and the datasource is completed', async () => {
  onTestFailed(() => studio.shoot('new-query-failed'));
  const { page } = studio;
  // The palette lists what there is when it is opened.
  await page.locator('.activitybar .action-label[aria-label="LQL"]').waitFor({ timeout: 30_000 });
  await runCommand(page, 'LQL: New Query');
  await expect
    .poll(() => editorOf(page).textContent(), { timeout: 20_000 })
    .toMatch(/source[\s\S]*DATASOURCE[\s\S]*filter[\s\S]*return/);
  await page.keyboard.type('SVC_HE_MA', { delay: 30 });
  const row = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'SVC_HE_MACHINES' }).first();
  await row.waitFor({ timeout: 20_000 });
  await studio.shoot('new-query');
  await page.keyboard.press('Escape');
});

test('a new policy stands beside its query, and is one that could be deployed', async () => {
  onTestFailed(() => studio.shoot('new-policy-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: New Policy');
  await expect
    .poll(async () => (await editorOf(page).textContent())?.replaceAll('\u00a0', ' '), { timeout: 20_000 })
    .toMatch(/queryId: My_Public_Buckets[\s\S]*policyId: \$account-buckets-1[\s\S]*queryId: My_Public_Buckets/);
  await page.locator('.tab.active', { hasText: 'my-policy.yaml' }).waitFor();
  await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 20_000 });
  // Checked as every content file is: the placeholders hold nothing that a check complains about.
  await page.waitForTimeout(1500);
  expect(await editorOf(page).locator('.squiggly-error, .squiggly-warning').count()).toBe(0);
  await studio.shoot('new-policy');
  await page.keyboard.press('Escape');
});

test('a datasource is previewed with all its columns', async () => {
  onTestFailed(() => studio.shoot('preview-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Preview Datasource');
  await answerText(page, 'SVC_HE_MACHINES');
  const table = await waitForTable(page);
  expect(table.columns).toEqual(expect.arrayContaining(['MID', 'HOSTNAME', 'OS']));
  expect(await editorOf(page).textContent()).toMatch(/@limit/);
  await studio.shoot('preview-datasource');
});

test('a registered query is opened and laid out', async () => {
  onTestFailed(() => studio.shoot('saved-query-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Open Query of the Account');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor({ timeout: 10_000 });
  await studio.shoot('saved-queries');
  await rows.filter({ hasText: 'RDS_Public' }).first().click();
  await expect
    .poll(() => editorOf(page).locator('.view-line').allTextContents(), { timeout: 10_000 })
    .toEqual(expect.arrayContaining([expect.stringMatching(/^\s+SVC_CFG_AWS_RDS_DB_INSTANCES$/)]));
  await studio.shoot('saved-query');
});

test('a registered query is found by its id and run, all by keyboard', async () => {
  onTestFailed(() => studio.shoot('run-saved-query-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Open Query of the Account');
  await answerText(page, 'RDS_Public');
  await editorOf(page).locator('.view-line', { hasText: 'SVC_CFG_AWS_RDS_DB_INSTANCES' }).first().waitFor();
  await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 20_000 });
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await waitForTable(page)).columns, { timeout: 20_000 }).toContain('RESOURCE_KEY');
  expect(await readNotifications(page)).toEqual([]);
});

test('a query that is written and not saved anywhere is run', async () => {
  onTestFailed(() => studio.shoot('scratch-run-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: New Query');
  await editorOf(page).locator('.view-line', { hasText: 'DATASOURCE' }).waitFor();
  await replaceText(page, '{ source { SVC_HE_USERS } return { USERNAME } }');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 20_000 });
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await waitForTable(page)).columns, { timeout: 20_000 }).toEqual(['USERNAME']);
  await studio.shoot('scratch-run');
});

test('a range is shown in the zone of the settings, and a file keeps it when it is renamed', async () => {
  onTestFailed(() => studio.shoot('range-renamed-failed'));
  const { page } = studio;
  await openFile(page, '03-compare-as-text.lql');
  await runCommand(page, 'LQL: Choose Time Range');
  const input = page.locator('.quick-input-widget input.input');
  const row = page.locator('.quick-input-list .monaco-list-row').first();
  // The service's four formats, none of which needs a zone, and a date alone, which begins at midnight.
  for (const [typed, shown] of [
    ['2031-04-01 to 2031-04-02', '2031-04-01 00:00 – 2031-04-02 00:00 UTC (1 d)'],
    ['2031-04-01T08 to 2031-04-01T09', '2031-04-01 08:00 – 2031-04-01 09:00 UTC (1 h)'],
    ['2031-04-01T08:30:10Z to 2031-04-02', '2031-04-01 08:30:10 – 2031-04-02 00:00 UTC (15 h 29 m 50 s)'],
    ['2031-04-01T08:30:00.500Z to 2031-04-02', '2031-04-01 08:30 – 2031-04-02 00:00 UTC'],
  ] as const) {
    await input.fill(typed);
    await expect.poll(() => row.textContent()).toContain(shown);
  }
  await answerText(page, '2031-04-01 to 2031-04-02');
  await page.locator('.codelens-decoration', { hasText: '2031-04-01 to 2031-04-02' }).waitFor({ timeout: 20_000 });
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: '03-compare-as-text.lql' }).click();
  await page.keyboard.press('F2');
  const name = page.locator('.explorer-folders-view .monaco-inputbox input');
  await name.fill('compare.lql');
  await name.press('Enter');
  await page.locator('.tab.active', { hasText: 'compare.lql' }).waitFor({ timeout: 20_000 });
  await page.locator('.codelens-decoration', { hasText: '2031-04-01 to 2031-04-02' }).waitFor({ timeout: 20_000 });
});

test('after a restart of the window the history is there, and a run is run again from it', async () => {
  onTestFailed(() => studio.shoot('rerun-failed'));
  const { page } = studio;
  await page.reload();
  await page.locator('.monaco-workbench .explorer-folders-view').waitFor({ timeout: 60_000 });
  await openFile(page, '01-first-query.lql');
  await runCommand(page, 'LQL: Search History');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'SVC_HE_MACHINES' }).first().click();
  const table = await waitForTable(page);
  expect(table.status).toMatch(/last 7 days/);
  expect(await readNotifications(page)).toEqual([]);
  await studio.shoot('rerun');
});

test('new arguments of the local platform count after a restart, which is offered', async () => {
  onTestFailed(() => studio.shoot('restart-failed'));
  const { page } = studio;
  const settings: object = JSON.parse(readFileSync(path.join(studio.userDataDir, 'User', 'settings.json'), 'utf8'));
  const changed = {
    ...settings,
    'lql.run.timeZone': 'local',
    'lql.localPlatform.arguments': ['--vendor-prefix', 'LW'],
  };
  await runCommand(page, 'Preferences: Open User Settings (JSON)');
  const dialog = page.locator('.modal-editor-part');
  await dialog.locator('.view-line', { hasText: 'workbench.startupEditor' }).click({ timeout: 20_000 });
  await page.keyboard.press('Control+A');
  await page.evaluate((text) => navigator.clipboard.writeText(text), JSON.stringify(changed));
  await page.keyboard.press('Control+V');
  await dialog.locator('.view-line', { hasText: '--vendor-prefix' }).waitFor();
  await page.keyboard.press('Control+S');
  const toast = page.locator('.notification-toast', { hasText: 'old arguments until it is started again' });
  await toast.waitFor({ timeout: 20_000 });
  await studio.shoot('restart-offered');
  await dialog.locator('.codicon-close').first().click();
  await toast.locator('.monaco-button', { hasText: 'Restart the Local Platform' }).click();
  await openFile(page, '01-first-query.lql');
  // What it is started with counts: names of another vendor.
  const title = page.locator('.quick-input-title', { hasText: 'Preview a datasource' });
  const offered = async (): Promise<string> => {
    await runCommand(page, 'LQL: Preview Datasource');
    await title.waitFor({ timeout: 5000 });
    const names = (await page.locator('.quick-input-list .monaco-list-row').allTextContents()).join('\n');
    if (!/^LW_/m.test(names)) await page.keyboard.press('Escape');
    return names;
  };
  await expect.poll(offered, { timeout: 40_000 }).toMatch(/^LW_/m);
  await answerText(page, 'LW_HE_MACHINES');
  await expect.poll(async () => (await waitForTable(page)).columns, { timeout: 30_000 }).toContain('HOSTNAME');
  await openFile(page, '01-first-query.lql');
  await runCommand(page, 'LQL: Choose Time Range');
  await expect
    .poll(() => page.locator('.quick-input-list .monaco-list-row').first().textContent())
    .toMatch(/local time \(/);
  await studio.shoot('local-time');
  await page.keyboard.press('Escape');
});

describe('from nothing, by keyboard alone', () => {
  let empty: Studio;
  beforeAll(async () => {
    empty = await openStudio({ empty: true });
  });
  afterAll(() => empty?.close());

  test('the walkthrough leads to an example, goes on beside it, and counts a step when it was done', async () => {
    onTestFailed(() => empty.shoot('first-hour-failed'));
    const { page } = empty;
    const step = (title: string) => page.locator('.getting-started-step', { hasText: title }).first();
    const done = (title: string) => step(title).locator('.codicon-getting-started-step-checked');
    // To the button of a step by Tab, as one does without a mouse.
    const press = async (title: string, button: string): Promise<void> => {
      const isThere = (): Promise<boolean> =>
        page.evaluate((text) => document.activeElement?.textContent?.trim() === text, button);
      // What the step before has opened takes the focus when it is ready, on a busy machine in the middle of this.
      for (let tries = 0; tries < 12 && !(await isThere()); tries++) {
        if (tries > 0) await page.waitForTimeout(500);
        await step(title).focus();
        // Enter opens a step, and closes one that is open.
        if (!(await step(title).locator('.monaco-button').first().isVisible())) await page.keyboard.press('Enter');
        await step(title).locator('.monaco-button', { hasText: button }).waitFor();
        for (let tabs = 0; tabs < 8 && !(await isThere()); tabs++) {
          await page.keyboard.press('Tab');
          await page.waitForTimeout(100);
        }
      }
      expect(await isThere()).toBe(true);
      await page.keyboard.press('Enter');
    };
    await runCommand(page, 'Welcome: Open Walkthrough');
    await answerChoice(page, 'Get Started with LQL Studio');
    await step('Open the examples').waitFor();
    await press('Open the examples', 'Open the Examples');
    await page.locator('.tab', { hasText: '01-first-query.lql' }).waitFor({ timeout: 60_000 });
    await step('Run a query').waitFor({ timeout: 30_000 });
    await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 30_000 });
    expect(await done('Run a query').count()).toBe(0);
    await empty.shoot('first-hour-examples');
    await press('Run a query', 'Run Query');
    expect((await waitForTable(page)).rowCount).toBeGreaterThan(0);
    await done('Run a query').waitFor({ timeout: 10_000 });
    await press('Choose the time range', 'Choose Time Range');
    await answerText(page, 'last 3 days');
    await done('Choose the time range').waitFor({ timeout: 10_000 });
    await page.locator('.codelens-decoration', { hasText: 'last 3 days' }).waitFor({ timeout: 20_000 });
    await empty.shoot('first-hour');
    await press('Write a query', 'New Query');
    await editorOf(page).locator('.view-line', { hasText: 'DATASOURCE' }).waitFor();
    await empty.shoot('first-hour-new-query');
    expect(await readNotifications(page)).toEqual([]);
  });
});
