import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { createApiClient } from '../../../../server/api/client.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import { networkError, type Transport } from '../../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import { createSelfSigned } from '../support/self-signed.ts';

const certificate = createSelfSigned();
const canary = '_canary0123456789abcdef';
const transports: readonly [string, () => Transport][] = [
  ['undici', () => createUndiciTransport()],
  ['fetch', () => createFetchTransport(fetch)],
];
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return (server.address() as AddressInfo).port;
}

/** A service with a certificate of its own making, which counts what it is asked. */
async function selfSigned(): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    requests.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.end('{}');
  });
  return { url: `https://127.0.0.1:${await listen(server)}`, requests };
}

async function failureAt(origin: string, transport: Transport): Promise<ApiError> {
  const client = createApiClient({
    origin,
    vendorPrefix: 'SVC',
    keyId: 'KEY',
    secret: createSecret(canary),
    transport,
    random: () => 0,
  });
  cleanUps.push(() => client.close());
  const error: unknown = await client.call(endpoints.queries.list).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(canary);
  return error as ApiError;
}

it('the certificate signed by itself lacks nothing but trust', async () => {
  const { url, requests } = await selfSigned();
  const agent = new Agent({ connect: { ca: certificate.cert } });
  cleanUps.push(() => agent.close());
  for (const host of [url, url.replace('127.0.0.1', 'localhost')])
    expect((await request(`${host}/there`, { dispatcher: agent })).statusCode).toBe(200);
  expect(requests.map((line) => line.split(' ')[0])).toEqual(['/there', '/there']);
});

describe.each(transports)('by %s', (_, create) => {
  it('a certificate signed by itself is refused before anything is sent, with its cause and a way on', async () => {
    const { url, requests } = await selfSigned();
    const error = await failureAt(url, create());
    expect(error.failure).toEqual({ kind: 'certificate', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(error.message).toContain('signed by itself');
    for (const way of ['http.systemCertificates', 'NODE_EXTRA_CA_CERTS', 'http.proxyStrictSSL'])
      expect(error.action).toContain(way);
    expect(requests).toEqual([]);
  });

  it('a name that nobody knows is told from a service that is down', async () => {
    const error = await failureAt('https://no-such-account.invalid', create());
    expect(error.failure).toMatchObject({ kind: 'network', sent: false });
    expect(error.failure).toHaveProperty('code', expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/));
    expect(error.message).toMatch(/no computer of this name|cannot be looked up/);
    expect(error.action).toMatch(/address of the account/);
  });

  it('plain HTTP on the port of a TLS address is a network failure that sent nothing', async () => {
    const port = await listen(createHttpServer((_request, response) => response.end('{}')));
    const error = await failureAt(`https://127.0.0.1:${port}`, create());
    expect(error.failure).toMatchObject({ kind: 'network', sent: false });
  });
});

describe('a connection', () => {
  it('that does not come to stand ends in time, and nothing was sent', async () => {
    // The port is open, but nobody answers the greeting of the encryption.
    const port = await listen(createServer());
    const error = await failureAt(`https://127.0.0.1:${port}`, createUndiciTransport({ connectMilliseconds: 250 }));
    expect(error.failure).toEqual({ kind: 'timeout', phase: 'connect', seconds: 0.25, sent: false });
    expect(error.action).toContain('Check the network, the proxy and the address');
  });
});

describe('a proxy', () => {
  /** A proxy that answers CONNECT with a status; with 200 it connects. */
  async function startProxy(status: number): Promise<{ readonly url: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end();
    });
    server.on('connect', (request, socket: Socket, head) => {
      asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      socket.on('error', () => {});
      if (status !== 200) {
        socket.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      const [host, port] = (request.url ?? '').split(':');
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        onward.write(head);
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
    });
    return { url: `http://127.0.0.1:${await listen(server)}`, asked };
  }

  it.each([
    [403, 'allow the address'],
    [407, 'http.proxyAuthorization'],
    [502, 'allow the address'],
  ])('that refuses with %i is named, and sees no secret', async (status, action) => {
    const proxy = await startProxy(status);
    const transport = createUndiciTransport({ proxy: { url: proxy.url, except: undefined } });
    const error = await failureAt('https://account.invalid', transport);
    expect(error.failure).toEqual({ kind: 'proxy', status });
    expect(error.message).toContain(`${status}`);
    expect(error.action).toContain(action);
    expect(proxy.asked.every((line) => line.startsWith('CONNECT account.invalid:443'))).toBe(true);
    expect(proxy.asked.join()).not.toContain(canary);
  });

  it('only carries the encrypted connection: the certificate of the service counts', async () => {
    const proxy = await startProxy(200);
    const { url, requests } = await selfSigned();
    const error = await failureAt(url, createUndiciTransport({ proxy: { url: proxy.url, except: undefined } }));
    expect(error.failure).toEqual({ kind: 'certificate', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect([proxy.asked.length, requests.length]).toEqual([1, 0]);
  });

  it('is left out for the hosts it is not for', async () => {
    const proxy = await startProxy(403);
    const { url } = await selfSigned();
    const error = await failureAt(url, createUndiciTransport({ proxy: { url: proxy.url, except: '127.0.0.1' } }));
    expect([error.failure.kind, proxy.asked]).toEqual(['certificate', []]);
  });
});

describe('networkError', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'certificate', 'expired', 'date of this computer'],
    ['CERT_NOT_YET_VALID', 'certificate', 'not valid yet', 'date of this computer'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', 'another address', 'do not connect'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', 'authority', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'certificate', 'authority', 'NODE_EXTRA_CA_CERTS'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', 'authority', 'NODE_EXTRA_CA_CERTS'],
    ['ECONNREFUSED', 'network', 'nothing listens', 'port'],
    ['EHOSTUNREACH', 'network', 'no way', 'network'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'No connection', 'proxy'],
  ])('explains %s', (code, kind, cause, action) => {
    // As the runtimes nest it.
    const inner = Object.assign(new Error(`connect with ${canary}`), { code });
    for (const error of [inner, new TypeError('fetch failed', { cause: inner }), { cause: { errors: [inner] } }]) {
      const found = networkError(error, false);
      expect(found.failure.kind).toBe(kind);
      expect(found.message).toContain(cause);
      expect(found.action).toContain(action);
      expect(inspect(found, { depth: 9, showHidden: true })).not.toContain(canary);
    }
  });
});
