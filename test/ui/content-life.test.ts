// The whole life of content in a real window: pulled, edited, compared by its hits, deployed, in conflict with the console, merged, undone.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import type { ApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { openFile, replaceText, runCommand } from '../bed/actions.ts';
import { answerNotification, consoleOf, editorShows, openNewFile, setTheme } from './support/content.ts';
import { openStudio, type Studio } from './support/studio.ts';

const queryId = 'Acme_Public_Buckets';
const policyId = '$account-acme-9';
const params = { policyId: 'harborline-acme-9' };
const queryText = [
  '{',
  '  source { SVC_CFG_AWS_S3 }',
  "  filter { ACCOUNT_ID <> '' }",
  '  return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY }',
  '}',
].join(' ');

let studio: Studio;
let account: ApiClient;
beforeAll(async () => {
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off', 'git.enabled': false },
    viewport: { width: 1440, height: 900 },
    motion: true,
  });
  studio.page.setDefaultTimeout(15_000);
  for (const folder of ['queries', 'policies', 'alert-profiles'])
    rmSync(path.join(studio.folder, folder), { recursive: true, force: true });
  await openFile(studio.page, '01-first-query.lql');
  account = await consoleOf(studio);
  await account.call(endpoints.queries.create, { body: { queryId, queryText } });
  await account.call(endpoints.policies.create, {
    body: {
      policyId,
      queryId,
      title: 'Public bucket',
      enabled: true,
      severity: 'high',
      description: 'A bucket that everybody can read.',
      remediation: 'Close it.',
      alertEnabled: false,
    },
  });
});
afterAll(async () => {
  await account?.close();
  await studio?.close();
});

const queryFile = () => path.join(studio.folder, 'queries', `${queryId}.yaml`);
const policyFile = () => path.join(studio.folder, 'policies', 'acme-9.yaml');
/** VS Code asks for code lenses the later the busier it is. */
const patience = { timeout: 60_000 };
const lens = (page: Page, text: string | RegExp) => page.locator('.codelens-decoration', { hasText: text }).first();
const lensButton = (page: Page, text: string) => page.locator('.codelens-decoration a', { hasText: text }).first();
const scm = (page: Page, text: string) => page.locator('.scm-view .monaco-list-row', { hasText: text }).first();

test('an account is pulled into files', async () => {
  onTestFailed(() => studio.shoot('life-pull-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Pull…');
  await page.locator('.quick-input-widget', { hasText: 'Everything' }).waitFor();
  await studio.shoot('life-1-pull');
  await page.keyboard.press('Enter');
  await expect.poll(() => existsSync(policyFile()), { timeout: 20_000 }).toBe(true);
  await openNewFile(page, 'acme-9.yaml');
  await lens(page, 'deployed to Local platform').waitFor(patience);
  await lens(page, 'enabled · Disable').waitFor(patience);
  await studio.shoot('life-2-pulled');
});

test('an edit shows beside the text, above it, and in the source control view', async () => {
  onTestFailed(() => studio.shoot('life-edit-failed'));
  const { page } = studio;
  await openFile(page, `${queryId}.yaml`);
  await lens(page, 'deployed to Local platform').waitFor(patience);
  await edit(page, queryFile(), "ACCOUNT_ID <> ''", "ACCOUNT_ID <> '' and ARN like '%backup%'");
  await lens(page, 'changed since deployed').waitFor(patience);
  await page.keyboard.press('ControlOrMeta+S');
  await expect.poll(() => page.locator('.dirty-diff-glyph').count(), { timeout: 10_000 }).toBeGreaterThan(0);
  await runCommand(page, 'Source Control: Focus on Changes View');
  await scm(page, `${queryId}.yaml`).waitFor();
  await studio.shoot('life-3-edited');
});

test('the plan says what the change does to hits before it is deployed', async () => {
  onTestFailed(() => studio.shoot('life-hits-failed'));
  const { page } = studio;
  await openFile(page, `${queryId}.yaml`);
  await runCommand(page, 'LQL: Deploy This File');
  await editorShows(page, `change query ${queryId} (changed here)`);
  await answerNotification(page, 'Deploy to Local platform: 1 to change', 'Compare Hits…');
  await page.locator('.quick-input-widget', { hasText: 'Each query’s own' }).waitFor();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'last 24 hours' }).last().click();
  await editorShows(page, 'Hits of the deployed and of the new text:');
  await editorShows(page, 'policy $account-acme-9');
  await studio.shoot('life-4-hits');
  await answerNotification(page, 'Deploy to Local platform: 1 to change', 'Deploy');
  await editorShows(page, `done: change query ${queryId}`);
  const { data } = await account.call(endpoints.queries.get, { params: { queryId } });
  expect(data.queryText).toContain('%backup%');
  await studio.shoot('life-5-deployed');
});

test('a change in the console drifts, and what both changed is a conflict', async () => {
  onTestFailed(() => studio.shoot('life-conflict-failed'));
  const { page } = studio;
  await account.call(endpoints.policies.update, {
    params,
    body: { severity: 'critical', remediation: 'Close it today.' },
  });
  await openFile(page, 'acme-9.yaml');
  await edit(page, policyFile(), 'severity: high', 'severity: medium');
  await page.keyboard.press('ControlOrMeta+S');
  await runCommand(page, 'LQL: Show Drift');
  await page.locator('.scm-view .resource-group', { hasText: 'Conflicts' }).first().waitFor({ timeout: 20_000 });
  await lens(page, 'conflict: changed here and in Local platform').waitFor(patience);
  await studio.shoot('life-6-conflict');
  await runCommand(page, 'File: Focus on Files Explorer');
  await expect
    .poll(() => page.locator('.explorer-folders-view .monaco-icon-label[aria-label*="changed on both sides"]').count())
    .toBeGreaterThan(0);
  await studio.shoot('life-7-decoration');
});

test('the two sides are merged in VS Code’s own editor, and the plan then deploys the merge', async () => {
  onTestFailed(() => studio.shoot('life-merge-failed'));
  const { page } = studio;
  await runCommand(page, 'Source Control: Focus on Changes View');
  await lensButton(page, 'Resolve…').click();
  await page.locator('.quick-input-widget', { hasText: 'Take the account’s side' }).waitFor();
  await studio.shoot('life-8-resolve');
  await page.keyboard.press('Enter');
  await page.locator('.merge-editor').waitFor({ timeout: 15_000 });
  expect(readFileSync(policyFile(), 'utf8')).toMatch(
    /^<{7} [\s\S]*severity: medium[\s\S]*severity: critical[\s\S]*^>{7}/m,
  );
  await scm(page, 'acme-9.yaml').waitFor();
  await page.locator('.merge-editor', { hasText: 'No Changes Accepted' }).waitFor();
  await studio.shoot('life-9-merging');
  await runCommand(page, 'Merge Editor: Accept All Current Changes from Right');
  await runCommand(page, 'Merge Editor: Complete Merge');
  await page.locator('.notification-toast', { hasText: 'is merged' }).waitFor({ timeout: 15_000 });
  const merged = readFileSync(policyFile(), 'utf8');
  expect(merged).not.toContain('<<<<<<<');
  expect(merged).toContain('severity: medium');
  expect(merged).toContain('Close it today.');
  await studio.shoot('life-10-merged');
  await answerNotification(page, 'is merged', 'Deploy This File');
  await editorShows(page, 'severity: critical → medium');
  await studio.shoot('life-11-lowered');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Exactly the plan' }).click();
  await editorShows(page, 'done: change policy $account-acme-9');
  expect((await account.call(endpoints.policies.get, { params })).data).toMatchObject({
    severity: 'medium',
    remediation: 'Close it today.',
  });
});

test('a policy is disabled from above its text, in the account and in its file', async () => {
  onTestFailed(() => studio.shoot('life-disable-failed'));
  const { page } = studio;
  await openFile(page, 'acme-9.yaml');
  await lensButton(page, 'enabled · Disable').click();
  const question = page.locator('.quick-input-widget', { hasText: 'The policy is disabled.' });
  await question.waitFor({ timeout: 15_000 });
  await studio.shoot('life-12-disable');
  await question.locator('.monaco-list-row', { hasText: 'Exactly the plan' }).click();
  await editorShows(page, 'done: change policy $account-acme-9');
  expect((await account.call(endpoints.policies.get, { params })).data.enabled).toBe(false);
  expect(readFileSync(policyFile(), 'utf8')).toContain('enabled: false');
  await openFile(page, 'acme-9.yaml');
  await lens(page, 'disabled · Enable').waitFor(patience);
  await lens(page, 'deployed to Local platform').waitFor(patience);
});

test('the last deployment is undone', async () => {
  onTestFailed(() => studio.shoot('life-undo-failed'));
  const { page } = studio;
  await setTheme(page, 'Light Modern');
  await runCommand(page, 'LQL: Undo Last Deployment');
  await editorShows(page, 'as it was before the deployment');
  await studio.shoot('life-13-undo');
  await answerNotification(page, 'Deploy to Local platform: 1 to change', 'Deploy');
  await editorShows(page, 'done: change policy $account-acme-9');
  expect((await account.call(endpoints.policies.get, { params })).data.enabled).toBe(true);
  await openFile(page, 'acme-9.yaml');
  await lens(page, 'changed since deployed').waitFor(patience);
  await studio.shoot('life-14-undone');
});

/** Changes the text of the active editor, which shows this file as it is saved. */
async function edit(page: Page, file: string, from: string, to: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  await replaceText(page, text.replace(from, to));
  await editorShows(page, to);
}
