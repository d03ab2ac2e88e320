// The main job, as a person does it, in a real VS Code: open, read, mend, complete, run, look at rows.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFailed, test, vi } from 'vitest';
import {
  countTokenColours,
  editorOf,
  openFile,
  readNotifications,
  replaceText,
  runCommand,
  waitForTable,
} from '../bed/actions.ts';
import { repoRoot } from '../harness/paths.ts';
import { openStudio, type Studio } from './support/studio.ts';

const [firstExample = ''] = readdirSync(path.join(repoRoot, 'examples'))
  .filter((name) => name.endsWith('.lql'))
  .sort();
const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';

describe('with the local platform, as on a first start', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
    studio.write('scratch.lql', '');
  });
  afterAll(() => studio?.close());

  test('an example is highlighted, offers to be run, and has no complaints', async () => {
    onTestFailed(() => studio.shoot('smoke-example-failed'));
    await openFile(studio.page, firstExample);
    await expect.poll(() => countTokenColours(studio.page), { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
    await studio.page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor({ timeout: 20_000 });
    await expect.poll(() => studio.page.locator('.squiggly-error').count()).toBe(0);
    await studio.shoot('smoke-1-example');
  });

  test('a run by the command palette fills the table', async () => {
    onTestFailed(() => studio.shoot('smoke-run-failed'));
    await runCommand(studio.page, 'LQL: Run Query');
    const table = await waitForTable(studio.page);
    expect(table.rowCount).toBeGreaterThan(0);
    expect(table.columns.length).toBeGreaterThan(0);
    expect(table.status).toMatch(/[\d,]+ rows?/);
    expect(await readNotifications(studio.page)).toEqual([]);
    await studio.shoot('smoke-2-table');
  });

  test('an unknown column is underlined, with the name that was meant', async () => {
    onTestFailed(() => studio.shoot('smoke-squiggle-failed'));
    const { page } = studio;
    await openFile(page, 'scratch.lql');
    await replaceText(page, buckets.replace('RESOURCE_ID', 'RESOURCE_IDD'));
    await page.locator('.squiggly-error').first().waitFor({ timeout: 20_000 });
    await runCommand(page, 'View: Focus Problems');
    const problem = page.locator('.markers-panel .monaco-list-row', { hasText: 'RESOURCE_IDD' });
    await expect.poll(() => problem.allTextContents()).toEqual([expect.stringContaining('RESOURCE_ID')]);
    await studio.shoot('smoke-3-squiggle');
    await replaceText(page, buckets);
    await expect.poll(() => page.locator('.squiggly-error').count(), { timeout: 10_000 }).toBe(0);
  });

  test('completion offers the columns of the datasource', async () => {
    onTestFailed(() => studio.shoot('smoke-completion-failed'));
    const { page } = studio;
    await openFile(page, 'scratch.lql');
    await replaceText(page, '{ source { SVC_CFG_AWS_S3 } return { ');
    await page.keyboard.press('Control+Space');
    const row = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'RESOURCE_ID' }).first();
    await row.waitFor({ timeout: 20_000 });
    await studio.shoot('smoke-4-completion');
    await page.keyboard.press('Escape');
  });

  test('hover tells what a datasource is', async () => {
    onTestFailed(() => studio.shoot('smoke-hover-failed'));
    const { page } = studio;
    await replaceText(page, buckets);
    await editorOf(page).locator('.view-line span span', { hasText: 'SVC_CFG_AWS_S3' }).last().hover();
    const hover = page.locator('.monaco-hover:not(.hidden)', { hasText: 'SVC_CFG_AWS_S3' }).first();
    await hover.waitFor({ timeout: 20_000 });
    await studio.shoot('smoke-5-hover');
  });

  test('a query that is not finished is not sent, and says why', async () => {
    onTestFailed(() => studio.shoot('smoke-unfinished-failed'));
    const { page } = studio;
    await openFile(page, 'scratch.lql');
    await replaceText(page, '{ source { SVC_CFG_AWS_S3 } return {');
    await page.locator('.squiggly-error').first().waitFor({ timeout: 20_000 });
    await runCommand(page, 'LQL: Run Query');
    await expect.poll(() => readNotifications(page), { timeout: 10_000 }).not.toEqual([]);
    await studio.shoot('smoke-6-unfinished');
  });
});

describe('with datasources whose columns only the schemas endpoints know', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({
      settings: {
        'lql.localPlatform.arguments': ['--columnless'],
        'workbench.colorTheme': 'Default Light Modern',
      },
    });
    studio.write('scratch.lql', '');
  });
  afterAll(() => studio?.close());

  test('completion offers a column that came from a schemas endpoint', async () => {
    onTestFailed(() => studio.shoot('schemas-completion-failed'));
    const { page } = studio;
    await openFile(page, 'scratch.lql');
    // The schema is asked for once the datasource is in the text; a person types on meanwhile.
    await replaceText(page, '{ source { SVC_CFG_AWS_S3 } return { ');
    const row = page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'RESOURCE_ID' }).first();
    const ask = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Space');
      await row.waitFor({ timeout: 3000 });
    };
    await vi.waitFor(ask, { timeout: 30_000, interval: 200 });
    await studio.shoot('schemas-completion');
    await page.keyboard.press('Escape');
  });
});
