// Reading a page of 5,000 rows over HTTP from another process: what the client adds to undici and JSON.parse, above all
// exact integers. `node scripts/run.mjs test/bench/http.ts` prints the figures.
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { createApiClient } from '../../server/api/client.ts';
import { endpoints } from '../../server/api/endpoints/index.ts';
import { systemClock } from '../../server/api/transport/clock.ts';
import { createRateLimits } from '../../server/api/transport/rate-limits.ts';
import { createSecret } from '../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../server/api/transport/undici.ts';

/** Milliseconds, medians of one run. `plain` rows have no integer beyond 2^53, `wide` ones have one in every row. */
export interface HttpFigures {
  readonly bytes: number;
  readonly bytesOnly: number;
  readonly parsed: number;
  readonly client: number;
  readonly clientWide: number;
  /** The client's time against undici and JSON.parse, for plain and for wide rows. The budget is 1.6. */
  readonly ratio: number;
  readonly ratioWide: number;
}

export const httpBudget = 1.6;
const rowCount = 5_000;
const rounds = 61;

export async function benchHttp(): Promise<HttpFigures> {
  const child = fork(import.meta.filename, ['serve'], { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.once('message', (message) => resolve(Number(message)));
      child.once('error', reject);
    });
    const url = `http://127.0.0.1:${port}`;
    const agent = new Agent({ pipelining: 1 });
    const client = createApiClient({
      origin: url,
      vendorPrefix: 'SVC',
      keyId: 'KEY',
      secret: createSecret('_secret0123456789'),
      transport: createUndiciTransport(),
      rateLimits: createRateLimits({ clock: systemClock, limit: 1_000_000 }),
    });
    const text = async (path: string) =>
      (await request(`${url}${path}`, { method: 'POST', dispatcher: agent })).body.text();
    const body = { query: { queryText: 'plain' } };
    const wideBody = { query: { queryText: 'wide' } };
    const page = await text('/plain');
    const ways = {
      bytesOnly: async () => (await request(`${url}/plain`, { method: 'POST', dispatcher: agent })).body.arrayBuffer(),
      parsed: async () => JSON.parse(await text('/plain')),
      parsedWide: async () => JSON.parse(await text('/wide')),
      client: () => client.call(endpoints.queries.execute, { body }),
      clientWide: () => client.call(endpoints.queries.execute, { body: wideBody }),
    };
    // Interleaved, so that whatever else runs on the machine disturbs all of them alike.
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds + 5; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const start = performance.now();
        await way();
        if (round >= 5) times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
      }
    }
    const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
    const median = (name: keyof typeof ways) => middle(times.get(name) ?? []);
    // Round by round: what disturbed one way in a round disturbed its neighbour too.
    const ratioOf = (name: keyof typeof ways, base: keyof typeof ways) =>
      middle((times.get(name) ?? []).map((time, round) => time / (times.get(base)?.[round] ?? Number.NaN)));
    await client.close();
    await agent.destroy();
    return {
      bytes: page.length,
      bytesOnly: median('bytesOnly'),
      parsed: median('parsed'),
      client: median('client'),
      clientWide: median('clientWide'),
      ratio: ratioOf('client', 'parsed'),
      ratioWide: ratioOf('clientWide', 'parsedWide'),
    };
  } finally {
    child.kill();
  }
}

function serve(): void {
  const pages = { plain: page(false), wide: page(true) };
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString('latin1');
    });
    incoming.on('end', () => {
      const token = incoming.url?.endsWith('/access/tokens');
      const wide = incoming.url === '/wide' || body.includes('"wide"');
      const answer = token
        ? Buffer.from(JSON.stringify({ token: '_token', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }))
        : wide
          ? pages.wide
          : pages.plain;
      response.writeHead(token ? 201 : 200, { 'content-type': 'application/json', 'content-length': answer.length });
      response.end(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function page(wide: boolean): Buffer {
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const fields = {
      INSERT_ID: String(row),
      INSERT_TIME: '2031-04-01T08:00:00.000Z',
      EVENT_TIME: '2031-04-01T08:00:01.000Z',
      EVENT_NAME: 'AssumeRole',
      EVENT_SOURCE: 'sts.amazonaws.com',
      RECIPIENT_ACCOUNT_ID: '111122223333',
      SIZE: row * 7_919,
      ALLOWED: row % 2 === 0,
      HASH: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      EVENT: {
        userIdentity: { type: 'IAMUser', arn: `arn:aws:iam::111122223333:user/ann-${row}`, accountId: '111122223333' },
        requestParameters: { roleArn: 'arn:aws:iam::111122223333:role/audit', durationSeconds: 3_600, tags: [1, 2, 3] },
        sourceIPAddress: `10.0.${row % 250}.4`,
      },
    };
    const text = JSON.stringify(fields);
    return wide ? `${text.slice(0, -1)},"MID":${5_644_915_113_269_064_637n - BigInt(row)}}` : text;
  });
  return Buffer.from(`{"data":[${rows.join(',')}]}`);
}

if (import.meta.main) {
  if (process.argv[2] === 'serve') serve();
  else {
    const figures = await benchHttp();
    for (const [name, value] of Object.entries(figures)) {
      console.log(`${name.padEnd(12)} ${name === 'bytes' ? value : value.toFixed(2)}`);
    }
    process.exitCode = figures.ratio <= httpBudget && figures.ratioWide <= httpBudget ? 0 : 1;
  }
}
