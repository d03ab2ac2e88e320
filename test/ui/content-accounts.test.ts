// Content and several accounts: production asks unmistakably, read only refuses, files are promoted to another account, an untrusted folder does nothing.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { createSecret } from '../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../server/api/transport/undici.ts';
import { openFile, readNotifications, runCommand } from '../bed/actions.ts';
import { type PlatformUnderTest, startLocalPlatform } from '../harness/local-platform.ts';
import { consoleOf, editorShows } from './support/content.ts';
import { answerChoice } from './support/questions.ts';
import { signInAs } from './support/sign-in.ts';
import { openStudio, type Studio } from './support/studio.ts';

const query = `queryId: Acme_Buckets
queryText: |-
  {
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
const overrides = `accounts:
  Local platform:
    policies:
      $account-acme-7: { severity: low, tags: [team:local] }
`;

let remote: PlatformUnderTest;
let acme: ApiClient;
let studio: Studio;
beforeAll(async () => {
  remote = await startLocalPlatform({ account: 'acme', rateLimit: false, sample: 'none' });
  acme = createApiClient({
    origin: remote.url,
    vendorPrefix: 'SVC',
    keyId: remote.keyId,
    secret: createSecret(remote.secret),
    transport: createUndiciTransport(),
  });
  studio = await openStudio({ viewport: { width: 1440, height: 900 }, motion: true });
  studio.page.setDefaultTimeout(20_000);
  for (const folder of ['queries', 'policies', 'alert-profiles'])
    rmSync(path.join(studio.folder, folder), { recursive: true, force: true });
  studio.write('acme-query.yaml', query);
  studio.write('acme-policy.yaml', policy);
  studio.write('lql.overrides.yaml', overrides);
});
afterAll(async () => {
  await acme?.close();
  await studio?.close();
  await remote?.stop();
});

const own = async (client: ApiClient) =>
  (await client.call(endpoints.policies.list)).data.filter(({ policyId }) => !policyId.includes('-global-'));

test('the source control view says how to begin', async () => {
  onTestFailed(() => studio.shoot('accounts-welcome-failed'));
  const { page } = studio;
  await openFile(page, 'acme-query.yaml');
  await showSourceControl(page);
  await page.locator('.welcome-view-content .monaco-button', { hasText: 'Pull from the Account' }).waitFor();
  await studio.shoot('content-welcome');
});

test('production is asked for by name, and Enter deploys nothing', async () => {
  onTestFailed(() => studio.shoot('accounts-production-failed'));
  const { page } = studio;
  await openFile(page, 'acme-policy.yaml');
  await signInAs(page, remote, { environment: 'Production' });
  await runCommand(page, 'LQL: Deploy Changes…');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Acme_Buckets' }).waitFor();
  await page.keyboard.press('Enter');
  const question = page.locator('.quick-input-widget', { hasText: 'PRODUCTION · Deploy to acme: 2 to create' });
  await question.waitFor();
  await expect.poll(() => page.locator('.statusbar-item[id*="lql.content"]').textContent()).toContain('acme');
  await studio.shoot('content-production');
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
  expect(await own(acme)).toEqual([]);
});

test('files are promoted to another account, with what is different there', async () => {
  onTestFailed(() => studio.shoot('accounts-promote-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Promote to Account…');
  await page.locator('.quick-input-widget', { hasText: 'Local platform' }).waitFor();
  await studio.shoot('promote-1-account');
  await answerChoice(page, 'Local platform');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'These files' }).click();
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'of its own there: severity, tags' }).waitFor();
  await studio.shoot('promote-2-choose');
  await page.keyboard.press('Enter');
  await editorShows(page, 'From these files to Local platform.');
  await editorShows(page, '$account-acme-7: severity, tags');
  await studio.shoot('promote-3-plan');
  const question = page.locator('.quick-input-widget', { hasText: 'is another account than the one' });
  await question.locator('.monaco-list-row', { hasText: 'Exactly the plan' }).click();
  await editorShows(page, 'done: create policy $account-acme-7 as harborline-acme-7');
  const local = await consoleOf(studio);
  const [made] = (await own(local)).filter(({ policyId }) => policyId === 'harborline-acme-7');
  expect(made).toMatchObject({ severity: 'low', title: 'A bucket' });
  await local.close();
  // Neither the files nor the account in use changed.
  expect(readFileSync(path.join(studio.folder, 'acme-policy.yaml'), 'utf8')).toBe(policy);
  expect(await own(acme)).toEqual([]);
});

test('a read-only account shows the plan and refuses to deploy it', async () => {
  onTestFailed(() => studio.shoot('accounts-readonly-failed'));
  const { page } = studio;
  await runCommand(page, 'Notifications: Clear All Notifications');
  await signInAs(page, remote, { name: 'reader', environment: 'Production', access: 'Read and run only' });
  await openFile(page, 'acme-query.yaml');
  await runCommand(page, 'LQL: Deploy This File');
  await editorShows(page, 'create query Acme_Buckets (new here)');
  await expect
    .poll(() => readNotifications(page))
    .toContainEqual(expect.stringMatching(/^reader is read only for you/));
  await studio.shoot('content-read-only');
});

test('a folder that is not trusted does nothing with any account', async () => {
  const restricted = await openStudio({ workspaceTrust: true });
  onTestFailed(() => restricted.shoot('accounts-untrusted-failed'));
  try {
    const { page } = restricted;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    for (const command of ['Pull…', 'Disable Policy…']) {
      await runCommand(page, `LQL: ${command}`);
      await expect
        .poll(() => readNotifications(page), { timeout: 20_000 })
        .toContainEqual(
          expect.stringMatching(/trusted workspaces only: nothing is read from or written to an account/),
        );
      await runCommand(page, 'Notifications: Clear All Notifications');
    }
    await openFile(page, '01-first-query.lql');
    await showSourceControl(page);
    await page.locator('.welcome-view-content', { hasText: 'once this workspace is trusted' }).waitFor();
    await runCommand(page, 'LQL: Plan');
    await page.locator('.notification-toast', { hasText: 'trusted workspaces only' }).waitFor();
    await restricted.shoot('content-untrusted');
  } finally {
    await restricted.close();
  }
});

async function showSourceControl(page: Page): Promise<void> {
  await page.locator('.activitybar .action-label[aria-label^="Source Control"]').first().click();
}
