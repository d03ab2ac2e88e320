import { describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { collectPages } from '../../../server/api/paging.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { answer, createScriptTransport, type Script, type ScriptTransport } from './support/script-transport.ts';
import { createVirtualClock, type VirtualClock } from './support/virtual-clock.ts';

const origin = 'https://acme.example.net';
const base = `${origin}/api/v2/Entities/Machines`;

function bench(script: Script): { client: ApiClient; transport: ScriptTransport; clock: VirtualClock } {
  const transport = createScriptTransport(script);
  const clock = createVirtualClock();
  const client = createApiClient({
    origin,
    vendorPrefix: 'SVC',
    keyId: 'K',
    secret: createSecret('_secret0123'),
    transport,
    clock,
  });
  return { client, transport, clock };
}

const page = (rows: readonly unknown[], nextPage?: string | null) =>
  answer(200, { data: rows, paging: { rows: rows.length, totalRows: 5, urls: { nextPage } } });

describe('pages', () => {
  it('follows the pages with GET and the token, in order', async () => {
    const { client, transport } = bench((request) => {
      if (request.method === 'POST') return page([{ mid: 1 }, { mid: 2 }], `${base}/AbC?x=%2F`);
      return request.url.href.endsWith('/AbC?x=%2F') ? page([{ mid: 3 }], `${base}/DeF`) : page([{ mid: 4 }], '');
    });
    expect(await collectPages(client.pages(endpoints.searches.machines))).toEqual({
      rows: [{ mid: 1 }, { mid: 2 }, { mid: 3 }, { mid: 4 }],
      incomplete: undefined,
    });
    expect(transport.requests.slice(1).map((request) => [request.method, request.headers['authorization']])).toEqual([
      ['POST', 'Bearer _token-1'],
      ['GET', 'Bearer _token-1'],
      ['GET', 'Bearer _token-1'],
    ]);
  });

  it.each([[undefined], [null], ['']])('takes an answer whose next page is %s as the last', async (next) => {
    const { client } = bench(() => page([{ mid: 1 }], next));
    expect((await collectPages(client.pages(endpoints.searches.machines))).rows).toHaveLength(1);
  });

  it('takes an answer without paging, and an empty one, as the only page', async () => {
    for (const only of [answer(200, { data: [] }), answer(204, undefined), answer(200, { data: [], paging: null })]) {
      const { client } = bench(() => only);
      expect(await collectPages(client.pages(endpoints.searches.machines))).toEqual({
        rows: [],
        incomplete: undefined,
      });
    }
  });

  it.each([
    ['https://evil.test/api/v2/Entities/Machines/A', 'evil.test'],
    ['http://acme.example.net/api/v2/Entities/Machines/A', 'not the account'],
    ['https://acme.example.net:444/api/v2/Entities/Machines/A', 'not the account'],
    ['https://acme.example.net@evil.test/api/v2/Entities/Machines/A', 'evil.test'],
    [`${origin}/api/v2/Policies/A`, 'another operation'],
    [`${base}/../../Policies`, 'another operation'],
    ['/relative', 'no URL'],
  ])('does not fetch the next page from %s', async (next, problem) => {
    const { client, transport } = bench(() => page([{ mid: 1 }], next));
    await expect(collectPages(client.pages(endpoints.searches.machines))).rejects.toThrow(problem);
    expect(transport.requests).toHaveLength(2);
  });

  it('stops at a page that comes again, and marks the result', async () => {
    const { client, transport } = bench(() => page([{ mid: 1 }], `${base}/same`));
    const { rows, incomplete } = await collectPages(client.pages(endpoints.searches.machines));
    expect(rows).toHaveLength(2);
    expect(incomplete).toContain('same page again');
    expect(transport.requests).toHaveLength(3);
  });

  it('stops at an empty page', async () => {
    let count = 0;
    const { client, transport } = bench(() => page(count++ < 2 ? [{ mid: 1 }] : [], `${base}/p${count}`));
    expect((await collectPages(client.pages(endpoints.searches.machines))).rows).toHaveLength(2);
    expect(transport.requests).toHaveLength(4);
  });

  it('stops at the cap of the service and explains it', async () => {
    const rows = Array.from({ length: 5_000 }, (_, mid) => ({ mid }));
    let count = 0;
    const { client } = bench(() => page(rows, `${base}/p${count++}`));
    const result = await collectPages(client.pages(endpoints.searches.machines));
    expect(result.rows).toHaveLength(500_000);
    expect(result.incomplete).toContain('500,000');
  });

  it('keeps what was read when a later page fails, and marks it', async () => {
    const { client } = bench((request) =>
      request.method === 'POST' ? page([{ mid: 1 }], `${base}/gone`) : answer(404, { message: 'page expired' }),
    );
    const { rows, incomplete } = await collectPages(client.pages(endpoints.searches.machines));
    expect(rows).toEqual([{ mid: 1 }]);
    expect(incomplete).toContain('page expired');
  });

  it('fetches one page ahead, no more, and stops when the reader leaves', async () => {
    let count = 0;
    const { client, transport } = bench(() => page([{ mid: count }], `${base}/p${count++}`));
    for await (const read of client.pages(endpoints.searches.machines)) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(transport.requests.length - 1).toBe(read.index + 2);
      if (read.index === 2) break;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(transport.requests).toHaveLength(5);
  });

  it('explains an address that has expired', async () => {
    const { client, clock } = bench((request) =>
      request.method === 'POST' ? page([{ mid: 1 }], `${base}/old`) : answer(404, { message: 'gone' }),
    );
    const pages = client.pages(endpoints.searches.machines);
    await pages.next();
    await clock.advance(25 * 3_600_000);
    await expect(pages.next()).rejects.toThrow('24 hours');
  });
});
