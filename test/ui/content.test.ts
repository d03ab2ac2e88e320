// Content as code: from files to an account, a change in the console, back, and undone; all on the local platform.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { createSecret } from '../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../server/api/transport/undici.ts';
import { editorOf, openFile, runCommand } from '../bed/actions.ts';
import { answerChoice } from './support/questions.ts';
import { openStudio, type Studio } from './support/studio.ts';

const query = `# Which buckets there are.
queryId: Acme_Buckets
queryText: |-
  {
    -- every bucket of every account
    source { SVC_CFG_AWS_S3 }
    return distinct { ACCOUNT_ID, ARN as RESOURCE_KEY }
  }
`;
const policy = `policyId: $account-acme-7
queryId: Acme_Buckets
title: A bucket
enabled: true
severity: high
description: Every bucket, for a start.
remediation: Look at it.
alertEnabled: false
`;
const params = { policyId: 'harborline-acme-7' };

let studio: Studio;
let client: ApiClient;
beforeAll(async () => {
  studio = await openStudio({ settings: { 'workbench.colorTheme': 'Default Light Modern' }, motion: true });
  // The examples bring content of their own.
  for (const folder of ['queries', 'policies', 'alert-profiles'])
    rmSync(path.join(studio.folder, folder), { recursive: true, force: true });
  studio.write('acme-query.yaml', query);
  studio.write('acme-policy.yaml', policy);
});
afterAll(async () => {
  await client?.close();
  await studio?.close();
});

test('files are deployed after a review', async () => {
  onTestFailed(() => studio.shoot('content-deploy-failed'));
  const { page } = studio;
  await openFile(page, 'acme-policy.yaml');
  await runCommand(page, 'LQL: Deploy Changes…');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Acme_Buckets' }).waitFor({ timeout: 30_000 });
  await studio.shoot('content-choose');
  expect(await rows.count()).toBe(2);
  await page.keyboard.press('Enter');
  await shows(page, 'create policy $account-acme-7 (new here)');
  await answer(page, 'Deploy to Local platform: 2 to create', 'Deploy');
  await shows(page, 'done: create policy $account-acme-7 as harborline-acme-7');
  client = clientOf(studio);
  const { data } = await client.call(endpoints.policies.list);
  expect(data.find(({ policyId }) => policyId === params.policyId)).toMatchObject({
    title: 'A bucket',
    severity: 'high',
  });
  await studio.shoot('content-deployed');
});

test('a pull brings the rest, and what the console changes shows as drift', async () => {
  onTestFailed(() => studio.shoot('content-drift-failed'));
  const { page } = studio;
  const queryText = '{ source { SVC_HE_MACHINES } return { MID } }';
  await client.call(endpoints.queries.create, { body: { queryId: 'Console_Query', queryText } });
  await runCommand(page, 'LQL: Pull…');
  await answerChoice(page, 'Everything');
  const pulled = path.join(studio.folder, 'queries', 'Console_Query.yaml');
  await expect.poll(() => existsSync(pulled), { timeout: 20_000 }).toBe(true);
  expect(readFileSync(pulled, 'utf8')).toMatch(/^---\nqueryId: Console_Query\nqueryText: \|-\n/);
  expect(readFileSync(path.join(studio.folder, 'acme-query.yaml'), 'utf8')).toBe(query);
  await client.call(endpoints.policies.update, { params, body: { severity: 'critical' } });
  studio.write('acme-query.yaml', query.replace('ACCOUNT_ID', 'ACCOUNT_ALIAS'));
  await runCommand(page, 'LQL: Show Drift');
  const scm = page.locator('.scm-view');
  await scm.locator('.resource-group', { hasText: 'To Pull' }).first().waitFor({ timeout: 20_000 });
  await scm.locator('.resource-group', { hasText: 'To Deploy' }).first().waitFor();
  await scm.locator('.resource', { hasText: 'acme-query.yaml' }).first().click();
  await page.locator('.monaco-diff-editor').waitFor({ timeout: 10_000 });
  const sides = ['original', 'modified'].map((side) =>
    page.locator(`.monaco-diff-editor .${side} .view-lines`).first(),
  );
  await expect.poll(() => sides[0]?.textContent()).toMatch(/every.bucket[\s\S]*ACCOUNT_ID/);
  await expect.poll(() => sides[1]?.textContent()).toMatch(/every.bucket[\s\S]*ACCOUNT_ALIAS/);
  await studio.shoot('content-drift');
  await runCommand(page, 'View: Close All Editors');
  await openFile(page, 'acme-query.yaml');
  await expect.poll(() => page.locator('.dirty-diff-glyph').count(), { timeout: 10_000 }).toBe(1);
  await studio.shoot('content-gutter');
});

test('an edit of what the console changed is a conflict, and is not deployed', async () => {
  onTestFailed(() => studio.shoot('content-conflict-failed'));
  const { page } = studio;
  studio.write('acme-policy.yaml', policy.replace('severity: high', 'severity: low'));
  await openFile(page, 'acme-policy.yaml');
  await runCommand(page, 'LQL: Deploy This File');
  await shows(page, 'Both the file and the account changed since they were last synchronised');
  await page.locator('.scm-view .resource-group', { hasText: 'Conflicts' }).first().waitFor();
  await studio.shoot('content-conflict');
  const { data } = await client.call(endpoints.policies.get, { params });
  expect(data.severity).toBe('critical');
});

test('the last deployment is taken back after a question whose way out comes first', async () => {
  onTestFailed(() => studio.shoot('content-undo-failed'));
  const { page } = studio;
  await client.call(endpoints.policies.update, { params, body: { severity: 'high' } });
  await runCommand(page, 'LQL: Undo Last Deployment');
  await shows(page, 'delete policy $account-acme-7');
  const question = page.locator('.quick-input-widget', { hasText: 'Deploy to Local platform: 2 to delete' });
  await question.waitFor();
  await studio.shoot('content-undo');
  // What Enter chooses is the way out.
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
  expect((await client.call(endpoints.policies.get, { params })).data.severity).toBe('high');
  await runCommand(page, 'LQL: Undo Last Deployment');
  await question.locator('.monaco-list-row', { hasText: 'Exactly the plan' }).click();
  await shows(page, 'done: delete query Acme_Buckets');
  await expect(client.call(endpoints.policies.get, { params })).rejects.toMatchObject({ status: 404 });
});

async function shows(page: Page, text: string): Promise<void> {
  const wanted = text.replace(/\s+/g, ' ');
  const shown = async (): Promise<string> => ((await editorOf(page).textContent()) ?? '').replace(/\s+/g, ' ');
  await expect.poll(shown, { timeout: 20_000 }).toContain(wanted);
}

async function answer(page: Page, question: string, button: string): Promise<void> {
  const notification = page.locator('.notification-toast', { hasText: question });
  await notification.waitFor({ timeout: 10_000 });
  await notification.locator('.monaco-button', { hasText: button }).click();
}

/** The console of the account: another client of the same local platform. */
function clientOf({ userDataDir }: Studio): ApiClient {
  const storage = path.join(userDataDir, 'User', 'globalStorage');
  const folder = readdirSync(storage).find((name) => existsSync(path.join(storage, name, 'local-platform')));
  const { url, keyId, secret } = JSON.parse(
    readFileSync(path.join(storage, folder ?? '', 'local-platform', 'platform.lock'), 'utf8'),
  );
  return createApiClient({
    origin: url,
    vendorPrefix: 'SVC',
    keyId,
    secret: createSecret(secret),
    transport: createUndiciTransport(),
  });
}
