// Accounts, runs and time ranges as a person meets them, against a service that can be slow and can refuse.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { openFile, readNotifications, replaceText, resultFrames, runCommand, waitForTable } from '../bed/actions.ts';
import { formsOf } from './support/canary.ts';
import { answerChoice, answerText, type } from './support/questions.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio } from './support/studio.ts';

const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';

let service: SlowService;
let studio: Studio;
beforeAll(async () => {
  service = await startSlowService();
  studio = await openStudio();
  studio.write('scratch.lql', buckets);
  studio.write(
    'acme.tf',
    `resource "lacework_query" "buckets" {\n  query_id = "Acme"\n  query    = <<EOT\n${buckets}\nEOT\n}\n`,
  );
  studio.write('acme.md', `# Buckets\n\n\`\`\`lql\n${buckets}\n\`\`\`\n`);
});
afterAll(async () => {
  await studio?.close();
  await service?.stop();
});

test('the walkthrough shows the way in', async () => {
  onTestFailed(() => studio.shoot('walkthrough-failed'));
  await runCommand(studio.page, 'Welcome: Open Walkthrough');
  await answerChoice(studio.page, 'Get Started with LQL Studio');
  await studio.page.locator('.getting-started-step', { hasText: 'Open the examples' }).first().waitFor();
  await studio.shoot('walkthrough');
  const step = studio.page.locator('.getting-started-step', { hasText: 'Write your first policy' }).first();
  await step.click();
  await studio.page.locator('.getting-started-step .monaco-button', { hasText: 'New Policy' }).waitFor();
  await studio.shoot('walkthrough-policy');
  await runCommand(studio.page, 'View: Close All Editors');
});

test('a wrong address and a wrong prefix are said, and changed without typing everything else again', async () => {
  onTestFailed(() => studio.shoot('sign-in-address-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  await runCommand(page, 'LQL: Sign In');
  await answerText(page, 'http://127.0.0.1:1');
  await answerText(page, 'mistyped');
  await answerChoice(page, 'SVC');
  await answerChoice(page, 'The account itself');
  await answerChoice(page, 'Development');
  await answerChoice(page, 'Read, run and write');
  await answerKey(service.secret);
  await expect
    .poll(() => readNotifications(page), { timeout: 30_000 })
    .toEqual([expect.stringMatching(/ECONNREFUSED/)]);
  await studio.shoot('sign-in-unreachable');
  await page.locator('.notification-toast .monaco-button', { hasText: 'Change the Answers' }).click();
  const input = page.locator('.quick-input-widget input.input');
  await expect.poll(() => input.inputValue()).toBe('http://127.0.0.1:1');
  await answerText(page, service.url);
  await expect.poll(() => input.inputValue()).toBe('mistyped');
  await page.keyboard.press('Enter');
  // What was answered before stands first.
  const first = page.locator('.quick-input-list .monaco-list-row').first();
  await expect.poll(() => first.getAttribute('aria-label')).toMatch(/^SVC/);
  await answerChoice(page, 'LW');
  await answerChoice(page, 'The account itself');
  await expect.poll(() => first.getAttribute('aria-label')).toMatch(/^Development/);
  await answerChoice(page, 'Development');
  await answerChoice(page, 'Read, run and write');
  await answerKey(service.secret);
  await expect.poll(() => readNotifications(page), { timeout: 30_000 }).toEqual([expect.stringMatching(/prefix/)]);
  await studio.shoot('sign-in-prefix');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('signing in tries the key first, says what is wrong with it, and asks for the key alone again', async () => {
  onTestFailed(() => studio.shoot('sign-in-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  await signIn();
  await answerKey('wrong-secret-wrong-secret');
  await expect.poll(() => readNotifications(page), { timeout: 15_000 }).toEqual([expect.stringMatching(/401/)]);
  await studio.shoot('sign-in-refused');
  await page.locator('.notification-toast .monaco-button', { hasText: 'Try Again' }).click();
  await expect.poll(() => page.locator('.quick-input-widget input.input').inputValue()).toBe(service.keyId);
});

test('with a good key the window works on the account, and production is unmistakable', async () => {
  onTestFailed(() => studio.shoot('signed-in-failed'));
  const { page } = studio;
  await answerKey(service.secret);
  const item = page.locator('.statusbar-item[id*="lql.account"]');
  await expect.poll(() => item.textContent(), { timeout: 15_000 }).toMatch(/acme PRODUCTION/);
  expect(await item.getAttribute('class')).toContain('error-kind');
  await expect
    .poll(() => readNotifications(page), { timeout: 15_000 })
    .toEqual([expect.stringMatching(/^Signed in to acme/)]);
  await studio.shoot('signed-in');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('the picker of accounts has the one in use first, where Enter is', async () => {
  onTestFailed(() => studio.shoot('switch-account-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Switch Account');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'Local platform' }).waitFor();
  expect(await rows.first().textContent()).toMatch(/^\W*acme.*production/);
  await studio.shoot('switch-account');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await expect.poll(() => page.locator('.statusbar-item[id*="lql.account"]').textContent()).toMatch(/acme PRODUCTION/);
});

test('the account is in the Accounts menu of VS Code', async () => {
  onTestFailed(() => studio.shoot('accounts-menu-failed'));
  const { page } = studio;
  await page.locator('.activitybar .action-label[aria-label*="Accounts"]').click();
  await page
    .locator('.context-view .monaco-menu .action-label', { hasText: 'acme' })
    .first()
    .waitFor({ timeout: 10_000 });
  await studio.shoot('accounts-menu');
  await page.keyboard.press('Escape');
});

test('queries in Terraform and Markdown are found too', async () => {
  onTestFailed(() => studio.shoot('hosts-failed'));
  const { page } = studio;
  for (const file of ['acme.tf', 'acme.md']) {
    await openFile(page, file);
    await page.locator('.codelens-decoration', { hasText: 'last 24 hours' }).first().waitFor({ timeout: 20_000 });
  }
  await studio.shoot('markdown');
});

test('the range picker shows absolute times while one types, and the file remembers the choice', async () => {
  onTestFailed(() => studio.shoot('range-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  await runCommand(page, 'LQL: Choose Time Range');
  const input = page.locator('.quick-input-widget input.input');
  await input.fill('2031-04-01 to 2031-04-02T12:30:00Z');
  const row = page.locator('.quick-input-list .monaco-list-row').first();
  await expect.poll(() => row.textContent()).toContain('2031-04-01 00:00 – 2031-04-02 12:30 UTC (1 d 12 h 30 m)');
  await studio.shoot('range-picker');
  await input.fill('next tuesday');
  await expect.poll(() => row.getAttribute('aria-label')).toMatch(/next tuesday.*Write for example/);
  await type(page, '-30d');
  await expect.poll(() => row.textContent()).toContain('(30 d)');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.statusbar-item[id*="lql.timeRange"]').textContent()).toContain('-30d');
  await page.locator('.codelens-decoration', { hasText: '-30d' }).waitFor();
});

test('the chosen range is what is sent', async () => {
  onTestFailed(() => studio.shoot('sent-range-failed'));
  await runCommand(studio.page, 'LQL: Run Query');
  // Before anything runs on production it says so once in a window.
  await studio.page.locator('.quick-input-title', { hasText: 'PRODUCTION' }).waitFor({ timeout: 15_000 });
  expect(service.executions).toEqual([]);
  await studio.shoot('production-question');
  await answerChoice(studio.page, 'Run on acme');
  const table = await waitForTable(studio.page);
  expect(table.status).toMatch(/acme \(PRODUCTION\)/);
  const sent: unknown = JSON.parse(service.executions.at(-1)?.body ?? '');
  expect(sent).toMatchObject({
    query: { queryText: expect.stringContaining('SVC_CFG_AWS_S3') },
    arguments: [
      { name: 'StartTimeRange', value: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) },
      { name: 'EndTimeRange', value: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) },
    ],
  });
  const [start, end] = (sent as { arguments: { value: string }[] }).arguments.map(({ value }) => Date.parse(value));
  expect((end ?? 0) - (start ?? 0)).toBe(30 * 86_400_000);
});

test('a look at the source shows its columns, and the service can be asked about the text', async () => {
  onTestFailed(() => studio.shoot('quick-look-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  await runCommand(page, 'LQL: Look at the Rows of the Source');
  await expect
    .poll(async () => (await waitForTable(page)).columns, { timeout: 15_000 })
    .toEqual(expect.arrayContaining(['RESOURCE_ID', 'RESOURCE_REGION']));
  await studio.shoot('quick-look');
  await runCommand(page, 'LQL: Validate Query on the Service');
  await expect
    .poll(() => readNotifications(page), { timeout: 10_000 })
    .toEqual([expect.stringMatching(/accepts the query\. Its columns: RESOURCE_ID/)]);
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('a cancel frees the window at once, closes the connection, and the late answer is dropped', async () => {
  onTestFailed(() => studio.shoot('cancel-failed'));
  const { page } = studio;
  const before = service.executions.length;
  service.hold();
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length).toBe(before + 1);
  const running = page.locator('.statusbar-item[id*="lql.running"]');
  await running.waitFor();
  await studio.shoot('running');
  await runCommand(page, 'LQL: Cancel Run');
  await running.waitFor({ state: 'detached', timeout: 2000 }).catch(async () => {
    await expect.poll(() => running.isVisible(), { timeout: 2000 }).toBe(false);
  });
  await expect.poll(() => service.executions.at(-1)?.closed, { timeout: 2000 }).toBe(true);
  service.release();
  await expect.poll(() => resultText(), { timeout: 5000 }).toMatch(/cancel/i);
  expect(await readNotifications(page)).toEqual([]);
  await studio.shoot('cancelled');
});

test('what the service says against a query is shown on the query', async () => {
  onTestFailed(() => studio.shoot('refused-failed'));
  const { page } = studio;
  service.answerNext(400, { message: "the column 'RESOURCE_ID' is not to its liking" });
  await runCommand(page, 'LQL: Run Query');
  await page.locator('.squiggly-error').first().waitFor({ timeout: 15_000 });
  await expect.poll(() => resultText(), { timeout: 5000 }).toMatch(/not to its liking/);
  await runCommand(page, 'View: Focus Problems');
  await page.locator('.markers-panel .monaco-list-row', { hasText: 'not to its liking' }).waitFor();
  await studio.shoot('refused-by-service');
  await openFile(page, 'scratch.lql');
  await replaceText(page, `${buckets}\n`);
  await expect.poll(() => page.locator('.squiggly-error').count()).toBe(0);
});

test('a window that the service refuses is run in slices, when the person wants it', async () => {
  onTestFailed(() => studio.shoot('slices-failed'));
  const { page } = studio;
  const before = service.executions.length;
  service.answerNext(400, { message: 'The time range must not exceed 7 days' });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => resultText(), { timeout: 15_000 }).toMatch(/must not exceed 7 days/);
  // Whatever the range, a run is one request until the person decides otherwise.
  expect(service.executions.length).toBe(before + 1);
  // The text is not to blame.
  expect(await page.locator('.squiggly-error').count()).toBe(0);
  await studio.shoot('slices-offered');
  for (const frame of resultFrames(page)) {
    const button = frame.getByText('Run in Slices').first();
    if (await button.isVisible().catch(() => false)) await button.click();
  }
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 6);
  await expect.poll(() => resultText(), { timeout: 15_000 }).toMatch(/from 5 runs of at most 7 days/);
  await studio.shoot('slices');
});

test('a refused permission is said beside the run', async () => {
  onTestFailed(() => studio.shoot('unauthorized-failed'));
  service.answerNext(403, { message: 'no permission' });
  await runCommand(studio.page, 'LQL: Run Query');
  await expect.poll(() => resultText(), { timeout: 15_000 }).toMatch(/no permission/);
  await studio.shoot('refused-permission');
});

test('the history has every run, with how it ended', async () => {
  onTestFailed(() => studio.shoot('history-failed'));
  const { page } = studio;
  await runCommand(page, 'LQL: Search History');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const read = async (): Promise<string> => (await rows.allTextContents()).join('\n');
  await expect.poll(read, { timeout: 10_000 }).toMatch(/cancelled/);
  const texts = await read();
  expect(texts).toMatch(/failed/);
  expect(texts).toMatch(/rows? in/);
  await studio.shoot('history-search');
  await page.keyboard.press('Escape');
  await page.locator('.activitybar .action-label[aria-label="LQL"]').click();
  await page.locator('.pane-body .monaco-list-row', { hasText: 'scratch' }).first().waitFor();
  await studio.shoot('history-view');
});

test('no file of this VS Code holds the secret or a token', async () => {
  const secrets = [service.secret, ...service.tokens].flatMap(formsOf);
  expect(secrets.length).toBeGreaterThan(5);
  const files = filesBelow(studio.userDataDir).concat(filesBelow(studio.folder));
  expect(files.length).toBeGreaterThan(10);
  const found = files.filter((file) => {
    const content = readFileSync(file, 'latin1');
    return secrets.some((secret) => content.includes(secret));
  });
  expect(found).toEqual([]);
  // Nothing was left out of the log that was searched.
  const log = files.filter((file) => /LQL Studio\.log$/.test(file)).map((file) => readFileSync(file, 'utf8'));
  expect(log.join()).toMatch(/\[debug\].*\/Queries\/execute → 200/);
  console.log(
    `      ${files.length} files searched for ${secrets.length} forms of ${1 + service.tokens.length} secrets: 0 hits`,
  );
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function signIn(): Promise<void> {
  const { page } = studio;
  await runCommand(page, 'LQL: Sign In');
  await answerText(page, service.url);
  await answerText(page, 'acme');
  await answerChoice(page, 'SVC');
  await answerChoice(page, 'The account itself');
  await answerChoice(page, 'Production');
  await answerChoice(page, 'Read and run only');
}

async function answerKey(secret: string): Promise<void> {
  await answerText(studio.page, service.keyId);
  await answerText(studio.page, secret);
}

async function resultText(): Promise<string> {
  const texts = await Promise.all(
    resultFrames(studio.page).map((frame) =>
      frame
        .locator('body')
        .textContent()
        .catch(() => ''),
    ),
  );
  return texts.join('\n');
}
