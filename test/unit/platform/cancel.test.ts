import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Execution } from '../../../server/core/engine/execution.ts';
import type { RunningPlatform } from '../../../server/platform/index.ts';

/** Every step of every execution is counted, with the work it did; a test can act in the middle of one. */
const steps = { work: [] as number[], during: (_step: number): void => {} };

const engine = '../../../server/core/engine/create-execution.ts';

// Other tests of this process may have the modules loaded: they are loaded anew, with an engine that counts.
let signIn: typeof import('./signed-in.ts').signIn;
let startPlatform: typeof import('../../../server/platform/index.ts').startPlatform;
beforeAll(async () => {
  vi.resetModules();
  vi.doMock(engine, async (original) => {
    const module = await original<typeof import('../../../server/core/engine/create-execution.ts')>();
    return {
      ...module,
      createExecution: (...parameters: Parameters<typeof module.createExecution>) =>
        counted(module.createExecution(...parameters)),
    };
  });
  ({ startPlatform } = await import('../../../server/platform/index.ts'));
  ({ signIn } = await import('./signed-in.ts'));
});
afterAll(() => {
  vi.doUnmock(engine);
  vi.resetModules();
});

function counted(execution: Execution): Execution {
  return {
    columns: execution.columns,
    takeRows: () => execution.takeRows(),
    get error() {
      return execution.error;
    },
    get work() {
      return execution.work;
    },
    step(maxRows) {
      const before = execution.work;
      const finished = execution.step(maxRows);
      steps.work.push(execution.work - before);
      steps.during(steps.work.length);
      return finished;
    },
  };
}

beforeEach(() => {
  steps.work = [];
  steps.during = () => {};
});

/** Queries that go through the whole lab in hundreds of steps: patterns, expansions, joins, subqueries. */
const long = [
  "{ source { SVC_HA_CONNECTION_SUMMARY } filter { ENDPOINT_DETAILS rlike '.*[0-9]+(a|b)*nothing[x-z]+.*' } return { NUM_CONNS } }",
  '{ source { CloudTrailRawEvents c } filter { c.EVENT:eventID = c.EVENT:requestID } return distinct { INSERT_ID } }',
  '{ source { SVC_HA_CONNECTION_SUMMARY c, array_to_rows(c.ENDPOINT_DETAILS) as (d) } filter { d:dst_port = 1 } return distinct { NUM_CONNS, d } }',
  '{ source { SVC_HA_FILE_CHANGES f with SVC_HE_MACHINES m } filter { m.HOSTNAME = f.PATH } return { f.PATH } }',
  '{ source { SVC_HA_FILE_CHANGES } filter { PATH in { source { SVC_HA_DNS_REQUESTS } return { HOSTNAME } } } return { PATH } }',
] as const;

/** Units of work between two looks at whether the client is there; the engine may go over it by the last row it began. */
const stepSize = 20_000;
const week = [{ name: 'StartTimeRange', value: '2031-03-26T12:00:00.000Z' }];

describe('an execution whose client is gone', () => {
  test('takes no further step', async () => {
    const { app, token } = await signIn({ sample: 'lab' });
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    for (const queryText of long) {
      const send = (signal?: AbortSignal) =>
        app.request(
          new Request('http://platform.test/api/v2/Queries/execute', {
            method: 'POST',
            headers,
            body: JSON.stringify({ query: { queryText }, arguments: week }),
            ...(signal === undefined ? {} : { signal }),
          }),
        );
      steps.work = [];
      expect((await send()).status, queryText).toBe(200);
      expect(steps.work.length, queryText).toBeGreaterThan(4);
      // What a step does is bounded in work, whatever the query: so is the time until the end of the client is seen.
      expect(Math.max(...steps.work), queryText).toBeLessThan(2 * stepSize);
      for (const last of [1, 2, 4]) {
        steps.work = [];
        const controller = new AbortController();
        steps.during = (step) => {
          if (step === last) controller.abort();
        };
        expect((await send(controller.signal)).status).toBe(503);
        expect(steps.work, queryText).toHaveLength(last);
        steps.during = () => {};
      }
      expect(app.running()).toBe(0);
    }
  });

  let platform: RunningPlatform | undefined;
  afterEach(async () => platform?.stop());

  test('ends within a few steps of the end of its socket, and the platform goes on', async () => {
    platform = await startPlatform({ sample: 'lab', rateLimit: false });
    const { url, keyId, secret } = platform;
    const type = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v2/access/tokens`, {
      method: 'POST',
      headers: { ...type, 'X-SVC-UAKS': secret },
      body: JSON.stringify({ keyId }),
    });
    const headers = { ...type, Authorization: `Bearer ${((await answer.json()) as { token: string }).token}` };
    const start = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const body = JSON.stringify({
      query: { queryText: long[0] },
      arguments: [{ name: 'StartTimeRange', value: start }],
    });
    const ended = Promise.withResolvers<void>();
    const request = httpRequest(`${url}/api/v2/Queries/execute`, { method: 'POST', headers });
    request.on('error', () => ended.resolve());
    steps.during = (step) => {
      if (step === 3) request.destroy();
    };
    request.end(body);
    await ended.promise;
    const { app } = platform;
    await vi.waitUntil(() => app.running() === 0, { timeout: 20_000, interval: 5 });
    expect(steps.work.length).toBeGreaterThanOrEqual(3);
    expect(steps.work.length).toBeLessThanOrEqual(3 + 5);
    const taken = steps.work.length;
    expect((await fetch(`${url}/api/v2/Queries`, { headers })).status).toBe(200);
    expect(steps.work).toHaveLength(taken);
  });
});
