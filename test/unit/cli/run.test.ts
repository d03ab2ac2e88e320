import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { startPlatform } from '../../../server/platform/index.ts';
import { startFaultServer } from '../api/support/fault-server.ts';
import { createMemoryIo, type MemoryIoOptions, temporaryFolder } from './support/memory-io.ts';

const query = '{\n  -- every machine\n  source { SVC_HE_MACHINES }\n  return { MID, HOSTNAME, TAGS }\n}\n';

async function run(args: readonly string[], options: MemoryIoOptions = {}) {
  const io = createMemoryIo(options);
  const code = await runCli(['run', ...args], io);
  return { code, out: io.out, error: io.error };
}

describe('run on the local platform', () => {
  it('prints rows as JSON, NDJSON, CSV and a table, columns in the order of the query', async () => {
    await using folder = await temporaryFolder({ 'q.lql': query });
    const cwd = folder.path;
    const json = await run(['q.lql', '--range', 'last 24 hours', '--output', 'json'], { cwd });
    expect([json.code, json.error]).toEqual([
      0,
      expect.stringMatching(/^\d+ rows in \d+ ms · .+Z to .+Z · local platform\n$/),
    ]);
    const rows: readonly Record<string, unknown>[] = JSON.parse(json.out);
    expect(rows.length).toBeGreaterThan(0);
    expect(Object.keys(rows[0] ?? {})).toEqual(['MID', 'HOSTNAME', 'TAGS']);

    const ndjson = await run(['q.lql', '--output', 'ndjson'], { cwd });
    const lines = ndjson.out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).MID)).toEqual(rows.map((row) => row['MID']));

    const csv = await run(['q.lql', '--output', 'csv', '--limit', '2'], { cwd });
    expect(csv.out.trimEnd().split('\r\n')).toHaveLength(3);
    expect(csv.out).toMatch(/^MID,HOSTNAME,TAGS\r\n/);

    const table = await run(['q.lql', '--limit', '1'], { cwd, columns: 60 });
    const shown = table.out.trimEnd().split('\n');
    expect(shown).toHaveLength(3);
    expect(shown[0]).toMatch(/^MID +HOSTNAME +TAGS$/);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('reads standard input, chooses a query by its id, and runs it over own data', async () => {
    const yaml = `queryId: One\nqueryText: |-\n  { source { OWN } return { N } }\n---\nqueryId: Two\nqueryText: |-\n  { source { OWN } filter { N > 1 } return { N } }\n`;
    await using folder = await temporaryFolder({
      'q.yaml': yaml,
      'data/datasources/OWN.ndjson': '{"N":1}\n{"N":5644915113269064637}\n',
    });
    const options = { cwd: folder.path };
    const data = ['--data', 'data', '--output', 'ndjson'];
    expect((await run(['q.yaml', '--query', 'Two', ...data], options)).out).toBe('{"N":5644915113269064637}\n');
    const several = await run(['q.yaml', ...data], options);
    expect([several.code, several.error]).toEqual([2, expect.stringContaining('One, Two')]);
    const piped = await run(['-', ...data], { ...options, stdin: '{ source { OWN } return { N } }' });
    expect(piped.out.trimEnd().split('\n')).toHaveLength(2);
  });

  it('takes range, limit and arguments from comments of the file, and the command line before them', async () => {
    const stdin =
      '{\n  -- @range 2001-01-01 to 2001-01-02\n  -- @limit 1\n  source { SVC_HE_MACHINES }\n  return { MID }\n}';
    const now = Date.now();
    const written = await run(['-', '--output', 'ndjson'], { stdin, now });
    expect(written.error).toContain('2001-01-01T00:00:00.000Z to 2001-01-02T00:00:00.000Z');
    const given = await run(['-', '--output', 'ndjson', '--range', 'last 24 hours'], { stdin, now });
    expect(given.error).toContain(`${new Date(now - 86_400_000).toISOString()} to ${new Date(now).toISOString()}`);
    expect(given.out.trimEnd().split('\n')).toHaveLength(1);
    const more = await run(['-', '--output', 'ndjson', '--range', '-1d', '--limit', '3'], { stdin, now });
    expect(more.out.trimEnd().split('\n')).toHaveLength(3);
    const wrong = await run(['-'], { stdin: '{\n  -- @limit many\n source { SVC_HE_MACHINES } return { MID } }' });
    expect(wrong.error).toContain('not a number of rows');
  });

  it('runs a query of the real service as it is', async () => {
    const { code, out } = await run(['-', '--output', 'ndjson'], {
      stdin: '{ source { LW_HE_MACHINES } return { MID } }',
    });
    expect([code, out.split('\n').length > 2]).toEqual([0, true]);
  });

  it('explains an empty result', async () => {
    const { code, error } = await run(['-', '--start', '2001-01-01', '--end', '2001-01-02'], {
      stdin: '{ source { CloudTrailRawEvents } return { EVENT_NAME } }',
    });
    expect([code, error]).toEqual([0, expect.stringContaining('Nothing matches in this window')]);
    expect(error).toContain('2001-01-01T00:00:00.000Z to 2001-01-02T00:00:00.000Z');
  });

  it('reports what cannot be sent with its place, and what the service refuses with a way on', async () => {
    const broken = await run(['-'], { stdin: '{ source { A } filter { X = } return { X } }' });
    expect([broken.code, broken.out]).toEqual([1, '']);
    expect(broken.error).toMatch(/^-:1:\d+ error /);
    const unknown = await run(['-'], { stdin: '{ source { SVC_NO_SUCH_SOURCE } return { X } }' });
    expect([unknown.code, unknown.out]).toEqual([1, '']);
    expect(unknown.error).toContain('400');
    expect(unknown.error).toContain('Correct what the message names');
  });

  it.each([
    [[], 'Name one file'],
    [['a.lql', 'b.lql'], 'Name one file'],
    [['-', '--output', 'xml'], 'table, json, ndjson, csv'],
    [['-', '--range', 'last banana'], 'is not a time'],
    [['-', '--range', 'last banana'], 'Ranges with a name: last 1 hour, last 24 hours'],
    [['-', '--range', 'today', '--start', '-1d'], 'exclude each other'],
    [['-', '--start', 'now', '--end', '-1d'], 'not before its end'],
    [['-', '--limit', '0'], 'at least 1'],
    [['-', '--arg', 'novalue'], 'NAME=VALUE'],
    [['missing.lql'], 'cannot be read'],
  ])('refuses the command line %j', async (args, message) => {
    const { code, out, error } = await run(args, { stdin: query });
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
  });
});

describe('run in an account', () => {
  const secret = '_canary0123456789abcdef0123456789';

  it('reads the profile of the vendor CLI, and goes to the address the environment names', async () => {
    const platform = await startPlatform({
      vendorPrefix: 'LW',
      secret,
      keyId: 'ACME_0123456789ABCDEF0123456789ABCDEF',
    });
    try {
      await using home = await temporaryFolder({
        '.lacework.toml': `[default]\naccount = "acme"\napi_key = "${platform.keyId}"\napi_secret = "${secret}"\nversion = 2\n`,
      });
      const options = {
        homeDirectory: home.path,
        env: { LW_API_SERVER_URL: platform.url },
        stdin: '{ source { LW_HE_MACHINES } return { HOSTNAME } }',
      };
      const { code, out, error } = await run(['-', '--profile', 'default', '--output', 'ndjson'], options);
      expect([code, error]).toEqual([0, expect.stringContaining('127.0.0.1')]);
      expect(out.split('\n').length).toBeGreaterThan(2);
      const other = await run(['-', '--profile', 'none'], options);
      expect([other.code, other.error]).toEqual([2, expect.stringContaining("no profile 'none'")]);
    } finally {
      await platform.stop();
    }
  });

  it('never shows the secret, whatever goes wrong', async () => {
    const server = await startFaultServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ message: `refused ${secret}` }));
    }, false);
    try {
      await using home = await temporaryFolder({ '.lacework.toml': `api_secret = "${secret}\n[` });
      const env = { LW_API_SERVER_URL: server.url, LW_API_KEY: 'KEY', LW_API_SECRET: secret };
      const unreadable = await run(['-', '--profile', 'default'], { homeDirectory: home.path, env, stdin: query });
      expect([unreadable.code, unreadable.error]).toEqual([1, expect.stringContaining('not valid TOML')]);
      await home.write({ '.lacework.toml': '' });
      const refused = await run(['-', '--profile', 'default'], { homeDirectory: home.path, env, stdin: query });
      expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('refused ***')]);
      for (const { out, error } of [unreadable, refused]) expect(out + error).not.toContain(secret);
      expect(server.requests[0]?.headers['x-lw-uaks']).toBe(secret);
    } finally {
      await server.stop();
    }
  });
});

describe('catalog', () => {
  it('writes what check and the language server read', async () => {
    await using folder = await temporaryFolder({ 'q.lql': query.replace('HOSTNAME', 'HOSTNAM') });
    const io = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['catalog', '--output', 'catalog.json', '--schemas', 'schemas.json'], io)).toBe(0);
    const written = JSON.parse(await readFile(path.join(folder.path, 'catalog.json'), 'utf8'));
    expect(written.data.map((datasource: { name: string }) => datasource.name)).toContain('SVC_HE_MACHINES');
    expect(JSON.parse(await readFile(path.join(folder.path, 'schemas.json'), 'utf8'))).toEqual({});
    const checked = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['check', '--catalog', 'catalog.json', 'q.lql'], checked)).toBe(1);
    expect(checked.out).toContain('HOSTNAM');
    const toStdout = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['catalog', '--output', '-'], toStdout)).toBe(0);
    expect(JSON.parse(toStdout.out)).toEqual(written);
  });
});

describe('catalog of an account that lists no columns', () => {
  it('fetches them from the schemas, one request each', async () => {
    const platform = await startPlatform({ vendorPrefix: 'LW', columnless: true });
    try {
      await using folder = await temporaryFolder();
      const env = { LW_API_SERVER_URL: platform.url, LW_API_KEY: platform.keyId, LW_API_SECRET: platform.secret };
      const io = createMemoryIo({ cwd: folder.path, homeDirectory: folder.path, env });
      const args = ['catalog', '--profile', 'default', '--output', 'c.json', '--schemas', 's.json'];
      expect(await runCli(args, io)).toBe(0);
      const listed = JSON.parse(await readFile(path.join(folder.path, 'c.json'), 'utf8'));
      expect(listed.data.every((datasource: { resultSchema?: unknown[] }) => !datasource.resultSchema?.length)).toBe(
        true,
      );
      const schemas = JSON.parse(await readFile(path.join(folder.path, 's.json'), 'utf8'));
      const names = schemas.LW_HE_MACHINES.map((column: { name: string }) => column.name);
      expect(names).toEqual(expect.arrayContaining(['MID', 'HOSTNAME']));
    } finally {
      await platform.stop();
    }
  });
});

describe('platform', () => {
  it('prints one line of JSON, serves until it is ended, and says why it cannot start', async () => {
    const io = createMemoryIo();
    const code = runCli(['platform', '--vendor-prefix', 'LW', '--no-rate-limit'], io);
    while (!io.out.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 5));
    const { url, keyId, secret } = JSON.parse(io.out);
    const request = () =>
      fetch(`${url}/api/v2/access/tokens`, {
        method: 'POST',
        headers: { 'X-LW-UAKS': secret, 'Content-Type': 'application/json' },
        body: JSON.stringify({ keyId, expiryTime: 60 }),
      });
    expect((await request()).status).toBe(201);
    const second = createMemoryIo();
    expect(await runCli(['platform', '--port', new URL(url).port], second)).toBe(1);
    expect(second.error).toBe(
      `Port ${new URL(url).port} is in use already. Choose another with --port, or leave it out and any free one is taken.\n`,
    );
    io.end();
    expect(await code).toBe(0);
    await expect(request()).rejects.toThrow();
  });
});
