import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../server/api/client.ts';
import type { AnyEndpoint } from '../../../server/api/endpoint.ts';
import { allEndpoints, endpoints } from '../../../server/api/endpoints/index.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import type { Transport } from '../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { startPlatform } from '../../../server/platform/index.ts';
import { startSession } from '../../harness/lsp-session.ts';
import { repoRoot } from '../../harness/paths.ts';
import { createSecretSearch, type SecretSearch } from '../../harness/secret-search.ts';
import { everyCall, integrationSecrets } from './support/every-operation.ts';
import { sendJson, startFaultServer } from './support/fault-server.ts';

// A key that is like no other text. With a slash and a plus its forms all differ.
const canary = `_canary/+${randomBytes(18).toString('hex')}`;
const keyId = `CANARY_${randomBytes(16).toString('hex').toUpperCase()}`;

let search: SecretSearch;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lql-canary-'));
  search = createSecretSearch();
  search.protect('key secret', canary);
  search.protect('key id', keyId);
  for (const [name, text] of Object.entries(integrationSecrets)) search.protect(`integration ${name}`, text);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Learns the tokens that pass, before the client sees them. */
function watched(inner: Transport): Transport {
  return {
    async send(request) {
      const answer = await inner.send(request);
      const text = answer.body.toString('utf8');
      for (const [, name = '', token = ''] of text.matchAll(/"(token|accessToken)":"([^"]{8,})"/g))
        search.protect(name === 'token' ? `token ${token.length}` : 'agent access token', token);
      return answer;
    },
    close: () => inner.close(),
  };
}

function connect(origin: string, inner: Transport): ApiClient {
  const client = createApiClient({
    origin,
    vendorPrefix: 'SVC',
    keyId,
    secret: createSecret(canary),
    transport: watched(inner),
    random: () => 0,
    log: (event) => search.addValue(`log of ${event.operation}`, event),
  });
  return client;
}

async function tryAll(client: ApiClient): Promise<void> {
  for (const { id, call } of everyCall) {
    const error: unknown = await call({ client }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error !== undefined) search.addValue(`failure of ${id}`, error);
  }
  search.addValue('the client', client);
  search.addValue('the client with its members', Object.entries(client));
}

it('no operation lets a secret out: into the log, a failure, an inspected object, the audit log', async () => {
  const platform = await startPlatform({ keyId, secret: canary, rateLimit: false });
  const transports = [createUndiciTransport(), createFetchTransport(fetch)];
  try {
    for (const transport of transports) {
      const client = connect(platform.url, transport);
      await tryAll(client);
      for (const action of [
        { kind: 'status', status: 500 },
        { kind: 'reset' },
        { kind: 'truncate', bytes: 9 },
        { kind: 'redirect', status: 307, location: `https://elsewhere.invalid/?k=${encodeURIComponent(canary)}` },
      ] as const) {
        platform.app.faults.add({ match: '* *', times: 1_000, action });
        await tryAll(connect(platform.url, transport));
        platform.app.faults.clear();
      }
      for (const endpoint of [endpoints.auditLogs.list, endpoints.auditLogs.search])
        search.add('audit log', JSON.stringify(await client.call(endpoint)));
    }
    const report = search.finish();
    console.info(`every operation, at trace level: ${report.summary}`);
    expect(report.hits).toEqual([]);
    // Key and integrations, and at least one token of each kind, were really there to be found.
    expect(report.secrets).toBeGreaterThan(6);
    expect(report.artefacts).toBeGreaterThan(allEndpoints.length * 5);
  } finally {
    for (const transport of transports) await transport.close();
    await platform.stop();
  }
});

it('a service that sends back everything it was sent brings no secret into a message', async () => {
  let answerTokens = true;
  const server = await startFaultServer((request, response) => {
    if (answerTokens && request.path === '/api/v2/access/tokens') {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      sendJson(response, 201, { token: `_token-${randomBytes(9).toString('hex')}`, expiresAt });
      return;
    }
    const { method, path: place, headers, body } = request;
    const forms = [canary, Buffer.from(canary).toString('base64'), Buffer.from(canary).toString('hex')];
    sendJson(response, 400, { message: `${method} ${place} ${JSON.stringify(headers)} ${body} ${forms.join(' ')}` });
  }, false);
  const transport = createUndiciTransport();
  try {
    await tryAll(connect(server.url, transport));
    answerTokens = false;
    await tryAll(connect(server.url, transport));
    const report = search.finish();
    console.info(`a service that echoes: ${report.summary}`);
    expect(report.hits).toEqual([]);
  } finally {
    await transport.close();
    await server.stop();
  }
});

it('the command line leaves no secret behind: output, files, state', async () => {
  const platform = await startPlatform({ keyId, secret: canary, rateLimit: false, vendorPrefix: 'LW' });
  const home = path.join(folder, 'home');
  const work = path.join(folder, 'work');
  const profile = path.join(home, '.lacework.toml');
  try {
    mkdirSync(home);
    cpSync(path.join(repoRoot, 'examples'), work, { recursive: true });
    writeFileSync(profile, `[default]\naccount = "acme"\napi_key = "${keyId}"\napi_secret = "${canary}"\n`);
    writeFileSync(path.join(work, 'q.lql'), '{ source { LW_HE_MACHINES } return { HOSTNAME } }');
    const lql = async (...args: readonly string[]): Promise<number | null> => {
      const child = spawn(
        process.execPath,
        [
          '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
          path.join(repoRoot, 'server', 'cli', 'main.ts'),
          ...args,
          '--profile',
          'default',
        ],
        {
          cwd: work,
          env: {
            HOME: home,
            USERPROFILE: home,
            LW_API_SERVER_URL: platform.url,
            XDG_CACHE_HOME: path.join(folder, 'cache'),
          },
        },
      );
      const output: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
      const [code] = (await once(child, 'close')) as [number | null];
      search.add(`output of lql ${args.join(' ')}`, Buffer.concat(output));
      search.add(`the command lql ${args.join(' ')}`, child.spawnargs.join(' '));
      return code;
    };
    const codes: Record<string, number | null> = {
      run: await lql('run', 'q.lql', '--output', 'json'),
      pull: await lql('pull'),
      plan: await lql('plan', '--output', '../saved.plan'),
      refused: await lql('run', 'no-such-file.lql'),
    };
    if (process.env['DEEP']) {
      codes['catalog'] = await lql('catalog', '--output', 'catalog.json');
      codes['deploy'] = await lql('deploy', '--plan', '../saved.plan', '--yes');
      codes['drift'] = await lql('drift');
      codes['undo'] = await lql('undo', '--output', '../undo.plan');
    }
    search.addFolder(folder, (file) => file === profile);
    const report = search.finish();
    console.info(`the command line ${JSON.stringify(codes)}: ${report.summary}`);
    expect(codes).toMatchObject({ run: 0, pull: 0, plan: 1, refused: 2 });
    expect(report.hits).toEqual([]);
    expect(report.artefacts).toBeGreaterThan(30);
  } finally {
    await platform.stop();
  }
});

it('a session of the language server never holds a secret', async () => {
  const platform = await startPlatform({ keyId, secret: canary, rateLimit: false });
  const transport = createUndiciTransport();
  const session = await startSession({ folder });
  try {
    const client = connect(platform.url, transport);
    const { data } = await client.call(endpoints.datasources.list);
    session.notify('$/setTrace', { value: 'verbose' });
    const catalog = { version: '1', origin: 'account', vendorPrefix: 'SVC', datasources: data };
    search.addValue('the catalog as it is sent', catalog);
    await session.request('lql/catalog', catalog);
    const uri = 'file:///q.lql';
    session.open(uri, '{ source { SVC_HE_MACHINES m } return { m. } }', 'lql');
    const position = { line: 0, character: 42 };
    search.addValue('diagnostics', await session.diagnostics(uri));
    for (const method of ['textDocument/completion', 'textDocument/hover', 'textDocument/signatureHelp'])
      search.addValue(method, await session.request(method, { textDocument: { uri }, position }));
    search.addValue('notifications', session.notifications);
    search.addFolder(folder);
    const report = search.finish();
    console.info(`a session of the language server: ${report.summary}`);
    expect(report.hits).toEqual([]);
    expect(report.bytes).toBeGreaterThan(10_000);
  } finally {
    await session.stop();
    await transport.close();
    await platform.stop();
  }
});

it('a leak would be found: a client that logs its headers', async () => {
  const platform = await startPlatform({ keyId, secret: canary, rateLimit: false, sample: 'none' });
  const inner = createUndiciTransport();
  const leaking: Transport = {
    send(request) {
      search.addValue('a careless log', request);
      return inner.send(request);
    },
    close: () => inner.close(),
  };
  try {
    await connect(platform.url, leaking).call(endpoints.queries.list as AnyEndpoint);
    const { hits } = search.finish();
    expect(hits.map(({ secret }) => secret)).toEqual(expect.arrayContaining(['key secret', 'key id']));
    expect(hits.some(({ secret }) => secret.startsWith('token'))).toBe(true);
  } finally {
    await inner.close();
    await platform.stop();
  }
});
