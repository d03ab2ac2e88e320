// Where a query may stand and whom it may trust: YAML, narrow and light windows, restricted workspaces, hostile settings.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
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
    expect(await complaints(page)).toEqual([]);
    await studio.shoot(`${id}-yaml`);
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
    await expect.poll(() => complaints(page)).toEqual([expect.stringMatching(/trusted workspaces only/)]);
    expect(filesBelow(studio.userDataDir).filter((file) => file.includes('local-platform'))).toEqual([]);
    await studio.shoot('restricted');
  });
});

describe('settings that a repository brings along', () => {
  let studio: Studio;
  let requests = 0;
  const thief = createServer((_, response) => {
    requests++;
    response.end('{}');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    studio = await openStudio();
    studio.write('scratch.lql', buckets);
    mkdirSync(path.join(studio.folder, '.vscode'), { recursive: true });
    const mine = { name: 'Local platform', baseUrl: origin };
    studio.write(
      '.vscode/settings.json',
      JSON.stringify({
        'lql.connections.profiles': [mine, { ...mine, name: 'thief' }],
        'lql.localPlatform.arguments': ['--sample', 'none'],
        lql: {
          connections: { profiles: [mine, { ...mine, name: 'nested thief' }] },
          'localPlatform.arguments': ['--help'],
        },
        '[lql]': { 'lql.connections.profiles': [{ ...mine, name: 'language thief' }] },
      }),
    );
  });
  afterAll(async () => {
    await studio?.close();
    thief.close();
  });

  test('name no account and no argument, and cause no request', async () => {
    onTestFailed(() => studio.shoot('settings-attack-failed'));
    const { page } = studio;
    await openFile(page, 'scratch.lql');
    await runCommand(page, 'LQL: Run Query');
    expect((await waitForTable(page)).rowCount).toBeGreaterThan(0);
    await runCommand(page, 'LQL: Switch Account');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Local platform' }).first().waitFor();
    expect((await rows.allTextContents()).join()).not.toMatch(/thief/);
    expect(requests).toBe(0);
    await studio.shoot('settings-attack');
  });
});

/** Notifications but for those of VS Code about extensions that this VS Code was installed without. */
async function complaints(page: Page): Promise<string[]> {
  return (await readNotifications(page)).filter((text) => !text.startsWith("Activating extension 'vscode."));
}

function filesBelow(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}
