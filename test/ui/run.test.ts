// Running, in its finer points: arguments, several queries in a file, cut results, the ways on, and what the status bar tells.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import {
  editorOf,
  openFile,
  readNotifications,
  replaceText,
  resultFrames,
  runCommand,
  waitForTable,
} from '../bed/actions.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { signInTo } from './support/sign-in.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio } from './support/studio.ts';

const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';
const two = `# two queries of ours

- queryId: Acme_Buckets
  queryText: |-
    ${buckets}

- queryId: Acme_Machines
  queryText: |-
    { source { SVC_HE_MACHINES } return { HOSTNAME } }
`;
const filtered =
  "{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_REGION = 'eu-west-1' } return distinct { RESOURCE_ID } }";
const rangeJson = JSON.stringify(
  {
    queryId: 'Acme_Machines',
    queryText: '{\n  source { SVC_HE_MACHINES }\n  -- @range last 7 days\n  return { HOSTNAME }\n}',
  },
  undefined,
  2,
);

let service: SlowService;
let studio: Studio;
beforeAll(async () => {
  service = await startSlowService({ rateLimit: true });
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default Light Modern' },
    files: {
      'scratch.lql': buckets,
      'args.lql': `-- @arg Region\n-- @arg Port: Number\n${buckets}\n`,
      'few.lql': `-- @limit 2\n${buckets}\n`,
      'two.yaml': two,
      'range.json': rangeJson,
      'acme.tf': `resource "lacework_query" "a" {\n  query_id = "Acme"\n  query    = <<EOT\n${filtered}\nEOT\n}\n`,
      'doubt.lql': buckets.replace('RESOURCE_ID', 'RESOURCE_IDD'),
      'broken.lql': '{\n  -- not yet\n  source { SVC_CFG_AWS_S3 }\n  return distinct { RESOURCE_ID,, ARN }\n}\n',
    },
  });
  await openFile(studio.page, 'scratch.lql');
  await signInTo(studio.page, service, 'Staging');
});
afterAll(async () => {
  await studio?.close();
  await service?.stop();
});

test('arguments that a query asks for are asked, checked, sent, and remembered for the file', async () => {
  onTestFailed(() => studio.shoot('arguments-failed'));
  const { page } = studio;
  await openFile(page, 'args.lql');
  await page.locator('.codelens-decoration', { hasText: 'Region=?, Port=?' }).waitFor({ timeout: 30_000 });
  service.answerNext(200, { data: [{ RESOURCE_ID: 'one' }] });
  await runCommand(page, 'LQL: Run Query');
  await answerText(page, 'eu-west-1');
  const input = page.locator('.quick-input-widget input.input');
  await input.fill('many');
  await expect
    .poll(() => page.locator('.quick-input-widget .quick-input-message').textContent())
    .toContain("'many' is not a number");
  await studio.shoot('arguments');
  expect(service.executions).toEqual([]);
  await answerText(page, '22');
  await waitForTable(page);
  const values = [
    { name: 'Region', value: 'eu-west-1' },
    { name: 'Port', value: '22' },
  ];
  expect(sent().arguments?.slice(2)).toEqual(values);
  await page.locator('.codelens-decoration', { hasText: 'Region=eu-west-1, Port=22' }).waitFor();
  service.answerNext(200, { data: [{ RESOURCE_ID: 'two' }] });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length).toBe(2);
  expect(sent().arguments?.slice(2)).toEqual(values);
});

test('a query is run over the very window of the last run, however long ago that was', async () => {
  onTestFailed(() => studio.shoot('same-window-failed'));
  const { page } = studio;
  const last = sent().arguments?.slice(0, 2);
  const before = service.executions.length;
  await openFile(page, 'few.lql');
  await runCommand(page, 'LQL: Choose Time Range');
  await answerText(page, 'same');
  const [from, to] = last?.map(({ value }) => value) ?? [];
  await page.locator('.codelens-decoration', { hasText: `${from} to ${to}` }).waitFor({ timeout: 20_000 });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
  expect(sent().arguments?.slice(0, 2)).toEqual(last);
});

test('range and arguments chosen for an unsaved text are there when it has become a file', async () => {
  onTestFailed(() => studio.shoot('unsaved-failed'));
  const { page } = studio;
  const before = service.executions.length;
  await runCommand(page, 'LQL: New Query');
  await page.locator('.tab.active', { hasText: 'Untitled' }).waitFor({ timeout: 20_000 });
  await replaceText(page, `-- @arg Region\n${filtered}  \n`);
  await runCommand(page, 'LQL: Choose Time Range');
  await answerText(page, 'last 3 days');
  await page.locator('.codelens-decoration', { hasText: 'last 3 days' }).waitFor({ timeout: 20_000 });
  service.answerNext(200, { data: [{ RESOURCE_ID: 'one' }] });
  await runCommand(page, 'LQL: Run Query');
  await answerText(page, 'eu-west-1');
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
  await runCommand(page, 'File: Save');
  // The proposed name is taken: the dialog writes it over whatever was typed while it opened.
  const input = page.locator('.quick-input-widget input.input');
  const saved = path.join(studio.folder, '-- @arg Region.lql');
  await expect.poll(() => input.inputValue(), { timeout: 20_000 }).toBe(saved);
  await expect
    .poll(
      async () => {
        if (await input.isVisible()) await input.press('Enter');
        return existsSync(saved);
      },
      { timeout: 20_000, interval: 1000 },
    )
    .toBe(true);
  await page.locator('.tab.active', { hasText: path.basename(saved) }).waitFor({ timeout: 20_000 });
  await page.locator('.codelens-decoration', { hasText: 'last 3 days' }).waitFor({ timeout: 20_000 });
  await page.locator('.codelens-decoration', { hasText: 'Region=eu-west-1' }).waitFor({ timeout: 20_000 });
  // The next unsaved text has the same name, and nothing of this one.
  await runCommand(page, 'LQL: New Query');
  await page.locator('.tab.active', { hasText: 'Untitled' }).waitFor({ timeout: 20_000 });
  await page.locator('.codelens-decoration', { hasText: 'last 24 hours' }).waitFor({ timeout: 20_000 });
  await runCommand(page, 'View: Revert and Close Editor');
});

test('with several queries in a file and the cursor in none, the person says which', async () => {
  onTestFailed(() => studio.shoot('which-query-failed'));
  const { page } = studio;
  const before = service.executions.length;
  await openFile(page, 'two.yaml');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).nth(1).waitFor({ timeout: 30_000 });
  await runCommand(page, 'LQL: Run Query');
  await page.locator('.quick-input-title', { hasText: 'Which query?' }).waitFor();
  await studio.shoot('which-query');
  expect(service.executions.length).toBe(before);
  await answerChoice(page, 'Acme_Machines');
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
  expect(sent().query?.queryText).toContain('SVC_HE_MACHINES');
  await page.keyboard.press('Escape');
});

test('a result that the service may have cut says so, and is had in slices by one click', async () => {
  onTestFailed(() => studio.shoot('cut-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  service.answerNext(200, { data: Array.from({ length: 5000 }, (_, row) => ({ RESOURCE_ID: `bucket-${row}` })) });
  await runCommand(page, 'LQL: Run Query');
  const button = await buttonOf('Run in 4 Slices of 6 hours');
  expect(await resultText()).toMatch(/Exactly 5,000 rows came at once/);
  await studio.shoot('cut');
  const before = service.executions.length;
  await button.click();
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 4);
  await expect.poll(resultText, { timeout: 15_000 }).toMatch(/from 4 runs of at most 6 hours each/);
  const [start, end] = sent().arguments?.map(({ value }) => Date.parse(value)) ?? [];
  expect((end ?? 0) - (start ?? 0)).toBe(6 * 3_600_000);
});

test('a limit of the query says so, and is left out by one click', async () => {
  onTestFailed(() => studio.shoot('limit-failed'));
  const { page } = studio;
  await openFile(page, 'few.lql');
  await runCommand(page, 'LQL: Run Query');
  const button = await buttonOf('Run without the Limit');
  expect(await resultText()).toMatch(/Cut to 2 rows by `-- @limit 2`/);
  await button.click();
  await expect.poll(async () => (await waitForTable(page)).rowCount, { timeout: 15_000 }).toBeGreaterThan(2);
});

test('a query that is run again takes the place of its earlier rows, and no two tabs look the same', async () => {
  const titles: string[] = [];
  for (const frame of resultFrames(studio.page)) titles.push(...(await frame.locator('.tab-title').allTextContents()));
  expect(titles.length).toBeGreaterThan(3);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toEqual(expect.arrayContaining(['args', 'Acme_Machines', 'scratch', 'few']));
});

test('a range that a query in JSON names is changed there, and nothing else of its line', async () => {
  onTestFailed(() => studio.shoot('json-range-failed'));
  const { page } = studio;
  await openFile(page, 'range.json');
  await page.locator('.codelens-decoration', { hasText: 'last 7 days' }).waitFor({ timeout: 20_000 });
  await runCommand(page, 'LQL: Choose Time Range');
  await answerText(page, 'last 3 days');
  await page.locator('.codelens-decoration', { hasText: 'last 3 days' }).waitFor({ timeout: 20_000 });
  await page.keyboard.press('Control+S');
  await expect
    .poll(() => readFileSync(path.join(studio.folder, 'range.json'), 'utf8'))
    .toBe(rangeJson.replace('last 7 days', 'last 3 days'));
});

test('a query in Terraform is run where it stands, and looked at before its last block', async () => {
  onTestFailed(() => studio.shoot('terraform-run-failed'));
  const { page } = studio;
  await openFile(page, 'acme.tf');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 20_000 });
  const before = service.executions.length;
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
  expect(sent().query?.queryText).toBe(filtered);
  await runCommand(page, 'LQL: Look at the Rows after the Filter');
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 2);
  const looked = sent().query?.queryText ?? '';
  expect(looked).toContain("filter { RESOURCE_REGION = 'eu-west-1' }");
  expect(looked).toMatch(/return \{[^}]*\bARN\b[^}]*\bRESOURCE_CONFIG\b/);
});

test('a query in which the editor finds an error of meaning is sent, and its rows say so', async () => {
  onTestFailed(() => studio.shoot('doubt-failed'));
  const { page } = studio;
  await openFile(page, 'doubt.lql');
  await editorOf(page).locator('.squiggly-error').first().waitFor({ timeout: 20_000 });
  service.answerNext(200, { data: [{ RESOURCE_IDD: 'one' }] });
  await runCommand(page, 'LQL: Run Query');
  await expect
    .poll(resultText, { timeout: 15_000 })
    .toMatch(/although the editor finds an error in the query: .*RESOURCE_IDD/);
  await buttonOf('Show Problems');
  await studio.shoot('doubt');
  // What the service says against the same name stands beside it once, not twice.
  service.answerNext(400, { message: "no column 'RESOURCE_IDD' here" });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(resultText, { timeout: 15_000 }).toMatch(/no column 'RESOURCE_IDD' here/);
  expect(await editorOf(page).locator('.squiggly-error').count()).toBe(1);
});

test('a syntax error is refused with its place, without a request, and sent all the same when the person wants it', async () => {
  onTestFailed(() => studio.shoot('broken-failed'));
  const { page } = studio;
  await openFile(page, 'broken.lql');
  await editorOf(page).locator('.squiggly-error').first().waitFor({ timeout: 20_000 });
  const before = service.executions.length;
  await runCommand(page, 'LQL: Run Query');
  const toast = page.locator('.notification-toast', {
    hasText: 'Not sent, because the query has an error, in line 4.',
  });
  await toast.waitFor({ timeout: 15_000 });
  await page.locator('.statusbar-item', { hasText: 'Ln 4' }).waitFor();
  expect(service.executions.length).toBe(before);
  await studio.shoot('broken');
  service.answerNext(200, { data: [{ RESOURCE_ID: 'one' }] });
  await toast.locator('.monaco-button', { hasText: 'Run Anyway' }).click();
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
  expect(sent().query?.queryText).toBe('{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID,, ARN } }');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('two runs go at once, and the status bar says how many wait', async () => {
  onTestFailed(() => studio.shoot('queue-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  const before = service.executions.length;
  service.hold();
  for (let run = 0; run < 3; run++) await runCommand(page, 'LQL: Run Query');
  const running = page.locator('.statusbar-item[id*="lql.running"]');
  await expect.poll(() => running.textContent(), { timeout: 15_000 }).toMatch(/scratch \+1.*, 1 waits$/);
  expect(service.executions.length).toBe(before + 2);
  await studio.shoot('queue');
  service.release();
  await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 3);
  await running.waitFor({ state: 'hidden', timeout: 15_000 });
});

test('the view is free within 100 ms of a cancel, however slow the service is', async () => {
  onTestFailed(() => studio.shoot('cancel-time-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  const times: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const before = service.executions.length;
    service.hold();
    await runCommand(page, 'LQL: Run Query');
    await expect.poll(() => service.executions.length, { timeout: 15_000 }).toBe(before + 1);
    const frame = await frameWith('button[aria-label="Cancel the run"]');
    // Measured in the view itself, from the click to what it shows.
    times.push(
      await frame.evaluate(async () => {
        const button = document.querySelector<HTMLElement>('button[aria-label="Cancel the run"]');
        const shown = (): boolean =>
          document.querySelector('.message')?.textContent?.includes('was cancelled') ?? false;
        const start = performance.now();
        button?.click();
        while (!shown()) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.now() - start;
      }),
    );
    await expect.poll(() => service.executions.at(-1)?.closed, { timeout: 5000 }).toBe(true);
    service.release();
  }
  console.log(`      from the click to the view: ${times.map((time) => `${time.toFixed(0)} ms`).join(', ')}`);
  // A busy machine may be late once; the way itself is short.
  expect(Math.min(...times)).toBeLessThan(100);
  expect(await resultText()).toMatch(/was cancelled/);
  expect(await readNotifications(page)).toEqual([]);
});

test('a token that the service takes back costs one request more and no time', async () => {
  onTestFailed(() => studio.shoot('token-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  const [executions, tokens] = [service.executions.length, service.tokens.length];
  service.answerNext(401, { message: 'the token was revoked' });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length, { timeout: 20_000 }).toBe(executions + 2);
  const { status } = await waitForTable(page);
  expect(service.tokens.length).toBe(tokens + 1);
  expect(await readNotifications(page)).toEqual([]);
  console.log(`      after a refused token: ${status}`);
  // A pause between the attempts would be seconds long.
  expect(status).toMatch(/ \d+ ms · acme/);
});

test('the account tells by a hover what it is, how old token and catalog are, and what is left of the hour', async () => {
  onTestFailed(() => studio.shoot('account-hover-failed'));
  const { page } = studio;
  const item = page.locator('.statusbar-item[id*="lql.account"]');
  const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: 'Catalog:' }).first();
  await expect
    .poll(
      async () => {
        await editorOf(page).hover();
        await item.hover();
        const text = await hover.textContent({ timeout: 3000 }).catch(() => '');
        return (text ?? '').replaceAll('\u00a0', ' ');
      },
      { timeout: 40_000 },
    )
    .toMatch(
      /Environment: staging[\s\S]*Catalog: \d+ datasources, read [\s\S]*Access token: issued [\s\S]*runs are left in this hour/,
    );
  await studio.shoot('account-hover');
  await editorOf(page).hover();
});

test('a limit that is used up is said with the time at which the next run is possible', async () => {
  onTestFailed(() => studio.shoot('rate-limit-failed'));
  const { page } = studio;
  await openFile(page, 'scratch.lql');
  const limit = { 'RateLimit-Limit': '480', 'RateLimit-Remaining': '0', 'RateLimit-Reset': '90' };
  service.answerNext(429, { message: 'too many requests' }, limit);
  await runCommand(page, 'LQL: Run Query');
  await expect
    .poll(resultText, { timeout: 15_000 })
    .toMatch(/rate limit of .* is used up; the next call is allowed in/);
  // The same by keyboard as by a hover: in the picker of accounts.
  await runCommand(page, 'LQL: Switch Account');
  const first = page.locator('.quick-input-list .monaco-list-row').first();
  await expect
    .poll(() => first.getAttribute('aria-label'), { timeout: 10_000 })
    .toMatch(/acme.*catalog read .* · token issued .* · no run left until \d/);
  await studio.shoot('rate-limit');
  await page.keyboard.press('Escape');
});

interface Sent {
  readonly query?: { readonly queryText?: string };
  readonly arguments?: readonly { readonly name: string; readonly value: string }[];
}

function sent(): Sent {
  return JSON.parse(service.executions.at(-1)?.body ?? '{}') as Sent;
}

async function frameWith(selector: string): Promise<Frame> {
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    for (const frame of resultFrames(studio.page))
      if (
        await frame
          .locator(selector)
          .first()
          .isVisible()
          .catch(() => false)
      )
        return frame;
    await studio.page.waitForTimeout(50);
  }
  throw new Error(`No view shows ${selector}.`);
}

async function buttonOf(title: string) {
  const frame = await frameWith(`button:text-is("${title}")`);
  return frame.locator(`button:text-is("${title}")`).first();
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
