// Where a query may stand and whom it may trust: YAML, narrow and light windows, restricted workspaces.
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { openFile, readNotifications, runCommand, waitForTable } from '../bed/actions.ts';
import { openStudio, type Studio } from './support/studio.ts';

const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';
const yaml = `queryId: Acme_Buckets
queryText: |-
  {
    source { SVC_CFG_AWS_S3 }
    -- @range last 7 days
    return distinct { RESOURCE_ID, RESOURCE_REGION }
  }
`;

const json = JSON.stringify(
  {
    queryId: 'Acme_Machines',
    queryText: '{\n  source { SVC_HE_MACHINES }\n  -- @range last 7 days\n  return { HOSTNAME, OS }\n}',
  },
  undefined,
  2,
);

describe.each([
  ['a light window', 'light', { 'workbench.colorTheme': 'Default Light Modern' }, { width: 1280, height: 800 }],
  [
    'a narrow window in high contrast',
    'narrow',
    { 'workbench.colorTheme': 'Default High Contrast' },
    { width: 400, height: 800 },
  ],
] as const)('%s', (_name, id, settings, viewport) => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({ settings, viewport });
    studio.write('acme.yaml', yaml);
    studio.write('acme.json', json);
  });
  afterAll(() => studio?.close());

  test('a query in YAML is run where it stands, over the range it names', async () => {
    onTestFailed(() => studio.shoot(`${id}-yaml-failed`));
    const { page } = studio;
    await openFile(page, 'acme.yaml');
    await page.locator('.codelens-decoration', { hasText: 'last 7 days' }).waitFor({ timeout: 20_000 });
    await runCommand(page, 'View: Close Primary Side Bar').catch(() => undefined);
    await runCommand(page, 'LQL: Run Query');
    const table = await waitForTable(page);
    expect(table.columns).toEqual(expect.arrayContaining(['RESOURCE_ID', 'RESOURCE_REGION']));
    expect(table.status).toMatch(/last 7 days/);
    expect(await readNotifications(page)).toEqual([]);
    await studio.shoot(`${id}-yaml`);
  });

  test('a query in JSON, where it stands on one line with its breaks spelled out, is run too', async () => {
    onTestFailed(() => studio.shoot(`${id}-json-failed`));
    const { page } = studio;
    await openFile(page, 'acme.json');
    await page.locator('.codelens-decoration', { hasText: 'last 7 days' }).waitFor({ timeout: 20_000 });
    await runCommand(page, 'LQL: Run Query');
    await expect.poll(async () => (await waitForTable(page)).columns, { timeout: 20_000 }).toEqual(['HOSTNAME', 'OS']);
    const table = await waitForTable(page);
    expect(table.rowCount).toBeGreaterThan(0);
    expect(table.status).toMatch(/last 7 days/);
    expect(await readNotifications(page)).toEqual([]);
    await studio.shoot(`${id}-json`);
  });

  test('the account picker offers the sample account and a way to another', async () => {
    onTestFailed(() => studio.shoot(`${id}-accounts-failed`));
    const { page } = studio;
    await runCommand(page, 'LQL: Switch Account');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Local platform' }).first().waitFor();
    await studio.shoot(`${id}-accounts`);
    await page.keyboard.press('Escape');
  });
});

describe('a workspace that is not trusted', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({ workspaceTrust: true });
    studio.write('scratch.lql', `${buckets.slice(0, -1)}`);
  });
  afterAll(() => studio?.close());

  test('gets the language, starts nothing, and says so when a query is run', async () => {
    onTestFailed(() => studio.shoot('restricted-failed'));
    const { page } = studio;
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ timeout: 15_000 });
    await openFile(page, 'scratch.lql');
    await page.locator('.squiggly-error').first().waitFor({ timeout: 20_000 });
    await expect
      .poll(() => page.locator('.statusbar-item[id*="lql.account"]').textContent())
      .toContain('language only');
    await runCommand(page, 'LQL: Run Query');
    await expect.poll(() => readNotifications(page)).toEqual([expect.stringMatching(/trusted workspaces only/)]);
    expect(filesBelow(studio.userDataDir).filter((file) => file.includes('local-platform'))).toEqual([]);
    await studio.shoot('restricted');
  });
});

function filesBelow(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}
