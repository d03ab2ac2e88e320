import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseExact } from '../../../server/api/transport/json.ts';
import { FolderBusyError, type RunningPlatform, startPlatform } from '../../../server/platform/index.ts';

const started: RunningPlatform[] = [];
const folders: string[] = [];

async function start(options: Parameters<typeof startPlatform>[0] = {}): Promise<RunningPlatform> {
  const platform = await startPlatform({ rateLimit: false, ...options });
  started.push(platform);
  return platform;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'platform-test-'));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const platform of started.splice(0)) await platform.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** A request by hand: fetch would not let a test choose Host and Origin. */
function send(
  platform: RunningPlatform,
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port: platform.port, method, path: target, headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.once('error', reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

async function tokenOf(platform: RunningPlatform): Promise<string> {
  const reply = await send(
    platform,
    'POST',
    '/api/v2/access/tokens',
    { 'Content-Type': 'application/json', 'X-SVC-UAKS': platform.secret },
    JSON.stringify({ keyId: platform.keyId }),
  );
  return JSON.parse(reply.text).token;
}

async function headersOf(platform: RunningPlatform): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await tokenOf(platform)}`, 'Content-Type': 'application/json' };
}

describe('the server', () => {
  test('listens on the loopback address alone, at a random port with a random key', async () => {
    const [one, two] = [await start(), await start()];
    expect(one.url).toBe(`http://127.0.0.1:${one.port}`);
    expect(one.port).not.toBe(two.port);
    expect(one.secret).not.toBe(two.secret);
    expect(one.keyId.length).toBeGreaterThanOrEqual(34);
    expect(one.secret.length).toBeGreaterThanOrEqual(30);
  });

  test('answers its own address, and nothing that comes from a web page', async () => {
    const platform = await start();
    const headers = await headersOf(platform);
    const status = async (more: Record<string, string>) =>
      (await send(platform, 'GET', '/api/v2/schemas', { ...headers, ...more })).status;
    expect(await status({})).toBe(200);
    expect(await status({ Host: `localhost:${platform.port}` })).toBe(200);
    expect(await status({ Host: `127.0.0.1:${platform.port + 1}` })).toBe(403);
    expect(await status({ Host: 'evil.example' })).toBe(403);
    expect(await status({ Origin: 'https://evil.example' })).toBe(403);
    expect(await status({ Origin: platform.url })).toBe(403);
  });

  test('serves no files', async () => {
    const platform = await start();
    const headers = await headersOf(platform);
    for (const target of [
      '/',
      '/../package.json',
      '/api/v2/../../package.json',
      '/api/v2/%2e%2e/package.json',
      '/index.html',
    ]) {
      expect((await send(platform, 'GET', target, headers)).status, target).toBe(404);
    }
  });

  test('keeps integers exact from the table to the wire', async () => {
    const platform = await start();
    const reply = await send(
      platform,
      'POST',
      '/api/v2/Queries/execute',
      await headersOf(platform),
      JSON.stringify({ query: { queryText: '{ source { SVC_HE_PROCESSES } return distinct { PID_HASH } }' } }),
    );
    const { data } = parseExact(reply.text) as unknown as { data: { PID_HASH: number | bigint }[] };
    const [first] = data;
    expect(typeof first?.PID_HASH).toBe('bigint');
    expect(reply.text).toContain(`{"PID_HASH":${first?.PID_HASH}}`);
  });

  test('ends an execution soon after its socket is closed', async () => {
    const platform = await start({ sample: 'lab' });
    const headers = await headersOf(platform);
    const query =
      "{ source { SVC_HA_CONNECTION_SUMMARY } filter { ENDPOINT_DETAILS rlike '.*[0-9]+(a|b)*nothing[x-z]+.*' } return { NUM_CONNS } }";
    const body = JSON.stringify({
      query: { queryText: query },
      arguments: [{ name: 'StartTimeRange', value: new Date(Date.now() - 7 * 86_400_000).toISOString() }],
    });
    const request = httpRequest({
      host: '127.0.0.1',
      port: platform.port,
      method: 'POST',
      path: '/api/v2/Queries/execute',
      headers,
    });
    request.on('error', () => {});
    request.end(body);
    const until = async (condition: () => boolean) => {
      const begun = performance.now();
      while (!condition()) {
        if (performance.now() - begun > 5_000) throw new Error('It did not happen.');
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return performance.now() - begun;
    };
    await until(() => platform.app.running() === 1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(platform.app.running()).toBe(1);
    const before = process.cpuUsage();
    request.destroy();
    const took = await until(() => platform.app.running() === 0);
    const { user, system } = process.cpuUsage(before);
    const worked = (user + system) / 1000;
    console.log(
      `execution ended ${took.toFixed(0)} ms after its socket was closed, ${worked.toFixed(0)} ms of work later`,
    );
    // Time that this process worked: what else the machine does counts for nothing.
    expect(worked).toBeLessThan(150);
  });

  test('stops while clients are in the middle of a request, an execution or an answer', async () => {
    const platform = await startPlatform({ rateLimit: false, sample: 'lab' });
    const headers = await headersOf(platform);
    const open = (target: string, more: Record<string, string>) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port: platform.port,
        method: 'POST',
        path: `/api/v2${target}`,
        headers: { ...headers, ...more },
      });
      request.on('error', () => {});
      return request;
    };
    // A body that never comes to its end.
    open('/Queries', { 'Content-Length': '100' }).write('{"queryId":');
    open('/Queries', { 'Transfer-Encoding': 'chunked' }).write('{"queryId":');
    const start = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const query = {
      queryText:
        "{ source { SVC_HA_CONNECTION_SUMMARY } filter { ENDPOINT_DETAILS rlike '.*(a|b)*no[x-z]+.*' } return { NUM_CONNS } }",
    };
    open('/Queries/execute', {}).end(JSON.stringify({ query, arguments: [{ name: 'StartTimeRange', value: start }] }));
    platform.app.faults.add({ match: '* */schemas', action: { kind: 'slow', bytes: 1, pause: 1_000 } });
    httpRequest({ host: '127.0.0.1', port: platform.port, path: '/api/v2/schemas', headers })
      .on('error', () => {})
      .end();
    while (platform.app.running() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const mistakes = vi.spyOn(console, 'error').mockImplementation(() => {});
    await platform.stop();
    expect(platform.app.running()).toBe(0);
    // A client that is gone is none of our mistakes.
    expect(mistakes.mock.calls.filter(([text]) => String(text).includes('/api/v2/'))).toEqual([]);
    mistakes.mockRestore();
  }, 60_000);

  test('a planned reset closes the socket, late or early', async () => {
    const platform = await start();
    const headers = await headersOf(platform);
    platform.app.faults.add({ match: 'POST */Queries', action: { kind: 'reset', late: true } });
    const body = JSON.stringify({
      queryId: 'Kept',
      queryText: '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
    });
    await expect(send(platform, 'POST', '/api/v2/Queries', headers, body)).rejects.toThrow();
    expect((await send(platform, 'GET', '/api/v2/Queries/Kept', headers)).status).toBe(200);
    platform.app.faults.add({ match: 'DELETE *', action: { kind: 'reset' } });
    await expect(send(platform, 'DELETE', '/api/v2/Queries/Kept', headers)).rejects.toThrow();
    expect((await send(platform, 'GET', '/api/v2/Queries/Kept', headers)).status).toBe(200);
    platform.app.faults.add({ match: 'GET */schemas', action: { kind: 'truncate', bytes: 5 } });
    await expect(send(platform, 'GET', '/api/v2/schemas', headers)).rejects.toThrow();
  });

  test('a lock that nobody stands behind any more is broken, even when its process id is in use again', async () => {
    const dataFolder = temporaryFolder();
    const file = path.join(dataFolder, 'platform.lock');
    const stale = { pid: process.ppid, url: 'http://127.0.0.1:9', port: 9, keyId: 'k', secret: 's' };
    writeFileSync(file, JSON.stringify(stale));
    const platform = await start({ dataFolder });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, url: platform.url });
    await platform.stop();
    // One that is torn may be being written.
    writeFileSync(file, 'torn');
    await expect(startPlatform({ dataFolder })).rejects.toBeInstanceOf(FolderBusyError);
    utimesSync(file, new Date(Date.now() - 4_000), new Date(Date.now() - 4_000));
    await (await start({ dataFolder })).stop();
    // One that is just starting is given time.
    writeFileSync(file, JSON.stringify({ pid: process.ppid }));
    await expect(startPlatform({ dataFolder })).rejects.toBeInstanceOf(FolderBusyError);
    utimesSync(file, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await start({ dataFolder });
  });

  test('a lock whose holder takes the call and is too busy to answer is left alone', async () => {
    const dataFolder = temporaryFolder();
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    const holder = { pid: process.ppid, url: `http://127.0.0.1:${port}`, port, keyId: 'k', secret: 's' };
    writeFileSync(path.join(dataFolder, 'platform.lock'), JSON.stringify(holder));
    await expect(startPlatform({ dataFolder })).rejects.toMatchObject({ holder });
    busy.close();
  });

  test('a platform whose folder somebody took while it was starting ends, and leaves the other alone', async () => {
    const dataFolder = temporaryFolder();
    const file = path.join(dataFolder, 'platform.lock');
    const starting = startPlatform({ dataFolder });
    const others = JSON.stringify({ pid: process.ppid });
    writeFileSync(file, others);
    await expect(starting).rejects.toBeInstanceOf(FolderBusyError);
    expect(readFileSync(file, 'utf8')).toBe(others);
  });

  test('one platform a data folder; the next one finds what the first left, and the same account', async () => {
    const dataFolder = temporaryFolder();
    const first = await start({ dataFolder });
    await expect(startPlatform({ dataFolder })).rejects.toBeInstanceOf(FolderBusyError);
    const text = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';
    await send(
      first,
      'POST',
      '/api/v2/Queries',
      await headersOf(first),
      JSON.stringify({ queryId: 'Kept', queryText: text }),
    );
    await first.stop();
    const second = await start({ dataFolder });
    expect(second.accountId).toBe(first.accountId);
    expect((await send(second, 'GET', '/api/v2/Queries/Kept', await headersOf(second))).status).toBe(200);
    await second.stop();
    const third = await start({ dataFolder, reset: true });
    expect((await send(third, 'GET', '/api/v2/Queries/Kept', await headersOf(third))).status).toBe(404);
  });
});
