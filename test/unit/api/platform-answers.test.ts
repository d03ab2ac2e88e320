import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPlatformApp, type PlatformApp } from '../../../server/platform/app.ts';

// Answers of the local platform that are not its usual ones, in this process.

const json = { 'Content-Type': 'application/json' };
let app: PlatformApp;
let headers: Readonly<Record<string, string>>;

async function open(options: { readonly rateLimit: boolean }): Promise<void> {
  app = createPlatformApp({ sample: 'none', now: () => 1_800_000_000_000, ...options });
  const answer = await app.request('/api/v2/access/tokens', {
    method: 'POST',
    headers: { ...json, 'X-SVC-UAKS': app.key.secret },
    body: JSON.stringify({ keyId: app.key.keyId }),
  });
  const { token } = (await answer.json()) as { token: string };
  headers = { ...json, Authorization: `Bearer ${token}` };
}
afterEach(() => app.close());

/** Status, limit and what is left of it. */
async function rate(path: string, init: RequestInit = {}): Promise<readonly (number | string | null)[]> {
  const answer = await app.request(`/api/v2/${path}`, { headers, ...init });
  return [answer.status, answer.headers.get('RateLimit-Limit'), answer.headers.get('RateLimit-Remaining')];
}

describe('an answer without a body', () => {
  beforeEach(() => open({ rateLimit: false }));

  it.each([
    ['slow', { kind: 'slow', bytes: 10, pause: 1 }],
    ['cut', { kind: 'truncate', bytes: 10 }],
  ] as const)('has nothing that could be %s', async (_, action) => {
    const query = { queryId: 'Acme_Q', queryText: '{ source { CloudTrailRawEvents } return { INSERT_ID } }' };
    await app.request('/api/v2/Queries', { method: 'POST', headers, body: JSON.stringify(query) });
    app.faults.add({ match: 'DELETE *', action });
    const answer = await app.request('/api/v2/Queries/Acme_Q', { method: 'DELETE', headers });
    expect([answer.status, answer.body, answer.headers.get('content-length')]).toEqual([204, null, null]);
  });
});

describe('the limit that a refusal tells', () => {
  it('is none where nothing is limited', async () => {
    await open({ rateLimit: false });
    const unlimited = ['1000000', '1000000'];
    expect(await rate('schemas')).toEqual([200, ...unlimited]);
    expect(await rate('schemas', { headers: json })).toEqual([401, ...unlimited]);
    expect(await rate('nothing')).toEqual([404, ...unlimited]);
    expect(await rate('schemas', { method: 'PUT' })).toEqual([405, ...unlimited]);
  });

  it('is what is left of it, also where the refusal took nothing of it', async () => {
    await open({ rateLimit: true });
    for (const left of ['479', '478', '477']) expect(await rate('schemas')).toEqual([200, '480', left]);
    const { Authorization = '' } = headers;
    expect(await rate('schemas', { headers: { Authorization } })).toEqual([400, '480', '477']);
    expect(await rate('schemas', { headers: { ...headers, 'Account-Name': 'nobody' } })).toEqual([403, '480', '477']);
    expect(await rate('schemas')).toEqual([200, '480', '476']);
    // Whose request it is, or of what, is not known here.
    expect(await rate('schemas', { headers: json })).toEqual([401, '480', '480']);
    expect(await rate('nothing')).toEqual([404, '480', '480']);
  });
});
