// The first steps without an account: an empty query, a look into a datasource, the account's registered queries, a restart.
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { editorOf, openFile, readNotifications, runCommand, waitForTable } from '../bed/actions.ts';
import { answerText } from './support/questions.ts';
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
