// Settings that a repository brings along: whatever they name, wherever they stand, trusted or not, nothing is asked of it and nothing told.
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { openFile, readNotifications, runCommand, waitForTable } from '../bed/actions.ts';
import { formsOf } from './support/canary.ts';
import { answerChoice, answerText } from './support/questions.ts';
import { type SlowService, startSlowService } from './support/slow-service.ts';
import { openStudio, type Studio, type StudioOptions } from './support/studio.ts';

const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';

/** Where the attacker listens. It answers nothing: a connection is enough to have lost. */
let thief: Server;
let connections = 0;
let heard = '';
let service: SlowService;
let studio: Studio | undefined;
let tried = 0;
beforeAll(async () => {
  thief = createServer((socket) => {
    connections++;
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
  service = await startSlowService();
});
afterEach(async () => {
  await studio?.close();
  studio = undefined;
});
afterAll(async () => {
  thief?.close();
  await service?.stop();
  console.log(`      ${tried} settings tried: ${connections} connections, ${heard.length} bytes heard`);
});

/** Every key that leads anywhere, each pointing at the thief, in every way a settings file can spell it. */
function hostileSettings(): Readonly<Record<string, unknown>> {
  const origin = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
  const thieves = ['acme', 'Local platform', 'thief'].map((name) => ({
    name,
    baseUrl: origin,
    vendorPrefix: 'SVC',
    readOnly: false,
  }));
  const dotted = {
    'lql.connections.profiles': thieves,
    'lql.connections.suggestedAccount': 'thief',
    'lql.localPlatform.arguments': ['--port', '1', '--help'],
    'lql.run.confirmProduction': 'never',
    'http.proxy': origin,
    'http.proxySupport': 'override',
    'http.proxyStrictSSL': false,
    'http.noProxy': [],
    'http.electronFetch': true,
    'http.proxyAuthorization': 'Basic dGhpZWY6dGhpZWY=',
  };
  const nested = {
    lql: {
      connections: { profiles: thieves, suggestedAccount: 'thief' },
      'connections.profiles': thieves,
      localPlatform: { arguments: ['--help'] },
      'localPlatform.arguments': ['--help'],
    },
    'lql.connections': { profiles: thieves },
    http: { proxy: origin, proxySupport: 'override' },
  };
  const settings = { ...dotted, ...nested, '[lql]': { ...dotted, ...nested }, '[yaml]': dotted };
  tried += Object.keys(settings).length;
  return settings;
}

const inFolder = (): Readonly<Record<string, string>> => ({
  'scratch.lql': buckets,
  '.vscode/settings.json': JSON.stringify(hostileSettings()),
});

const places: readonly (readonly [string, () => StudioOptions])[] = [
  ['a folder', () => ({ files: inFolder() })],
  [
    'a .code-workspace file, and the folder of it',
    () => ({
      files: inFolder(),
      workspace: { file: 'hostile.code-workspace', content: { folders: [{ path: '.' }], settings: hostileSettings() } },
    }),
  ],
];

describe.each(places)('settings of %s', (_place, options) => {
  test('cannot lead the person’s key or queries elsewhere when the workspace is trusted', async () => {
    studio = await openStudio(options());
    const { page } = studio;
    onTestFailed(() => studio?.shoot('settings-attack-failed'));
    await openFile(page, 'scratch.lql');
    // Before any account: the sample account is the sample account.
    await runCommand(page, 'LQL: Run Query');
    expect((await waitForTable(page)).rowCount).toBeGreaterThan(0);
    await runCommand(page, 'LQL: Sign In');
    await answerText(page, service.url);
    await answerText(page, 'acme');
    await answerChoice(page, 'SVC');
    await answerChoice(page, 'The account itself');
    await answerChoice(page, 'None of these');
    await answerChoice(page, 'Read and run only');
    await answerText(page, service.keyId);
    await answerText(page, service.secret);
    await expect
      .poll(() => page.locator('.statusbar-item[id*="lql.account"]').textContent(), { timeout: 30_000 })
      .toMatch(/acme/);
    const before = service.executions.length;
    await runCommand(page, 'LQL: Run Query');
    await expect.poll(() => service.executions.length, { timeout: 20_000 }).toBe(before + 1);
    expect((await waitForTable(page)).status).toMatch(/acme/);
    await runCommand(page, 'LQL: Switch Account');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: 'Local platform' }).first().waitFor();
    const offered = (await rows.allTextContents()).join('\n');
    expect(offered).toContain(new URL(service.url).host);
    expect(offered).not.toMatch(/thief/);
    await studio.shoot('settings-attack');
    await page.keyboard.press('Escape');
    expectNothingLost(studio);
  });

  test('cause nothing at all when it is not', async () => {
    const before = service.executions.length;
    studio = await openStudio({ ...options(), workspaceTrust: true });
    const { page } = studio;
    onTestFailed(() => studio?.shoot('settings-attack-restricted-failed'));
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor({ timeout: 30_000 });
    await openFile(page, 'scratch.lql');
    for (const command of [
      'Run Query',
      'Validate Query on the Service',
      'Refresh Catalog',
      'Open Query of the Account',
    ]) {
      await runCommand(page, `LQL: ${command}`);
      await expect.poll(() => readNotifications(page), { timeout: 15_000 }).not.toEqual([]);
      await runCommand(page, 'Notifications: Clear All Notifications');
      await expect.poll(() => readNotifications(page)).toEqual([]);
    }
    expect(service.executions.length).toBe(before);
    expectNothingLost(studio);
  });
});

function expectNothingLost({ userDataDir, folder }: Studio): void {
  expect(connections).toBe(0);
  const texts = [
    heard,
    readFileSync(path.join(userDataDir, 'User', 'settings.json'), 'utf8'),
    readFileSync(path.join(folder, '.vscode', 'settings.json'), 'utf8'),
  ];
  const secrets = [service.secret, ...service.tokens].flatMap(formsOf);
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
}
