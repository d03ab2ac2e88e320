// What only a person can decide about content: something was deleted in the account, something changed here is not wanted.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import type { ApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { openFile, runCommand } from '../bed/actions.ts';
import { consoleOf } from './support/content.ts';
import { answerChoice } from './support/questions.ts';
import { openStudio, type Studio } from './support/studio.ts';

const queryId = 'Acme_Machines';

let studio: Studio;
let account: ApiClient;
beforeAll(async () => {
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default Light Modern', 'lql.content.layout': { queries: 'content/lql' } },
    viewport: { width: 1440, height: 900 },
    motion: true,
  });
  studio.page.setDefaultTimeout(20_000);
  for (const folder of ['queries', 'policies', 'alert-profiles'])
    rmSync(path.join(studio.folder, folder), { recursive: true, force: true });
  await openFile(studio.page, '01-first-query.lql');
  account = await consoleOf(studio);
  for (const id of [queryId, 'Acme_Gone'])
    await account.call(endpoints.queries.create, {
      body: { queryId: id, queryText: '{ source { SVC_HE_MACHINES } return { MID } }' },
    });
});
afterAll(async () => {
  await account?.close();
  await studio?.close();
});

const fileOf = (id: string) => path.join(studio.folder, 'content', 'lql', `${id}.yaml`);
const row = (text: string) => studio.page.locator('.scm-view .resource', { hasText: text }).first();

test('a pull writes where the layout says', async () => {
  onTestFailed(() => studio.shoot('questions-pull-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Pull…');
  await answerChoice(page, 'Queries');
  await expect
    .poll(() => existsSync(fileOf(queryId)) && existsSync(fileOf('Acme_Gone')), { timeout: 30_000 })
    .toBe(true);
});

test('what was deleted in the account is a question, and the file goes only when somebody says so', async () => {
  onTestFailed(() => studio.shoot('questions-deleted-failed'));
  const { page } = studio;
  await account.call(endpoints.queries.delete, { params: { queryId: 'Acme_Gone' } });
  await runCommand(page, 'LQL: Show Drift');
  await row('Acme_Gone.yaml').hover();
  await row('Acme_Gone.yaml').locator('.action-label[aria-label^="Resolve Conflict"]').click();
  await page.locator('.quick-input-widget', { hasText: 'deleted in the account' }).waitFor();
  await studio.shoot('questions-deleted');
  expect(existsSync(fileOf('Acme_Gone'))).toBe(true);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Delete it here too' }).click();
  await expect.poll(() => existsSync(fileOf('Acme_Gone')), { timeout: 20_000 }).toBe(false);
  await row('Acme_Gone.yaml').waitFor({ state: 'detached' });
});

test('a change that is not wanted is discarded after a question whose way out comes first', async () => {
  onTestFailed(() => studio.shoot('questions-discard-failed'));
  const { page } = studio;
  const before = readFileSync(fileOf(queryId), 'utf8');
  writeFileSync(fileOf(queryId), before.replace('MID', 'HOSTNAME'));
  await runCommand(page, 'LQL: Show Drift');
  const discard = async () => {
    await row(`${queryId}.yaml`).hover();
    await row(`${queryId}.yaml`).locator('.action-label[aria-label^="Discard Change"]').click();
    await page.locator('.quick-input-widget', { hasText: `Discard what was changed here in ${queryId}?` }).waitFor();
  };
  await discard();
  await studio.shoot('questions-discard');
  await page.keyboard.press('Enter');
  expect(readFileSync(fileOf(queryId), 'utf8')).toContain('HOSTNAME');
  await discard();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'The files say what' }).click();
  await expect.poll(() => readFileSync(fileOf(queryId), 'utf8'), { timeout: 20_000 }).toBe(before);
});
