// What a person meets when something is missing or was cut short: bases that only git has, a merge without VS Code's editor for it, a merge
// that is given up, a window that was closed in the middle of a deployment.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { createSecret } from '../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../server/api/transport/undici.ts';
import { type RunningPlatform, startPlatform } from '../../server/platform/index.ts';
import { openFile, readNotifications, replaceText, runCommand } from '../bed/actions.ts';
import { answerNotification, consoleOf, editorShows, openNewFile } from './support/content.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { signInAs } from './support/sign-in.ts';
import { openStudio, type Studio } from './support/studio.ts';

const queryId = 'Acme_Machines';
const params = { queryId };
const textWith = (column: string): string => `{ source { SVC_HE_MACHINES } return { ${column} } }`;

let studio: Studio;
let account: ApiClient;
let remote: RunningPlatform;
beforeAll(async () => {
  remote = await startPlatform({ port: 0, account: 'acme', rateLimit: false, sample: 'none' });
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off', 'git.enabled': false },
    viewport: { width: 1280, height: 800 },
    motion: true,
  });
  studio.page.setDefaultTimeout(20_000);
  for (const folder of ['queries', 'policies', 'alert-profiles'])
    rmSync(path.join(studio.folder, folder), { recursive: true, force: true });
  await openFile(studio.page, '01-first-query.lql');
  account = await consoleOf(studio);
  await account.call(endpoints.queries.create, { body: { queryId, queryText: textWith('MID') } });
});
afterAll(async () => {
  await account?.close();
  await studio?.close();
  await remote?.stop();
});

const queryFile = (): string => path.join(studio.folder, 'queries', `${queryId}.yaml`);
const group = (title: string) => studio.page.locator('.scm-view .resource-group', { hasText: title }).first();
const row = (text: string) => studio.page.locator('.scm-view .resource', { hasText: text }).first();
const toast = (text: string) => studio.page.locator('.notification-toast', { hasText: text }).first();

test('without a repository, the command that looks for bases in git says what to do instead', async () => {
  onTestFailed(() => studio.shoot('recovery-no-git-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Pull…');
  await answerChoice(page, 'Queries');
  await expect.poll(() => existsSync(queryFile()), { timeout: 30_000 }).toBe(true);
  // VS Code shows no more than three notifications within 0.8 s; the pull has its own.
  await page.waitForTimeout(1000);
  await runCommand(page, 'LQL: Rebuild Bases from Git');
  await toast('in no git repository').waitFor();
  await studio.shoot('recovery-1-no-git');
});

test('bases that a clone does not have are found in the history of git, and the edit is an edit again', async () => {
  onTestFailed(() => studio.shoot('recovery-bases-failed'));
  const { page } = studio;
  await runCommand(page, 'Notifications: Clear All Notifications');
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Pulled');
  // What a fresh clone has: the files, the lock, and nothing of what was seen.
  rmSync(path.join(studio.folder, '.lql', 'base'), { recursive: true, force: true });
  writeFileSync(queryFile(), readFileSync(queryFile(), 'utf8').replace('MID', 'HOSTNAME'));
  await runCommand(page, 'LQL: Show Drift');
  await group('Conflicts').waitFor();
  await toast('The history of git may know').waitFor();
  await studio.shoot('recovery-2-bases-missing');
  await answerNotification(page, 'The history of git may know', 'Rebuild Bases from Git');
  await group('To Deploy').waitFor();
  await group('Conflicts').waitFor({ state: 'detached' });
  await studio.shoot('recovery-3-bases-found');
  await runCommand(page, 'Notifications: Clear All Notifications');
  await runCommand(page, 'LQL: Rebuild Bases from Git');
  await toast('No base is missing').waitFor();
});

test('a window whose merge editor is gone shows the conflict markers, and Abort brings the file back', async () => {
  onTestFailed(() => studio.shoot('recovery-markers-failed'));
  const { page } = studio;
  await withoutMergeEditor(page);
  // The local platform went with the window, and came again elsewhere.
  await account.close();
  await useTheme(page, 'Dark Modern');
  await openFile(page, `${queryId}.yaml`);
  account = await consoleOf(studio);
  await account.call(endpoints.queries.update, { params, body: { queryText: textWith('OS') } });
  const before = readFileSync(queryFile(), 'utf8');
  await runCommand(page, 'LQL: Show Drift');
  await mergeNow();
  await editorShows(page, '<<<<<<<');
  await editorShows(page, '>>>>>>>');
  expect(await page.locator('.merge-editor').count()).toBe(0);
  await page.locator('.codelens-decoration', { hasText: 'being merged' }).first().waitFor();
  await studio.shoot('recovery-4-markers');
  await page.locator('.codelens-decoration a', { hasText: 'Abort…' }).first().click();
  await page.locator('.quick-input-widget', { hasText: 'is being merged' }).waitFor();
  await studio.shoot('recovery-5-merging');
  await answerChoice(page, 'Abort the merge');
  await expect.poll(() => readFileSync(queryFile(), 'utf8'), { timeout: 20_000 }).toBe(before);
  await editorShows(page, 'HOSTNAME');
  await row(`${queryId}.yaml`).waitFor();
  // Nothing was decided: the conflict is as it was, in the account too.
  await group('Conflicts').waitFor();
  expect((await account.call(endpoints.queries.get, { params })).data.queryText).toContain('OS');
});

test('the markers are decided by hand, and the save ends the merge', async () => {
  onTestFailed(() => studio.shoot('recovery-by-hand-failed'));
  const { page } = studio;
  await mergeNow();
  await editorShows(page, '<<<<<<<');
  const merged = readFileSync(queryFile(), 'utf8')
    .replace(/^<{7}[\s\S]*^>{7}.*\n/m, '')
    .replace(/queryText:[\s\S]*$/, 'queryText: "{ source { SVC_HE_MACHINES } return { HOSTNAME, OS } }"\n');
  await replaceText(page, merged);
  await page.keyboard.press('ControlOrMeta+S');
  await toast('is merged').waitFor();
  await group('To Deploy').waitFor();
  await studio.shoot('recovery-6-by-hand');
  await answerNotification(page, 'is merged', 'Deploy This File');
  await answerNotification(page, 'Deploy to Local platform: 1 to change', 'Deploy');
  await editorShows(page, `done: change query ${queryId}`);
  expect((await account.call(endpoints.queries.get, { params })).data.queryText).toMatch(/HOSTNAME\W+OS/);
});

test('a deployment in the middle of which the window was closed is finished by the next one', async () => {
  onTestFailed(() => studio.shoot('recovery-cut-failed'));
  const { page } = studio;
  await useTheme(page, 'Dark High Contrast');
  rmSync(path.join(studio.folder, 'queries'), { recursive: true });
  studio.write('cut-query.yaml', `queryId: Acme_Cut\nqueryText: "${textWith('MID')}"\n`);
  studio.write(
    'cut-policy.yaml',
    'policyId: $account-cut-1\nqueryId: Acme_Cut\ntitle: Cut short\nenabled: true\nseverity: high\n' +
      'description: A machine.\nremediation: Look at it.\nalertEnabled: false\n',
  );
  await openNewFile(page, 'cut-policy.yaml');
  await signInAs(page, remote);
  // The policy's creation hangs, and never takes effect.
  remote.app.faults.add({ match: 'POST /api/v2/Policies', delay: 20_000, action: { kind: 'reset' } });
  await runCommand(page, 'LQL: Deploy Changes…');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Acme_Cut' }).first().waitFor();
  await page.keyboard.press('Enter');
  await answerNotification(page, 'Deploy to acme: 2 to create', 'Deploy');
  await expect.poll(journal, { timeout: 30_000 }).toMatch(/"begun","key":"policy/);
  await studio.shoot('recovery-7-under-way');
  // A server keeps a window's process for a while, in case the window comes back: here it ends with the window.
  process.kill(holder(), 'SIGKILL');
  await reload(page);
  await openFile(page, 'cut-policy.yaml');
  await runCommand(page, 'LQL: Deploy This File');
  await toast('was cut short').waitFor({ timeout: 60_000 });
  await studio.shoot('recovery-8-cut-short');
  await answerNotification(page, 'was cut short', 'Finish It');
  await editorShows(page, 'done: create policy $account-cut-1 as acme-cut-1');
  await editorShows(page, 'done: create query Acme_Cut');
  await studio.shoot('recovery-9-finished');
  const acme = createApiClient({
    origin: remote.url,
    vendorPrefix: 'SVC',
    keyId: remote.keyId,
    secret: createSecret(remote.secret),
    transport: createUndiciTransport(),
  });
  const { data } = await acme.call(endpoints.policies.get, { params: { policyId: 'acme-cut-1' } });
  await acme.close();
  expect(data).toMatchObject({ title: 'Cut short', queryId: 'Acme_Cut' });
  // It is over: nothing is left to deploy, and nobody asks again.
  await runCommand(page, 'Notifications: Clear All Notifications');
  await runCommand(page, 'LQL: Deploy Changes…');
  await editorShows(page, 'nothing to deploy');
  expect(await readNotifications(page)).not.toContainEqual(expect.stringContaining('cut short'));
});

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: studio.folder, stdio: 'ignore' });
}

/** The process that deploys in the folder. */
function holder(): number {
  return JSON.parse(readFileSync(path.join(studio.folder, '.lql', 'in-use.json'), 'utf8')).pid;
}

/** What the deployments of the folder have written down so far. */
function journal(): string {
  const folder = path.join(studio.folder, '.lql', 'deployments');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('');
}

/** Loads the window again as a VS Code that has no merge editor to offer to others: its command is internal and may go. */
async function withoutMergeEditor(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { set } = Map.prototype;
    Map.prototype.set = function (key, value) {
      return key === '_open.mergeEditor' ? this : set.call(this, key, value);
    };
  });
  await reload(page);
}

async function reload(page: Page): Promise<void> {
  await page.reload();
  await page.locator('.monaco-workbench .part.editor .tab').first().waitFor({ timeout: 60_000 });
}

/** By what is typed: the list of themes is longer than the window. */
async function useTheme(page: Page, theme: string): Promise<void> {
  await runCommand(page, 'Preferences: Color Theme');
  await answerText(page, theme);
}

async function resolve(): Promise<void> {
  await row(`${queryId}.yaml`).hover();
  await row(`${queryId}.yaml`).locator('.action-label[aria-label^="Resolve Conflict"]').click();
}

async function mergeNow(): Promise<void> {
  await group('Conflicts').waitFor({ timeout: 30_000 });
  await resolve();
  await answerChoice(studio.page, 'Merge…');
}
