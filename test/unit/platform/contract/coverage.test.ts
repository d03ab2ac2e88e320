import { afterAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../../server/api/endpoints/index.ts';
import {
  alertChannelTypes,
  alertScopes,
  alertSeverities,
  closeReasons,
  cloudAccountTypes,
  cloudProviders,
  commentFormats,
  complianceDatasets,
  containerRegistryTypes,
  evaluationFrequencies,
  filterExpressions,
  inventoryDatasets,
  policySeverities,
} from '../../../../server/core/resources/index.ts';
import { operations } from '../../../../server/platform/handlers/index.ts';
import { createPageStore } from '../../../../server/platform/http/pages.ts';
import { policyBody, queryText } from '../bodies.ts';
import { createClock, noon, readAnswer, requestToken, type SignedIn, signIn } from '../signed-in.ts';

/** One printed table of what the platform covers: operations, expressions, every value of every enumeration, every limit. */
const lines: string[] = [];
afterAll(() => console.log(['the platform covers:', ...lines].join('\n')));

const day = 86_400_000;
const hour = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

async function ready(): Promise<SignedIn> {
  const platform = await signIn();
  await platform.call('POST', '/Queries', { queryId: 'Q', queryText });
  return platform;
}

test('every operation has a handler', () => {
  const served = operations(false);
  expect(allEndpoints.filter((endpoint) => !served.has(endpoint))).toEqual([]);
  const specified = allEndpoints.filter((endpoint) => endpoint.source === 'specification').length;
  lines.push(
    `  operations     ${served.size} (${specified} of the specification, ${served.size - specified} known to public clients)`,
  );
});

/** Sends a value of an enumeration; gives the status. */
type Send = (platform: SignedIn, value: string | number) => Promise<number>;

const integration =
  (path: string): Send =>
  async ({ call }, type) => {
    const s3 = { externalId: 'e', roleArn: 'r', bucketArn: 'b' };
    const data = { s3CrossAccountCredentials: s3, crossAccountCredentials: s3 };
    return (await call('POST', path, { name: 'n', type, enabled: 1, data })).status;
  };
const alertId = async ({ call }: SignedIn) => (await call('POST', '/Alerts/search', {})).body.data[0].alertId;

const enumerations: readonly (readonly [
  name: string,
  values: readonly (string | number)[],
  send: Send,
  accepted: readonly number[],
])[] = [
  ['alert channel types', alertChannelTypes, integration('/AlertChannels'), [201]],
  ['cloud account types', cloudAccountTypes, integration('/CloudAccounts'), [201]],
  ['container registry types', containerRegistryTypes, integration('/ContainerRegistries'), [201]],
  [
    'filter expressions',
    filterExpressions.filter((expression) => expression !== 'expr'),
    async ({ call }, expression) => {
      const list = expression === 'in' || expression === 'not_in' || expression === 'between';
      const operand = list ? { values: ['1', '2'] } : { value: '1' };
      return (await call('POST', '/Entities/Users/search', { filters: [{ field: 'uid', expression, ...operand }] }))
        .status;
    },
    [200, 204],
  ],
  [
    'alert scopes',
    alertScopes,
    async (platform, scope) => (await platform.call('GET', `/Alerts/${await alertId(platform)}?scope=${scope}`)).status,
    [200, 204],
  ],
  [
    'alert severities',
    alertSeverities,
    async ({ call }, value) => {
      await call('POST', '/Policies', { ...policyBody, severity: String(value).toLowerCase() });
      const found = await call('POST', '/Alerts/search', { filters: [{ field: 'severity', expression: 'eq', value }] });
      return found.status === 204 ? 404 : found.status;
    },
    [200],
  ],
  [
    'reasons to close an alert',
    [...closeReasons.keys()],
    async (platform, reason) =>
      (await platform.call('POST', `/Alerts/${await alertId(platform)}/close`, { reason, comment: 'c' })).status,
    [204],
  ],
  [
    'comment formats',
    commentFormats,
    async (platform, format) =>
      (await platform.call('POST', `/Alerts/${await alertId(platform)}/comment`, { comment: 'c', format })).status,
    [200],
  ],
  [
    'policy severities',
    policySeverities,
    async ({ call }, severity) => (await call('POST', '/Policies', { ...policyBody, severity })).status,
    [201],
  ],
  [
    'evaluation frequencies',
    evaluationFrequencies,
    async ({ call }, evalFrequency) => (await call('POST', '/Policies', { ...policyBody, evalFrequency })).status,
    [201],
  ],
  [
    'cloud providers of the inventory',
    cloudProviders,
    async ({ call }, csp) => (await call('POST', '/Inventory/search', { csp })).status,
    [200],
  ],
  [
    'cloud providers of scans',
    cloudProviders,
    async ({ call }, csp) => (await call('POST', `/Inventory/scan?csp=${csp}`)).status,
    [200],
  ],
  [
    'old datasets of the inventory',
    inventoryDatasets,
    async ({ call }, dataset) => (await call('POST', '/Inventory/search', { dataset })).status,
    [200],
  ],
  [
    'compliance datasets',
    complianceDatasets,
    async ({ call }, dataset) => (await call('POST', '/Configs/ComplianceEvaluations/search', { dataset })).status,
    [200, 204],
  ],
];

describe('every value of every enumeration', () => {
  test.each(enumerations)('%s', async (name, values, send, accepted) => {
    for (const value of values) expect(accepted, `${name}: ${value}`).toContain(await send(await ready(), value));
    const other = typeof values[0] === 'number' ? 99 : 'NotOneOfThem';
    if (name !== 'alert severities') expect(await send(await ready(), other), `${name}: ${other}`).toBe(400);
    lines.push(`  ${String(values.length).padStart(3)} values     ${name}`);
  });
});

/** A limit: sends one step below, at, and above it; gives what came of it. */
type Limit = readonly [
  name: string,
  n: string,
  probe: (offset: -1 | 0 | 1) => Promise<unknown>,
  expected: readonly [unknown, unknown, unknown],
];

async function searchStatus(path: string, start: number, end: number, more: object = {}): Promise<number> {
  const { call } = await signIn();
  const { status } = await call('POST', path, { timeFilter: { startTime: iso(start), endTime: iso(end) }, ...more });
  return status === 204 ? 200 : status;
}

const limits: readonly Limit[] = [
  [
    'requests an hour and functionality',
    '480',
    async (offset) => {
      const { call } = await signIn({ rateLimit: true });
      for (let request = 1; request < 480 + offset; request++) await call('GET', '/ContractInfo');
      return (await call('GET', '/ContractInfo')).status;
    },
    [200, 200, 429],
  ],
  [
    'milliseconds until a request comes back',
    '3,600,000',
    async (offset) => {
      const clock = createClock();
      const { call } = await signIn({ rateLimit: true }, clock);
      for (let request = 1; request <= 480; request++) await call('GET', '/ContractInfo');
      clock.advance(hour + offset);
      return (await call('GET', '/ContractInfo')).status;
    },
    [429, 200, 200],
  ],
  [
    'bytes of a body',
    '1,048,576',
    async (offset) => {
      const { call } = await signIn();
      const frame = JSON.stringify({ comment: '' });
      const body = frame.replace('""', `"${'x'.repeat(1_048_576 + offset - frame.length)}"`);
      return (await call('POST', '/Alerts/1/comment', body)).status;
    },
    [404, 404, 400],
  ],
  [
    'seconds a token lives at most',
    '86,400',
    async (offset) => {
      const { app } = await signIn();
      const body = JSON.stringify({ keyId: app.key.keyId, expiryTime: 86_400 + offset });
      const headers = { 'Content-Type': 'application/json', 'X-SVC-UAKS': app.key.secret };
      return (await app.request('http://h/api/v2/access/tokens', { method: 'POST', headers, body })).status;
    },
    [201, 201, 400],
  ],
  [
    'milliseconds of the default lifetime',
    '3,600,000',
    async (offset) => {
      const clock = createClock();
      const { app } = await signIn({}, clock);
      const token = await requestToken(app);
      clock.advance(hour + offset);
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      return (await app.request('http://h/api/v2/schemas', { headers })).status;
    },
    [200, 401, 401],
  ],
  [
    'API keys a user',
    '20',
    async (offset) => {
      const { app } = await signIn();
      try {
        for (let key = 0; key < 20 + offset; key++) app.keys.create({ account: 'harborline', user: 'ann' });
        return 'held';
      } catch {
        return 'refused';
      }
    },
    ['held', 'held', 'refused'],
  ],
  [
    'milliseconds a search spans',
    '7 days',
    (offset) => searchStatus('/Entities/Users/search', noon - 7 * day - offset, noon),
    [200, 200, 400],
  ],
  [
    'milliseconds of compliance history',
    '90 days',
    (offset) =>
      searchStatus('/Configs/ComplianceEvaluations/search', noon - 90 * day - offset, noon - 89 * day, {
        dataset: 'AwsCompliance',
      }),
    [200, 200, 400],
  ],
  [
    'rows of a page',
    '5,000',
    async (offset) => createPageStore().first(Array(5_000 + offset).fill(0), 'o', '/X', 'h', 0).data.length,
    [4_999, 5_000, 5_000],
  ],
  [
    'pages of a result',
    '1',
    async (offset) =>
      createPageStore().first(Array(5_000 + offset).fill(0), 'o', '/X', 'h', 0).paging.urls.nextPage === null,
    [true, true, false],
  ],
  [
    'rows of a result',
    '500,000',
    async (offset) => createPageStore().first(Array(500_000 + offset).fill(0), 'o', '/X', 'h', 0).paging.totalRows,
    [499_999, 500_000, 500_000],
  ],
  [
    'milliseconds a page address is valid',
    '24 hours',
    async (offset) => {
      const pages = createPageStore();
      const next = pages.first(Array(5_001).fill(0), 'o', '/X', 'http://h', 0).paging.urls.nextPage ?? '';
      return pages.next(new URL(next).pathname, 'o', 'http://h', day + offset)?.data.length;
    },
    [1, undefined, undefined],
  ],
  [
    'characters of a query',
    '72,000',
    async (offset) =>
      (await (await signIn()).call('POST', '/Queries/validate', { queryText: queryText.padEnd(72_000 + offset) }))
        .status,
    [200, 200, 400],
  ],
  [
    'records a policy run yields, at least',
    '1',
    async (offset) => (await (await ready()).call('POST', '/Policies', { ...policyBody, limit: 1 + offset })).status,
    [400, 201, 201],
  ],
  [
    'milliseconds between a scan and the next',
    '1 hour',
    async (offset) => {
      const clock = createClock();
      const { call } = await signIn({}, clock);
      await call('POST', '/Inventory/scan?csp=AWS');
      clock.advance(10 * 60_000 + hour + offset);
      return (await call('POST', '/Inventory/scan?csp=AWS')).body.data.status;
    },
    ['pending', 'scanning', 'scanning'],
  ],
  [
    'rows of an execution',
    '5,000',
    async (offset) => {
      const { call } = await signIn({ sample: 'lab' });
      const body = {
        query: { queryText: '{ source { SVC_HA_FILE_CHANGES } return { MID } }' },
        options: { limit: 5_000 + offset },
        arguments: [{ name: 'StartTimeRange', value: iso(noon - 7 * day) }],
      };
      return (await call('POST', '/Queries/execute', body)).body.data.length;
    },
    [4_999, 5_000, 5_000],
  ],
  [
    'rows asked of an execution, at least',
    '1',
    async (offset) => (await (await signIn()).execute(queryText, { options: { limit: 1 + offset } })).status,
    [400, 200, 200],
  ],
  [
    'records a policy run yields, at most',
    'its limit, 3 of 4',
    async (offset) => {
      const platform = await signIn();
      const wide = '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY } }';
      await platform.call('POST', '/Queries', { queryId: 'Q', queryText: wide });
      await platform.call('POST', '/Policies', { ...policyBody, severity: 'info', limit: 3 + offset });
      const filters = [{ field: 'severity', expression: 'eq', value: 'Info' }];
      const [alert] = (await platform.call('POST', '/Alerts/search', { filters })).body.data;
      return (await platform.call('GET', `/Alerts/${alert.alertId}?scope=Events`)).body.data.length;
    },
    [2, 3, 4],
  ],
  [
    'milliseconds between two runs of a policy',
    '1 hour',
    async (offset) => {
      const clock = createClock();
      const { app, call } = await signIn({}, clock);
      await call('POST', '/Alerts/search', {});
      const ran = () => app.store.open('harborline').state.evaluations['svc-global-1']?.evaluatedAt;
      const first = ran() ?? 0;
      clock.advance(hour + offset);
      await call('POST', '/Alerts/search', {});
      return (ran() ?? 0) > first;
    },
    [false, true, true],
  ],
  [
    'letters of a chosen policy id',
    '16',
    async (offset) =>
      (await (await ready()).call('POST', '/Policies', { ...policyBody, policyId: 'x'.repeat(16 + offset) })).status,
    [201, 201, 400],
  ],
  [
    'digits of a chosen policy id',
    '8',
    async (offset) =>
      (await (await ready()).call('POST', '/Policies', { ...policyBody, policyId: `x-${'1'.repeat(8 + offset)}` }))
        .status,
    [201, 201, 400],
  ],
  [
    'enabled flag of an integration, at most',
    '1',
    async (offset) => {
      const { call } = await signIn();
      const record = { name: 'n', type: 'Webhook', enabled: 1 + offset, data: {} };
      return (await call('POST', '/AlertChannels', record)).status;
    },
    [201, 201, 400],
  ],
  [
    'upper boundary of between above the lower one',
    'larger than 5',
    async (offset) => {
      const filters = [{ field: 'uid', expression: 'between', values: [5, 5 + offset] }];
      const { status } = await (await signIn()).call('POST', '/Entities/Users/search', { filters });
      return status === 204 ? 200 : status;
    },
    [400, 400, 200],
  ],
  [
    'milliseconds a new integration has no state',
    '60,000',
    async (offset) => {
      const clock = createClock();
      const { call } = await signIn({}, clock);
      const record = { name: 'n', type: 'AzureCfg', enabled: 1, data: {} };
      const { intgGuid } = (await call('POST', '/CloudAccounts', record)).body.data;
      clock.advance(60_000 + offset);
      return (await call('GET', `/CloudAccounts/${intgGuid}`)).body.data.state?.ok ?? 'Pending';
    },
    ['Pending', true, true],
  ],
];

describe('every limit at n − 1, n and n + 1', () => {
  test.each(limits)('%s: %s', async (name, n, probe, expected) => {
    const seen = [await probe(-1), await probe(0), await probe(1)];
    expect(seen).toEqual(expected);
    lines.push(`  limit          ${name}, ${n}: ${seen.map(String).join(' / ')}`);
  });
});

test('the sixteenth expression is reserved', async () => {
  const { call } = await signIn();
  const filters = [{ field: 'uid', expression: 'expr', value: '1' }];
  expect((await call('POST', '/Entities/Users/search', { filters })).status).toBe(400);
  expect(filterExpressions).toHaveLength(16);
  lines.push('    1 value      filter expression expr, reserved: refused');
});

test('what follows a closed alert, an unknown path and a wrong method', async () => {
  const platform = await ready();
  const id = await alertId(platform);
  const close = () => platform.call('POST', `/Alerts/${id}/close`, { reason: 1 });
  expect([(await close()).status, (await close()).status]).toEqual([204, 409]);
  const unknown = await readAnswer(await platform.app.request('http://h/api/v1/Queries'));
  expect(unknown.status).toBe(404);
  expect((await platform.call('DELETE', '/Queries')).status).toBe(405);
  lines.push('  states         an alert closes once; 404 unknown path; 405 wrong method');
});
