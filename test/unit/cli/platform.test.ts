import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo } from './support/memory-io.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cli-platform-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Running {
  readonly announcement: Readonly<Record<string, unknown>>;
  call(method: string, target: string, body?: object): Promise<{ readonly status: number; readonly text: string }>;
  end(): Promise<unknown>;
}

async function start(...args: string[]): Promise<Running> {
  const io = createMemoryIo();
  const code = runCli(['platform', ...args], io);
  while (!io.out.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 5));
  const announcement = JSON.parse(io.out) as { url: string; keyId: string; secret: string };
  const send = async (method: string, target: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(`${announcement.url}/api/v2${target}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const { keyId, secret } = announcement;
  const issued = await send('POST', '/access/tokens', { 'X-SVC-UAKS': secret }, { keyId });
  const { token } = JSON.parse(issued.text) as { token: string };
  return {
    announcement: { ...announcement },
    call: (method, target, body) => send(method, target, { Authorization: `Bearer ${token}` }, body),
    end() {
      io.end();
      return code;
    },
  };
}

it('takes every option of the platform itself', async () => {
  const running = await start('--sample', 'none', '--account', 'acme', '--spec-only', '--assume', 'empty-lists=200');
  expect(running.announcement).toMatchObject({ account: 'acme', rateLimit: true, accountId: expect.any(String) });
  expect(await running.call('GET', '/Datasources')).toEqual({ status: 200, text: '{"data":[]}' });
  expect((await running.call('GET', '/AlertProfiles')).status).toBe(405);
  expect(await running.end()).toBe(0);
});

it('forgets the state of a folder by one command', async () => {
  const query = { queryId: 'Mine', queryText: '{ source { CloudTrailRawEvents } return { INSERT_ID } }' };
  const first = await start('--data', folder);
  expect((await first.call('POST', '/Queries', query)).status).toBe(201);
  await first.end();
  const second = await start('--data', folder);
  expect((await second.call('GET', '/Queries/Mine')).status).toBe(200);
  expect(second.announcement['accountId']).toBe(first.announcement['accountId']);
  await second.end();
  const third = await start('--data', folder, '--reset');
  expect((await third.call('GET', '/Queries/Mine')).status).toBe(404);
  await third.end();
});

it.each([
  [['--sample', 'huge'], "'huge' is not a size of the sample account. Choose demo, lab or none."],
  [['--port', 'x'], "'x' is not a port."],
  [['--port', '65536'], "'65536' is not a port."],
  [['--assume', 'a=b'], "'a=b' is not a decision that can be made. There are: empty-lists=204|200"],
  [['--reset'], 'name it with --data DIR'],
  [['--vendor-prefix', 'XX'], '--vendor-prefix takes'],
  [['more'], "platform takes no 'more'"],
])('refuses %j with what is possible', async (args, message) => {
  const io = createMemoryIo();
  expect(await runCli(['platform', ...args], io)).toBe(2);
  expect(io.error).toContain(message);
});
