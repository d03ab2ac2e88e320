import fc from 'fast-check';
import { Check, Errors } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyEndpoint, parameterNames } from '../../../../server/api/endpoint.ts';
import { allEndpoints } from '../../../../server/api/endpoints/index.ts';
import { writeExact } from '../../../../server/api/transport/json.ts';
import { ErrorBody } from '../../../../server/core/resources/index.ts';
import { policyBody } from '../bodies.ts';
import { type Answer, createClock, noon, readAnswer, type SignedIn, signIn } from '../signed-in.ts';
import { fitting, type Pool, spoiled } from './from-schema.ts';

const total = process.env['DEEP'] ? 24_000 : 4_000;
const each = Math.ceil(total / allEndpoints.length);
const seed = Number(process.env['SEED'] ?? 20_310_402);

const queryText =
  "{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_ID like '%exports' } return distinct { ARN as RESOURCE_KEY, ACCOUNT_ID } }";
const iso = (time: number) => new Date(time).toISOString();

interface Tally {
  success: number;
  refused: number;
}

const tallies = new Map<AnyEndpoint, Tally>();
let platform: SignedIn;
let pool: Pool;

beforeAll(async () => {
  platform = await signIn({}, createClock());
  pool = await fill(platform);
}, 120_000);

afterAll(() => {
  const rows = [...tallies].map(
    ([endpoint, tally]) =>
      `  ${String(tally.success).padStart(5)} ${String(tally.refused).padStart(5)}  ${endpoint.method} ${endpoint.path}`,
  );
  const sum = [...tallies.values()].reduce((count, tally) => count + tally.success + tally.refused, 0);
  console.log(
    `operations of the service, answered well / refused with a reason (seed ${seed}):\n${rows.join('\n')}\n  ${rows.length} operations, ${sum} generated requests, 0 unplanned 5xx`,
  );
});

/** One of everything, so that requests find what they name. */
async function fill({ app, call }: SignedIn): Promise<Pool> {
  const create = async (path: string, body: object): Promise<{ [key: string]: string }> => {
    const { status, body: answer } = await call('POST', path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  await create('/Queries', { queryId: 'Known_Query', queryText });
  await create('/AlertProfiles', {
    alertProfileId: 'Known_Profile',
    extends: 'SVC_CFG_AWS_DEFAULT_PROFILE',
    alerts: [{ name: 'Known_Template', eventName: 'e', description: 'd', subject: 's' }],
  });
  const policy = { ...policyBody, queryId: 'Known_Query' };
  await create('/Policies', { ...policy, policyId: 'known-1' });
  const exception = await create('/Exceptions?policyId=harborline-known-1', {
    constraints: [{ fieldKey: 'accountIds', fieldValues: ['1'] }],
  });
  const token = await create('/AgentAccessTokens', { tokenAlias: 'a', tokenEnabled: '1' });
  const guids: string[] = [];
  for (const [path, type] of [
    ['/AlertChannels', 'Webhook'],
    ['/CloudAccounts', 'AzureCfg'],
    ['/ContainerRegistries', 'ContVulnCfg'],
  ] as const) {
    guids.push((await create(path, { name: 'n', type, enabled: 1, data: { registryType: 'GHCR' } }))['intgGuid'] ?? '');
  }
  const rule = await create('/DataExportRules', { type: 'Dataexport', filters: { name: 'n' }, intgGuidList: guids });
  const alerts = (await call('POST', '/Alerts/search', {})).body.data.map((alert: { alertId: number }) =>
    String(alert.alertId),
  );
  const times = [iso(noon - 86_400_000), iso(noon - 3_600_000), '2031-04-01', '2031-04-01T12', '2031-04-02T11:00:00Z'];
  const pools: { readonly [name: string]: readonly string[] } = {
    keyId: [app.key.keyId],
    queryId: ['Known_Query', 'Spare_Query', 'SVC_Global_AWS_CFG_RDS_Public'],
    queryText: [queryText, '{ source { CloudTrailRawEvents } return { INSERT_ID } }'],
    policyId: ['harborline-known-1', 'svc-global-1', 'fresh-1'],
    policyType: ['Violation'],
    alertProfileId: ['Known_Profile', 'Spare_Profile', 'SVC_HE_Machines'],
    extends: ['SVC_CFG_AWS_DEFAULT_PROFILE', 'Known_Profile'],
    alertProfile: ['Known_Profile.Known_Template', 'SVC_HE_Machines'],
    alertTemplateName: ['Known_Template'],
    exceptionId: [exception['exceptionId'] ?? ''],
    expiryTime: times,
    fieldKey: ['accountIds', 'arns'],
    id: [token['accessToken'] ?? ''],
    intgGuid: guids,
    mcGuid: [rule['mcGuid'] ?? ''],
    policyGuids: ['svc-global-1'],
    alertId: alerts,
    datasource: ['CloudTrailRawEvents', 'SVC_CFG_AWS_S3'],
    type: ['Alerts', 'Entities', 'AlertChannels', 'Webhook', 'AzureCfg', 'ContVulnCfg'],
    subtype: ['Users', 'SlackChannel', 'GHCR'],
    startTime: times,
    endTime: [iso(noon), iso(noon - 60_000)],
    field: ['mid', 'severity', 'name', 'status', 'resource', 'tokenAlias', 'eventName'],
    returns: ['mid', 'name', 'status', 'alertId', 'tokenAlias', 'createdTime'],
    name: ['StartTimeRange', 'EndTimeRange', 'Known_Template', 'some name'],
    value: [iso(noon - 3_600_000), iso(noon), '5'],
    fieldValues: ['1', '*'],
    csp: ['AWS', 'Azure', 'GCP'],
    tenantId: ['5f2c1a8e-0d4b-4c53-9a61-7d0be1f3a902'],
    orgId: ['408122906347'],
  };
  return (name) => pools[name];
}

interface Generated {
  readonly path: string;
  readonly body: string | undefined;
}

function requestsFor(endpoint: AnyEndpoint): fc.Arbitrary<Generated> {
  const params = fc.record(
    Object.fromEntries(
      parameterNames(endpoint.path).map((name) => [
        name,
        fitting(endpoint.params[name] ?? { type: 'string', minLength: 1 }, pool, name),
      ]),
    ),
  );
  const required = Object.entries(endpoint.query)
    .filter(([, schema]) => !('~optional' in schema))
    .map(([name]) => name);
  const query = fc.record(
    Object.fromEntries(Object.entries(endpoint.query).map(([name, schema]) => [name, fitting(schema, pool, name)])),
    { requiredKeys: required },
  );
  const good = endpoint.body === undefined ? fc.constant(undefined) : fitting(endpoint.body, pool);
  const body =
    endpoint.body === undefined
      ? good
      : fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: spoiled(good) });
  const torn = fc.constantFrom('{', '[1,', 'null', '"text"', '\u0000');
  return fc.tuple(params, query, body, torn, fc.nat(30)).map(([values, search, content, broken, chance]) => {
    const path = endpoint.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => encodeURIComponent(String(values[name])) || 'x',
    );
    const behind = new URLSearchParams(
      Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    const text = content === undefined ? undefined : chance === 0 ? broken : JSON.stringify(content);
    return { path: behind === '' ? path : `${path}?${behind}`, body: text };
  });
}

async function send(endpoint: AnyEndpoint, { path, body }: Generated): Promise<Answer> {
  if (endpoint.headers !== 'token') return platform.call(endpoint.method, path, body);
  const headers = { 'Content-Type': 'application/json', 'X-SVC-UAKS': platform.app.key.secret };
  return readAnswer(
    await platform.app.request(`http://platform.test/api/v2${path}`, { method: 'POST', headers, body: body ?? '' }),
  );
}

/** JSON Schema knows no bigint: for the check, integers are what JSON.parse makes of them. */
function plain(body: unknown): unknown {
  return JSON.parse(writeExact(body));
}

const refusals = new Set([400, 401, 403, 404, 409]);

function judge(endpoint: AnyEndpoint, request: Generated, { status, body }: Answer): void {
  const about = () =>
    `${endpoint.method} ${request.path} ${request.body ?? ''} -> ${status} ${writeExact(body)?.slice(0, 300)}`;
  const tally = tallies.get(endpoint) ?? { success: 0, refused: 0 };
  tallies.set(endpoint, tally);
  if (status === endpoint.success || (status === 204 && endpoint.emptyAs204)) {
    tally.success++;
    if (status === 204) expect(body, about()).toBeUndefined();
    else if (endpoint.response !== undefined && !Check(endpoint.response, plain(body))) {
      expect.fail(`${about()}\n${JSON.stringify(Errors(endpoint.response, plain(body)).slice(0, 3))}`);
    }
    return;
  }
  tally.refused++;
  if (!refusals.has(status)) expect.fail(about());
  if (!Check(ErrorBody, body)) expect.fail(about());
  expect((body as { message: string }).message.length, about()).toBeGreaterThan(5);
}

describe('generated requests are answered within the contract', () => {
  test.each(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      if (endpoint.id === 'alertChannels.test') {
        // The test of a channel that an earlier request disabled is refused.
        const enabled = { name: 'n', type: 'Webhook', enabled: 1, data: {} };
        const { status } = await platform.call('PUT', `/AlertChannels/${pool('intgGuid')?.[0]}`, enabled);
        expect(status).toBe(200);
      }
      if (endpoint.method === 'DELETE' || endpoint.id === 'alerts.close') await destroy(endpoint);
      else {
        const property = fc.asyncProperty(requestsFor(endpoint), async (request) =>
          judge(endpoint, request, await send(endpoint, request)),
        );
        await fc.assert(property, { numRuns: each, seed });
      }
      expect(tallies.get(endpoint)?.success, 'no request was answered well').toBeGreaterThan(0);
    },
    600_000,
  );
});

/** Requests that take something away: after each that did, the platform is filled anew, under new ids. */
async function destroy(endpoint: AnyEndpoint): Promise<void> {
  for (let run = 0; run < each; run++) {
    const [request] = fc.sample(requestsFor(endpoint), { numRuns: 1, seed: seed + run });
    if (request === undefined) continue;
    const answer = await send(endpoint, request);
    judge(endpoint, request, answer);
    if (answer.status === 204 && (endpoint.id === 'alerts.close' || (await missing()))) {
      platform = await signIn({}, createClock());
      pool = await fill(platform);
    }
  }
}

async function missing(): Promise<boolean> {
  for (const path of [
    '/Queries/Known_Query',
    '/Queries/Spare_Query',
    '/Policies/harborline-known-1',
    '/AlertProfiles/Known_Profile',
    '/AlertProfiles/Spare_Profile',
    `/AlertChannels/${pool('intgGuid')?.[0]}`,
    `/CloudAccounts/${pool('intgGuid')?.[1]}`,
    `/DataExportRules/${pool('mcGuid')?.[0]}`,
    `/ContainerRegistries/${pool('intgGuid')?.[2]}`,
    `/Exceptions/${pool('exceptionId')?.[0]}?policyId=harborline-known-1`,
  ]) {
    if ((await platform.call('GET', path)).status !== 200) return true;
  }
  return !(await platform.call('GET', '/AlertProfiles/Known_Profile')).body.data.alerts.some(
    (template: { name: string }) => template.name === 'Known_Template',
  );
}
