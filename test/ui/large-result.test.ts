// A hundred thousand rows in the real window: sorted, filtered, pinned, exported, kept, and there again after a reload.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest';
import { openFile, readNotifications, resultFrames, runCommand, waitForTable } from '../bed/actions.ts';
import { answerChoice } from './support/questions.ts';
import { signInTo } from './support/sign-in.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio } from './support/studio.ts';

const rowCount = 100_000;
const regions = ['us-east-1', 'eu-west-1', 'ap-south-1', 'sa-east-1'];
const query =
  '-- @range 2026-01-05 to 2026-01-06\n{ source { SVC_CFG_AWS_S3 } return { RESOURCE_ID, RESOURCE_REGION, RESOURCE_CONFIG } }';

let service: SlowService;
let studio: Studio;
beforeAll(async () => {
  service = await startSlowService();
  studio = await openStudio({
    settings: { 'workbench.colorTheme': 'Default High Contrast' },
    files: { 'large.lql': query },
  });
  await openFile(studio.page, 'large.lql');
  await signInTo(studio.page, service);
});
afterAll(async () => {
  await studio?.close();
  await service?.stop();
});

test('are there, and sorted by a click', async () => {
  onTestFailed(() => studio.shoot('large-failed'));
  const { page } = studio;
  service.answerNext(200, { data: rows() });
  const start = Date.now();
  await runCommand(page, 'LQL: Run Query');
  const table = await waitForTable(page, 60_000);
  console.log(
    `      ${table.rowCount.toLocaleString('en')} rows shown ${Date.now() - start} ms after the command was typed`,
  );
  expect(table.rowCount).toBe(rowCount);
  await table.frame.getByRole('columnheader', { name: 'RESOURCE_ID' }).click();
  await expect.poll(() => firstCell(table.frame), { timeout: 20_000 }).toBe('bucket-000000');
  await expect
    .poll(() => table.frame.locator('.status-details').textContent(), { timeout: 20_000 })
    .not.toMatch(/arranging/);
  await table.frame.getByRole('columnheader', { name: 'RESOURCE_ID' }).click();
  await expect.poll(() => firstCell(table.frame), { timeout: 20_000 }).toBe('bucket-099999');
  await studio.shoot('large-sorted');
});

test('are filtered as a whole, not by the page', async () => {
  onTestFailed(() => studio.shoot('large-filter-failed'));
  const frame = await tableFrame(studio.page);
  await frame.getByRole('searchbox').fill('eu-west-1');
  await expect
    .poll(() => frame.locator('.status-rows').textContent(), { timeout: 20_000 })
    .toBe('25,000 of 100,000 rows');
  await studio.shoot('large-filtered');
});

test('are exported as they are shown, to a file with as many records, and a record of where they come from', async () => {
  onTestFailed(() => studio.shoot('large-export-failed'));
  const { page } = studio;
  const frame = await tableFrame(page);
  await frame.getByRole('button', { name: 'Export…' }).click();
  await frame
    .getByRole('menuitem', { name: /rows shown|shown/i })
    .first()
    .click();
  await answerChoice(page, 'CSV');
  const file = path.join(studio.folder, 'large.csv');
  // The name that is offered is the query's.
  await expect.poll(() => page.locator('.quick-input-widget input.input').inputValue(), { timeout: 20_000 }).toBe(file);
  await page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).click();
  await expect
    .poll(() => readNotifications(page), { timeout: 60_000 })
    .toEqual(expect.arrayContaining([expect.stringMatching(/^Exported to large\.csv/)]));
  const [header, ...records] = parseCsv(readFileSync(file, 'utf8'));
  console.log(`      ${records.length.toLocaleString('en')} records in the file`);
  expect(header).toEqual(['RESOURCE_ID', 'RESOURCE_REGION', 'RESOURCE_CONFIG']);
  expect(records.length).toBe(25_000);
  // In the order of the table, with the largest integers unharmed and what a spreadsheet would run made harmless.
  expect(records[0]?.[0]).toBe('bucket-099997');
  expect(records.every((record) => record.length === 3 && record[1] === 'eu-west-1')).toBe(true);
  expect(records[0]?.[2]).toContain('9007199254740993');
  const about = readFileSync(`${file}.about.md`, 'utf8');
  expect(about).toContain('25000 of 100000');
  expect(about).toMatch(/Account: acme/);
  expect(about).toContain('2026-01-05T00:00:00.000Z to 2026-01-06T00:00:00.000Z');
  expect(about).toContain('SVC_CFG_AWS_S3');
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('are pinned, kept, and there again after the window was reloaded', async () => {
  onTestFailed(() => studio.shoot('large-restored-failed'));
  const { page } = studio;
  const frame = await tableFrame(page);
  await frame.getByRole('button', { name: 'Pin this result' }).click();
  await frame.getByRole('button', { name: 'Export…' }).click();
  await frame.getByRole('menuitemcheckbox', { name: /Keep across reloads/ }).click();
  await frame.locator('.tab[title*="kept on disk"]').waitFor({ timeout: 30_000 });
  await page.reload();
  await page.locator('.monaco-workbench .explorer-folders-view').waitFor({ timeout: 60_000 });
  await openFile(page, 'large.lql');
  const table = await waitForTable(page, 90_000);
  expect(table.rowCount).toBe(rowCount);
  expect(table.status).toMatch(/2026-01-05/);
  await table.frame.getByRole('searchbox').fill('bucket-054321');
  await expect
    .poll(() => table.frame.locator('.status-rows').textContent(), { timeout: 20_000 })
    .toBe('1 of 100,000 rows');
  await studio.shoot('large-restored');
});

function rows(): object[] {
  return Array.from({ length: rowCount }, (_, row) => ({
    RESOURCE_ID: `bucket-${String((row * 7919 + 17) % rowCount).padStart(6, '0')}`,
    RESOURCE_REGION: regions[((row * 7919 + 17) % rowCount) % regions.length],
    RESOURCE_CONFIG: { Owner: `=cmd|' /C calc'!A${row}`, Size: '9007199254740993', Tags: ['a,b', 'c"d', 'e\nf'] },
  }));
}

async function tableFrame(page: Page): Promise<Frame> {
  return (await waitForTable(page)).frame ?? resultFrames(page)[0];
}

function firstCell(frame: Frame): Promise<string | null> {
  return frame.locator('#cell-0-0').textContent();
}

/** RFC 4180, strictly: quoted fields may hold commas, quotes and line breaks. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) throw new Error('A quoted field does not end.');
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') field += text[at++];
        else break;
      }
      at++;
    } else {
      const end = /[,\r]/g;
      end.lastIndex = at;
      const stop = end.exec(text)?.index ?? text.length;
      field = text.slice(at, stop);
      at = stop;
    }
    record.push(field);
    if (text[at] === ',') at++;
    else {
      if (text.slice(at, at + 2) !== '\r\n' && at < text.length) throw new Error(`A record does not end at ${at}.`);
      at += 2;
      records.push(record);
      record = [];
    }
  }
  return records;
}
