import { inspect } from 'node:util';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../../server/api/client.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import type { Transport, TransportLimits } from '../../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import { type Behaviour, type FaultServer, sendJson, startFaultServer } from '../support/fault-server.ts';

const transports: readonly [string, () => Transport][] = [
  ['undici', () => createUndiciTransport()],
  ['fetch', () => createFetchTransport(fetch)],
];
const query = { queryText: '{ source { A } return { X } }' };
const canary = '_canary0123456789abcdef';
const cleanUps: (() => Promise<void>)[] = [];
// Everything that a log or a message could show.
let shown: string[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  const everything = shown.join('\n');
  shown = [];
  for (const form of [canary, Buffer.from(canary).toString('base64'), Buffer.from(canary).toString('hex'), '_token-']) {
    expect(everything).not.toContain(form);
  }
});

async function serve(behaviour: Behaviour, answerTokens = true): Promise<FaultServer> {
  const server = await startFaultServer(behaviour, answerTokens);
  cleanUps.push(() => server.stop());
  return server;
}

function connect(url: string, transport: Transport, limits: Partial<TransportLimits> = {}): ApiClient {
  const client = createApiClient({
    origin: url,
    vendorPrefix: 'SVC',
    keyId: 'KEY',
    secret: createSecret(canary),
    log: (event) => shown.push(inspect(event, { depth: 9 })),
    transport,
    limits,
    random: () => 0,
  });
  cleanUps.push(() => client.close());
  return client;
}

/** The beginning of a gzip stream of so many megabytes. Made of one piece over and over: packing all of it would take long, and all that memory. */
function growing(megabytes: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(1_048_576, 0x20), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const head = gzipSync('').subarray(0, 10);
  return Buffer.concat([head, ...Array.from({ length: megabytes }, () => piece)]);
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError['failure']> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  shown.push(inspect(error, { depth: 9, showHidden: true }));
  return (error as ApiError).failure;
}

describe.each(transports)('the transport by %s', (name, create) => {
  it('sends and reads, with exact integers and text beyond ASCII', async () => {
    const server = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(Buffer.from('{"data":[{"N":5644915113269064637,"T":"Zür'));
      setTimeout(() => response.end(`ich ✓"},{"B":${JSON.stringify(request.body)}}]}`), 5);
    });
    const { data } = await connect(server.url, create()).call(endpoints.queries.execute, { body: { query } });
    expect(data).toEqual([{ N: 5644915113269064637n, T: 'Zürich ✓' }, { B: JSON.stringify({ query }) }]);
  });

  it.each([301, 302, 303, 307, 308])(
    'refuses a redirect to another host by %i and hands it nothing',
    async (status) => {
      const foreign = await serve(
        (_, response) => sendJson(response, 200, { token: 'x', expiresAt: 'y', data: [] }),
        false,
      );
      const server = await serve((_, response) => {
        response.writeHead(status, { location: `${foreign.url}/api/v2/access/tokens` });
        response.end('moved');
      }, false);
      const failure = await failureOf(connect(server.url, create()).call(endpoints.queries.list));
      expect(failure).toMatchObject({ kind: 'redirect', status, host: new URL(foreign.url).host });
      expect(server.requests[0]?.headers['x-svc-uaks']).toBe(canary);
      expect(foreign.requests).toHaveLength(0);
    },
  );

  it('notices an answer that ends too early, whether its length was told or not', async () => {
    const ends: readonly Behaviour[] = [
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"data":[{"A":1}');
        setTimeout(() => response.destroy(), 5);
      },
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"data":[{"A":1}');
        setTimeout(() => response.destroy(), 5);
      },
      (_, response) => {
        // Neither length nor chunks: the end of the connection is the end of the body, and nobody sees that it is cut.
        response.socket?.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"data":[{"A":1},{"A":2');
      },
    ];
    for (const behaviour of ends) {
      const server = await serve(behaviour);
      const failure = await failureOf(
        connect(server.url, create()).call(endpoints.policies.update, {
          params: { policyId: 'p' },
          body: { enabled: true },
        }),
      );
      expect(failure).toEqual({ kind: 'ambiguous', cause: { kind: 'truncated' } });
    }
  });

  it('stops waiting for a first byte and for a next one', async () => {
    const silent = await serve(() => {});
    const limits = { answerMilliseconds: 1_200, idleMilliseconds: 1_200 };
    const first = failureOf(connect(silent.url, create(), limits).call(endpoints.queries.list));
    const slow = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
    });
    const next = failureOf(connect(slow.url, create(), limits).call(endpoints.queries.list));
    expect(await first).toMatchObject({ kind: 'timeout', phase: 'answer' });
    expect(await next).toMatchObject({ kind: 'timeout', phase: 'idle' });
    expect(silent.requests.filter((request) => request.path.endsWith('/Queries'))).toHaveLength(1);
  });

  it('stops unpacking a small body that grows large', async () => {
    const bomb = growing(300);
    const server = await serve((_, response) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': bomb.length,
      });
      response.end(bomb);
    });
    const before = process.memoryUsage().rss;
    const started = performance.now();
    const failure = await failureOf(
      connect(server.url, create(), { maxBodyBytes: 4 * 1_048_576 }).call(endpoints.queries.list),
    );
    const grown = (process.memoryUsage().rss - before) / 1_048_576;
    console.info(
      `${name}: bomb of ${Math.round(bomb.length / 1024)} KB refused in ${Math.round(performance.now() - started)} ms, ${Math.round(grown)} MB more`,
    );
    expect(failure).toMatchObject({ kind: 'too-large' });
    expect(grown).toBeLessThan(150);
  });

  it('unpacks a compressed body', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"data":[]}'));
    });
    expect(await connect(server.url, create()).call(endpoints.queries.list)).toEqual({ data: [] });
  });

  // How soon is measured in figures.test.ts.
  it('closes the connection of a call that is cancelled', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
    });
    const client = connect(server.url, create());
    await client.authenticate();
    const controller = new AbortController();
    const pending = failureOf(client.call(endpoints.queries.execute, { body: { query }, signal: controller.signal }));
    while (!server.requests.some((request) => request.path.endsWith('/execute')))
      await new Promise((resolve) => setTimeout(resolve, 2));
    const closed = server.closed();
    controller.abort();
    expect(await pending).toEqual({ kind: 'cancelled' });
    await closed;
  });

  it('says that nobody answers at an address', async () => {
    const server = await startFaultServer(() => {});
    await server.stop();
    const failure = await failureOf(connect(server.url, create()).call(endpoints.queries.list));
    expect(failure).toEqual({ kind: 'network', code: 'ECONNREFUSED', sent: false });
  });

  it('reports a connection that breaks after a write was sent as unknown', async () => {
    const server = await serve((_, response) => {
      response.socket?.resetAndDestroy();
    });
    const failure = await failureOf(
      connect(server.url, create()).call(endpoints.policies.delete, { params: { policyId: 'p' } }),
    );
    expect(failure).toMatchObject({ kind: 'ambiguous', cause: { kind: 'network', sent: true } });
    expect(server.requests.filter((request) => request.method === 'DELETE')).toHaveLength(1);
  });

  it('keeps connections open between calls', async () => {
    const server = await serve((_, response) => sendJson(response, 200, { data: [] }));
    const client = connect(server.url, create());
    for (let call = 0; call < 20; call++) await client.call(endpoints.queries.list);
    expect(server.openSockets).toBeLessThanOrEqual(2);
  });
});
