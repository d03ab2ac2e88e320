// Rows, names and messages that would like to be more than text: in every place of the real window they are the text they are.
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { editorOf, openFile, readNotifications, resultFrames, runCommand, waitForTable } from '../bed/actions.ts';
import { answerChoice } from './support/questions.ts';
import { signInTo } from './support/sign-in.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio } from './support/studio.ts';

const command = 'command:workbench.action.files.newUntitledFile';
/** The id of the query becomes a tab, an entry of the history, a name of a file, a part of messages. */
const queryId = `Acme $(flame) [click](${command}) <b>bold</b>`;
const yaml = `queryId: ${JSON.stringify(queryId)}\nqueryText: |-\n  { source { SVC_CFG_AWS_S3 } return { RESOURCE_ID } }\n`;

let service: SlowService;
let studio: Studio;
/** What hostile texts point at: whatever follows one of them is counted. */
let thief: Server;
let connections = 0;
const requests: string[] = [];
const violations: string[] = [];
let hostile: readonly string[] = [];

beforeAll(async () => {
  thief = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
  const sink = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  hostile = [
    `<img src="${sink}/a.png" onerror="fetch('${sink}/b')">`,
    `<script src="${sink}/c.js"></script><style>@import url(${sink}/d.css)</style>`,
    `<iframe src="${sink}/e"></iframe><svg onload="fetch('${sink}/f')">`,
    `![picture](${sink}/g.png) [click](${command}) $(flame)`,
    `javascript:fetch('${sink}/h')`,
    '\u202eNOITCUDORP\u202c \u2066x\u2069 \u0000\u0007\u001b[31mred\u001b[0m',
    `=HYPERLINK("${sink}/i","click")`,
    "@SUM(1+9)*cmd|' /C calc'!A0",
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    'x'.repeat(5_000_000),
  ];
  service = await startSlowService();
  studio = await openStudio({ files: { 'hostile.yaml': yaml } });
  const { page } = studio;
  page.on('request', (request) => {
    if (request.url().startsWith(sink)) requests.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) violations.push(message.text());
  });
  await openFile(page, 'hostile.yaml');
  await signInTo(page, service);
  violations.length = 0;
});
afterAll(async () => {
  await studio?.close();
  await service?.stop();
  thief?.close();
});

test('cells, headers and the tab show what was received', async () => {
  onTestFailed(() => studio.shoot('hostile-failed'));
  const { page } = studio;
  const rows = hostile.map((text) =>
    JSON.parse(
      `{${JSON.stringify(`<b>${command}</b>`)}: ${JSON.stringify(text)}, "__proto__": ${JSON.stringify(text)}}`,
    ),
  );
  service.answerNext(200, { data: rows });
  await runCommand(page, 'LQL: Run Query');
  const { frame, columns } = await waitForTable(page, 60_000);
  expect(columns).toEqual(expect.arrayContaining([`<b>${command}</b>`, '__proto__']));
  for (const [row, text] of hostile.entries()) {
    const shown = text.length > 400 ? `${text.slice(0, 400)}…` : text;
    for (const column of [0, 1]) {
      const cell = frame.locator(`#cell-${row}-${column + columns.length - 2}`);
      await cell.scrollIntoViewIfNeeded();
      await expect.poll(() => cell.textContent(), { timeout: 10_000 }).toBe(shown);
    }
  }
  expect(await frame.locator('.tab-title').last().textContent()).toBe(queryId);
  expect(await frame.locator('body :is(img, iframe, script[src*="127.0.0.1"], style, b, a)').count()).toBe(0);
  await studio.shoot('hostile-rows');
});

test('an export has the same texts, and none that a spreadsheet would run', async () => {
  onTestFailed(() => studio.shoot('hostile-export-failed'));
  const { page } = studio;
  const { frame } = await waitForTable(page);
  await frame.getByRole('button', { name: 'Export…' }).click();
  await frame.getByRole('menuitem', { name: 'Export all rows…' }).click();
  await answerChoice(page, 'CSV');
  const input = page.locator('.quick-input-widget input.input');
  await expect.poll(() => input.inputValue(), { timeout: 20_000 }).toMatch(/\.csv$/);
  const file = await input.inputValue();
  // The name leads nowhere but into the folder.
  expect(path.dirname(file)).toBe(studio.folder);
  expect(path.basename(file)).toMatch(/^[\w.-]+$/);
  await page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).click();
  await expect
    .poll(() => readNotifications(page), { timeout: 30_000 })
    .toEqual([expect.stringMatching(/^Exported to/)]);
  const text = readFileSync(file, 'utf8');
  for (const value of hostile.slice(0, 5)) expect(text).toContain(value.replaceAll('"', '""'));
  expect(text.length).toBeGreaterThan(10_000_000);
  // A cell that begins as a formula begins with an apostrophe now.
  expect(text).not.toMatch(/(?:^|,|\n)"?[=@]/);
  expect(readFileSync(`${file}.about.md`, 'utf8')).not.toContain('[click](');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('a message of the service is a message: no link, no picture', async () => {
  onTestFailed(() => studio.shoot('hostile-message-failed'));
  const { page } = studio;
  const message = `[click](${command}) $(flame) <img src=x onerror=alert(1)> \u202egnp`;
  service.answerNext(500, { message });
  await runCommand(page, 'LQL: Validate Query on the Service');
  await page.keyboard.press('Escape');
  service.answerNext(400, { message });
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(allText, { timeout: 20_000 }).toContain(`[click](${command})`);
  await runCommand(page, 'View: Focus Problems');
  const problem = page.locator('.markers-panel .monaco-list-row', { hasText: '[click]' });
  await problem.first().waitFor({ timeout: 20_000 });
  expect(await problem.locator('a[href*="command"], img').count()).toBe(0);
  expect(
    await page.locator('.notification-toast a[data-href*="command"], .notification-toast a[href*="command"]').count(),
  ).toBe(0);
  await studio.shoot('hostile-message');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('status bar, history and its hover tell the name as it is', async () => {
  onTestFailed(() => studio.shoot('hostile-history-failed'));
  const { page } = studio;
  service.hold();
  const before = service.executions.length;
  await openFile(page, 'hostile.yaml');
  await runCommand(page, 'LQL: Run Query');
  await expect.poll(() => service.executions.length, { timeout: 20_000 }).toBe(before + 1);
  const running = page.locator('.statusbar-item[id*="lql.running"]');
  await expect.poll(async () => plain(await running.textContent()), { timeout: 10_000 }).toContain(queryId);
  expect(await running.locator('.codicon-flame').count()).toBe(0);
  service.release();
  await expect.poll(() => running.isVisible(), { timeout: 20_000 }).toBe(false);
  await page.locator('.activitybar .action-label[aria-label="LQL"]').click();
  const entry = page.locator('.pane-body .monaco-list-row', { hasText: 'Acme' }).first();
  await entry.waitFor({ timeout: 20_000 });
  expect(plain(await entry.textContent())).toContain(queryId);
  const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: 'Acme' }).first();
  // A list that is filled anew meanwhile forgets that the mouse was over one of its rows.
  await expect
    .poll(
      async () => {
        await editorOf(page).hover();
        await entry.hover();
        return hover.waitFor({ timeout: 4000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  expect(plain(await hover.textContent())).toContain(queryId);
  expect(await hover.locator('a, img, b, .codicon-flame').count()).toBe(0);
  await studio.shoot('hostile-history');
  await runCommand(page, 'LQL: Search History');
  const found = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Acme' }).first();
  await found.waitFor({ timeout: 20_000 });
  expect(plain(await found.textContent())).toContain(queryId);
  expect(await found.locator('.codicon-flame').count()).toBe(0);
  await page.keyboard.press('Escape');
});

test('nothing was asked of anybody, and no policy was broken', () => {
  console.log(
    `      ${hostile.length} hostile texts: ${requests.length} requests, ${connections} connections, ${violations.length} violations`,
  );
  expect(requests).toEqual([]);
  expect(connections).toBe(0);
  expect(violations).toEqual([]);
});

/** Without the zero-width spaces that keep marks from being read. */
function plain(text: string | null): string {
  return (text ?? '').replaceAll('\u200b', '').replaceAll('\u00a0', ' ');
}

async function allText(): Promise<string> {
  const frames = resultFrames(studio.page).map((frame) =>
    frame
      .locator('body')
      .textContent()
      .catch(() => ''),
  );
  return (await Promise.all(frames)).join('\n');
}
