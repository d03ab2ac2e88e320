// The local platform as its users meet it: time until it says where it is, and medians of requests over loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { startPlatform } from '../../server/platform/index.ts';

export interface PlatformFigures {
  /** Milliseconds from spawn to the first line, median. */
  readonly start: number;
  /** The same for a Node that does nothing. */
  readonly bareNode: number;
  /** Milliseconds a request, medians, by what was asked. */
  readonly requests: readonly { readonly name: string; readonly median: number }[];
  /** Milliseconds from the end of a client's socket until its execution over the lab has ended: the longest of several. */
  readonly cancel: number;
}

/** Milliseconds: the goals for a start, for a request other than an execution, and for the end of an execution nobody waits for. */
export const platformBudgets = { start: 300, request: 2, cancel: 50 };

const starts = 9;
const rounds = 200;

const operations: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/Datasources'],
  ['GET', '/AuditLogs'],
  ['GET', '/CloudActivities'],
  ['GET', '/CloudAccounts'],
  ['GET', '/Inventory/scan?csp=AWS'],
  ['GET', '/schemas/Entities/MachineDetails'],
  ['GET', '/Queries'],
  ['GET', '/Policies'],
  ['GET', '/AlertProfiles'],
  ['POST', '/Queries/validate', { queryText: '{ source { SVC_CFG_AWS_S3 } return { ARN } }' }],
  ['POST', '/Alerts/search', {}],
  ['POST', '/Entities/Machines/search', {}],
  ['POST', '/Entities/Packages/search', {}],
  ['POST', '/Entities/Processes/search', {}],
  ['POST', '/Activities/DNSs/search', {}],
  ['POST', '/Activities/Connections/search', {}],
  [
    'POST',
    '/Activities/DNSs/search',
    { filters: [{ field: 'fqdn', expression: 'rlike', value: '.*mirror.*' }], returns: ['mid', 'fqdn'] },
  ],
  ['POST', '/Events/search', {}],
  ['POST', '/Inventory/search', { csp: 'AWS' }],
  ['POST', '/Configs/ComplianceEvaluations/search', { dataset: 'AwsCompliance' }],
];

export async function benchPlatform(): Promise<PlatformFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-platform-'));
  try {
    await build({
      entryPoints: [path.resolve(import.meta.dirname, '../../server/platform/main.ts')],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node22.19',
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
      logLevel: 'error',
    });
    const program = path.join(folder, 'main.mjs');
    const started: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < starts; round++) {
      started.push(await startOnce(program));
      bare.push(await bareOnce());
    }
    return {
      start: median(started),
      bareNode: median(bare),
      requests: await requestTimes(program),
      cancel: await cancelTime(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function launch(program: string) {
  return spawn(process.execPath, [program, '--no-rate-limit', '--end-with-stdin'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function startOnce(program: string): Promise<number> {
  const begun = performance.now();
  const child = launch(program);
  await once(child.stdout, 'data');
  const took = performance.now() - begun;
  child.stdin.end();
  await once(child, 'exit');
  return took;
}

async function bareOnce(): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, ['-e', 'process.stdout.write("x")'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const took = performance.now() - begun;
  await once(child, 'exit');
  return took;
}

async function requestTimes(program: string): Promise<PlatformFigures['requests']> {
  const child = launch(program);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const [line] = await once(child.stdout, 'data');
    const { url, keyId, secret } = JSON.parse(String(line)) as { url: string; keyId: string; secret: string };
    const send = (method: string, target: string, headers: Record<string, string>, body?: object): Promise<string> =>
      new Promise((resolve, reject) => {
        const outgoing = httpRequest(
          `${url}/api/v2${target}`,
          { method, agent, headers: { 'Content-Type': 'application/json', ...headers } },
          (incoming) => {
            let text = '';
            incoming.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            incoming.once('end', () => resolve(text)).once('error', reject);
          },
        );
        outgoing.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      });
    const { token } = JSON.parse(await send('POST', '/access/tokens', { 'X-SVC-UAKS': secret }, { keyId })) as {
      token: string;
    };
    const headers = { Authorization: `Bearer ${token}` };
    const times = operations.map((): number[] => []);
    // In turns, so that whatever else runs on the machine disturbs all of them alike.
    for (let round = 0; round < rounds; round++) {
      for (const [index, [method, target, body]] of operations.entries()) {
        const begun = performance.now();
        await send(method, target, headers, body);
        times[index]?.push(performance.now() - begun);
      }
    }
    return operations.map(([method, target], index) => ({
      name: `${method} ${target}`,
      median: median(times[index] ?? []),
    }));
  } finally {
    agent.destroy();
    child.stdin.end();
    await once(child, 'exit');
  }
}

const cancels = 15;

/** A platform in this process, for only here can its running requests be watched. */
async function cancelTime(): Promise<number> {
  const platform = await startPlatform({ sample: 'lab', rateLimit: false });
  try {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${platform.url}/api/v2/access/tokens`, {
      method: 'POST',
      headers: { ...headers, 'X-SVC-UAKS': platform.secret },
      body: JSON.stringify({ keyId: platform.keyId }),
    });
    const { token } = (await answer.json()) as { token: string };
    const send = (queryText: string, range: readonly object[]): ClientRequest =>
      httpRequest(`${platform.url}/api/v2/Queries/execute`, {
        method: 'POST',
        headers: { ...headers, Authorization: `Bearer ${token}` },
      })
        .on('error', () => {})
        .on('response', (incoming) => incoming.resume())
        .end(JSON.stringify({ query: { queryText }, arguments: range }));
    // The table is made beforehand: making it is no part of the execution.
    const warm = send('{ source { SVC_HA_CONNECTION_SUMMARY } return { NUM_CONNS } }', []);
    await once(warm, 'response');
    const times: number[] = [];
    const range = [{ name: 'StartTimeRange', value: new Date(Date.now() - 7 * 86_400_000).toISOString() }];
    for (let round = 0; round < cancels; round++) {
      const request = send(
        `{ source { SVC_HA_CONNECTION_SUMMARY } filter { ENDPOINT_DETAILS rlike '.*[0-9]+(a|b)*nothing${round}[x-z]+.*' } return { NUM_CONNS } }`,
        range,
      );
      while (platform.app.running() === 0) await nextTurn();
      for (let turn = 0; turn < 3 + round; turn++) await nextTurn();
      if (platform.app.running() === 0) throw new Error('The execution ended before it could be cancelled.');
      request.destroy();
      const begun = performance.now();
      while (platform.app.running() > 0) await nextTurn();
      times.push(performance.now() - begun);
    }
    return Math.max(...times);
  } finally {
    await platform.stop();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function median(times: readonly number[]): number {
  return [...times].sort((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}
