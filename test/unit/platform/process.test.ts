import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundlePlatform } from './bundle-platform.ts';

interface Announcement {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  readonly accountId?: string;
  readonly account?: string;
  readonly rateLimit?: boolean;
}

interface Started extends Announcement {
  readonly child: ChildProcess;
  readonly startMs: number;
}

const work = mkdtempSync(path.join(os.tmpdir(), 'platform-process-'));
const bundle = path.join(work, 'platform.cjs');
const children: ChildProcess[] = [];

beforeAll(() => bundlePlatform(bundle), 120_000);

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

async function start(...args: string[]): Promise<Started> {
  const begun = performance.now();
  const child = spawn(process.execPath, [bundle, '--no-rate-limit', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('\n')) break;
  }
  const [line = ''] = output.split('\n');
  return { ...(JSON.parse(line) as Announcement), child, startMs: performance.now() - begun };
}

async function tokenOf({ url, keyId, secret }: Announcement): Promise<string> {
  const response = await fetch(`${url}/api/v2/access/tokens`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SVC-UAKS': secret },
    body: JSON.stringify({ keyId }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function call(platform: Announcement, token: string, method: string, target: string, body?: object) {
  const response = await fetch(`${platform.url}/api/v2${target}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** How often the process is killed while it writes. */
const kills = process.env['DEEP'] ? 100 : 6;

const queryText = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';

describe('the process', () => {
  test('prints one line and ends on SIGTERM', async () => {
    const { child, startMs: _, ...platform } = await start();
    expect(Object.keys(platform)).toEqual(['url', 'keyId', 'secret', 'accountId', 'account', 'rateLimit']);
    expect(platform).toMatchObject({ accountId: expect.any(String), account: 'harborline', rateLimit: false });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('starts soon: the best of five', async () => {
    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const { child, startMs } = await start();
      times.push(startMs);
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    const best = Math.min(...times);
    console.log(`platform start: ${times.map((time) => time.toFixed(0)).join(', ')} ms (process and first line)`);
    expect(best).toBeLessThan(3_000);
  });

  test('ends when whoever started it is gone', async () => {
    const { child } = await start('--end-with-stdin');
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('says in a line what is wrong with its arguments', async () => {
    const run = async (...args: string[]) => {
      const child = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      let errors = '';
      for await (const chunk of child.stderr) errors += String(chunk);
      return { code: child.exitCode ?? (await once(child, 'exit'))[0], errors };
    };
    for (const args of [
      ['--port', 'x'],
      ['--sample', 'huge'],
      ['--assume', 'a=b'],
      ['--reset'],
      ['--vendor-prefix', 'svc'],
      ['--nonsense'],
      ['--data', '/proc/x'],
      ['--data', bundle],
      ['--data', path.join(bundle, 'below')],
    ]) {
      const { code, errors } = await run(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(errors.trim().split('\n').length, errors).toBeLessThanOrEqual(2);
      if (args[0] === '--data') expect(errors).toMatch(/^The data folder '.*' cannot be used: .*\. Name a folder/);
    }
  });

  test('stands by when another serves the folder, and takes its place, address and key when that is killed', async () => {
    const folder = path.join(work, 'shared');
    const first = await start('--data', folder);
    const second = await start('--data', folder);
    const said = ({ child: _, startMs: __, ...announcement }: Started) => announcement;
    expect(said(second)).toEqual(said(first));
    const token = await tokenOf(first);
    expect((await call(first, token, 'POST', '/Queries', { queryId: 'Kept', queryText })).status).toBe(201);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    for (let attempt = 0; ; attempt++) {
      try {
        const again = await tokenOf(second);
        expect((await call(second, again, 'GET', '/Queries/Kept')).status).toBe(200);
        break;
      } catch (error) {
        if (attempt > 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  });

  test('killed at any write, it opens again and has lost nothing that it had confirmed', async () => {
    const folder = path.join(work, 'killed');
    const confirmed = new Set<string>();
    for (let round = 0; round < kills; round++) {
      const platform = await start('--data', folder);
      const token = await tokenOf(platform);
      const list = await call(platform, token, 'GET', '/Queries');
      const present = new Set(list.body.data.map((query: { queryId: string }) => query.queryId));
      for (const queryId of confirmed) expect(present.has(queryId), queryId).toBe(true);
      const killAfter = 2 + ((round * 7) % 45);
      setTimeout(() => platform.child.kill('SIGKILL'), killAfter);
      for (let number = 0; number < 200; number++) {
        const queryId = `Round${round}_${number}`;
        try {
          if ((await call(platform, token, 'POST', '/Queries', { queryId, queryText })).status === 201)
            confirmed.add(queryId);
        } catch {
          break;
        }
      }
      if (platform.child.signalCode === null) await once(platform.child, 'exit');
    }
    expect(confirmed.size).toBeGreaterThan(0);
    console.log(`killed ${kills} times during writes: ${confirmed.size} confirmed queries, none lost`);
    const state = readdirSync(path.join(folder, 'state')).filter((name) => name.endsWith('.json'));
    for (const name of state)
      expect(() => JSON.parse(readFileSync(path.join(folder, 'state', name), 'utf8'))).not.toThrow();
  }, 900_000);

  test('serves files of its data folder as datasources', async () => {
    const folder = path.join(work, 'own');
    mkdirSync(path.join(folder, 'datasources'), { recursive: true });
    writeFileSync(
      path.join(folder, 'datasources', 'My_Events.ndjson'),
      '{"WHO":"ann","N":18446744073709551615}\n{"WHO":"bob"}\n',
    );
    const platform = await start('--data', folder, '--sample', 'none');
    const token = await tokenOf(platform);
    expect((await call(platform, token, 'GET', '/Datasources')).body.data).toHaveLength(1);
    const text = "{ source { My_Events } filter { WHO = 'ann' } return { WHO } }";
    expect((await call(platform, token, 'POST', '/Queries/execute', { query: { queryText: text } })).body.data).toEqual(
      [{ WHO: 'ann' }],
    );
    expect(existsSync(path.join(folder, 'platform.lock'))).toBe(true);
    platform.child.kill('SIGTERM');
    await once(platform.child, 'exit');
    expect(existsSync(path.join(folder, 'platform.lock'))).toBe(false);
  });
});
