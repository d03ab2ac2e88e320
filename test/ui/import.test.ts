// Accounts that are there already: what the vendor's command line tool knows, and the account that a workspace suggests.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { editorOf, openFile, readNotifications, runCommand, waitForTable } from '../bed/actions.ts';
import { type PlatformUnderTest, startLocalPlatform } from '../harness/local-platform.ts';
import { canaryKeyId, canarySecret } from './support/canary.ts';
import { answerChoice } from './support/questions.ts';
import { openStudio, type Studio } from './support/studio.ts';

const toml = `[eu]
account = "acme.fra"
subaccount = "unit"
api_key = "EU_KEY"
api_secret = "${canarySecret}"
`;

let platform: PlatformUnderTest;
let studio: Studio;
let home = '';
beforeAll(async () => {
  platform = await startLocalPlatform({ vendorPrefix: 'LW', keyId: canaryKeyId, secret: canarySecret });
  home = mkdtempSync(path.join(tmpdir(), 'lql-home-'));
  writeFileSync(path.join(home, '.lacework.toml'), toml, { mode: 0o600 });
  studio = await openStudio({
    settings: {
      'lql.connections.profiles': [{ name: 'team', baseUrl: platform.url, vendorPrefix: 'LW', readOnly: true }],
    },
    files: {
      'scratch.lql': '{ source { LW_HE_MACHINES } return { HOSTNAME } }',
      '.vscode/settings.json': JSON.stringify({ 'lql.connections.suggestedAccount': 'team' }),
    },
    env: {
      HOME: home,
      LW_ACCOUNT: 'acme',
      LW_API_KEY: platform.keyId,
      LW_API_SECRET: platform.secret,
      LW_API_SERVER_URL: platform.url,
    },
  });
});
afterAll(async () => {
  await studio?.close();
  await platform?.stop();
  rmSync(home, { recursive: true, force: true });
});

test('an account that the workspace suggests is used once the person says so, for this folder', async () => {
  onTestFailed(() => studio.shoot('suggestion-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  const account = page.locator('.statusbar-item[id*="lql.account"]');
  await expect.poll(() => account.textContent(), { timeout: 20_000 }).toMatch(/Local platform/);
  const toast = page.locator('.notification-toast', { hasText: "suggests your account 'team'" });
  await toast.waitFor({ timeout: 20_000 });
  await studio.shoot('suggestion');
  await toast.locator('.monaco-button', { hasText: "Use 'team'" }).click();
  await expect.poll(() => account.textContent(), { timeout: 20_000 }).toMatch(/team: sign in/);
});

test('an account of the vendor’s tool is imported with its server, marked as what it is, and its key is not written', async () => {
  onTestFailed(() => studio.shoot('import-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Import Account from the Vendor CLI');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'https://acme.fra.lacework.net › unit' }).waitFor({ timeout: 20_000 });
  await studio.shoot('import');
  await answerChoice(page, 'environment');
  await answerChoice(page, 'Production');
  await answerChoice(page, 'Read and run only');
  const account = page.locator('.statusbar-item[id*="lql.account"]');
  await expect.poll(() => account.textContent(), { timeout: 30_000 }).toMatch(/acme PRODUCTION/);
  await expect.poll(() => readNotifications(page)).toEqual([expect.stringMatching(/^Signed in to acme: \d+/)]);
  await runCommand(page, 'Notifications: Clear All Notifications');
  const settings = readFileSync(path.join(studio.userDataDir, 'User', 'settings.json'), 'utf8');
  expect(JSON.parse(settings)['lql.connections.profiles'].at(-1)).toEqual({
    name: 'acme',
    baseUrl: platform.url,
    vendorPrefix: 'LW',
    account: 'acme',
    environment: 'production',
    readOnly: true,
  });
  expect(settings).not.toContain(canarySecret);
  expect(readFileSync(path.join(home, '.lacework.toml'), 'utf8')).toBe(toml);
  await editorOf(page).click();
  await runCommand(page, 'LQL: Run Query');
  await answerChoice(page, 'Run on acme');
  expect((await waitForTable(page)).status).toMatch(/acme \(PRODUCTION\)/);
});
