import { describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../server/api/client.ts';
import type { AnyEndpoint } from '../../../server/api/endpoint.ts';
import { allEndpoints, endpoints } from '../../../server/api/endpoints/index.ts';
import { collectPages } from '../../../server/api/paging.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { createPlatformApp, type PlatformApp } from '../../../server/platform/index.ts';

interface Bench {
  readonly app: PlatformApp;
  readonly client: ApiClient;
}

function bench(): Bench {
  const app = createPlatformApp({ rateLimit: false });
  const client = createApiClient({
    origin: 'http://127.0.0.1',
    vendorPrefix: 'SVC',
    keyId: app.key.keyId,
    secret: createSecret(app.key.secret),
    transport: createFetchTransport((url, init) => app.request(new Request(url, init))),
    random: () => 0,
  });
  return { app, client };
}

type Calls = {
  readonly [Family in keyof typeof endpoints]: {
    readonly [Name in keyof (typeof endpoints)[Family]]: (bench: Bench) => Promise<unknown>;
  };
};

const template = { name: 'Violation', eventName: 'Event', description: 'Text {{RESOURCE_ID}}', subject: 'Subject' };
const channel = {
  name: 'hook',
  type: 'Webhook',
  enabled: 1,
  data: { webhookUrl: 'https://hooks.acme.test/x' },
} as const;
const cloudAccount = {
  name: 'prod',
  type: 'AwsCfg',
  enabled: 1,
  data: {
    awsAccountId: '111122223333',
    crossAccountCredentials: { externalId: 'x', roleArn: 'arn:aws:iam::111122223333:role/audit' },
  },
} as const;
const registry = {
  name: 'images',
  type: 'ContVulnCfg',
  enabled: 1,
  data: { registryType: 'GHCR', registryDomain: 'ghcr.io', credentials: { username: 'u', password: 'p', ssl: true } },
} as const;
const text =
  '{ source { SVC_CFG_AWS_S3 } return distinct { ACCOUNT_ID, ACCOUNT_ALIAS, ARN as RESOURCE_KEY, RESOURCE_REGION } }';

const created = {
  async query({ client }: Bench) {
    return (await client.call(endpoints.queries.create, { body: { queryId: 'Acme_Buckets', queryText: text } })).data
      .queryId;
  },
  async policy(own: Bench) {
    const queryId = await created.query(own);
    const body = {
      policyId: '$account-buckets-1',
      queryId,
      title: 'T',
      enabled: false,
      description: 'D',
      remediation: 'R',
      severity: 'low',
      alertEnabled: false,
    } as const;
    return (await own.client.call(endpoints.policies.create, { body })).data.policyId;
  },
  async profile({ client }: Bench) {
    const list = await client.call(endpoints.alertProfiles.list);
    const parent = list.data.find((profile) => (profile.alerts?.length ?? 0) > 0)?.alertProfileId ?? 'none';
    const body = { alertProfileId: 'Acme_Profile', extends: parent, alerts: [template] };
    return (await client.call(endpoints.alertProfiles.create, { body })).data.alertProfileId;
  },
  async exception(own: Bench) {
    const policyId = await created.policy(own);
    const body = { description: 'dev', constraints: [{ fieldKey: 'accountIds', fieldValues: ['111122223333'] }] };
    const { data } = await own.client.call(endpoints.exceptions.create, { query: { policyId }, body });
    return { policyId, exceptionId: data.exceptionId };
  },
  async alert({ client }: Bench) {
    const found = await client.call(endpoints.alerts.search, { body: {} });
    return String(found.data.find((alert) => alert.status === 'Open')?.alertId);
  },
  async agentToken({ client }: Bench) {
    const body = { tokenAlias: 'ops', tokenEnabled: '1' };
    return (await client.call(endpoints.agentAccessTokens.create, { body })).data.accessToken;
  },
  channel: async ({ client }: Bench) =>
    (await client.call(endpoints.alertChannels.create, { body: channel })).data.intgGuid,
  cloudAccount: async ({ client }: Bench) =>
    (await client.call(endpoints.cloudAccounts.create, { body: cloudAccount })).data.intgGuid,
  registry: async ({ client }: Bench) =>
    (await client.call(endpoints.containerRegistries.create, { body: registry })).data.intgGuid,
};

// One good call of every operation. The type makes it complete.
const calls: Calls = {
  tokens: { create: ({ client }) => client.authenticate() },
  schemas: {
    listTypes: ({ client }) => client.call(endpoints.schemas.listTypes),
    get: ({ client }) => client.call(endpoints.schemas.get, { params: { type: 'AlertChannels' } }),
    getSubtype: ({ client }) =>
      client.call(endpoints.schemas.getSubtype, { params: { type: 'Entities', subtype: 'Machines' } }),
  },
  datasources: {
    list: ({ client }) => client.call(endpoints.datasources.list),
    get: ({ client }) => client.call(endpoints.datasources.get, { params: { datasource: 'SVC_HE_MACHINES' } }),
  },
  queries: {
    list: ({ client }) => client.call(endpoints.queries.list),
    create: created.query,
    get: async (own) => own.client.call(endpoints.queries.get, { params: { queryId: await created.query(own) } }),
    update: async (own) =>
      own.client.call(endpoints.queries.update, {
        params: { queryId: await created.query(own) },
        body: { queryText: text },
      }),
    delete: async (own) => own.client.call(endpoints.queries.delete, { params: { queryId: await created.query(own) } }),
    validate: ({ client }) => client.call(endpoints.queries.validate, { body: { queryText: text } }),
    execute: ({ client }) => client.call(endpoints.queries.execute, { body: { query: { queryText: text } } }),
    executeById: async (own) =>
      own.client.call(endpoints.queries.executeById, { params: { queryId: await created.query(own) } }),
  },
  policies: {
    list: ({ client }) => client.call(endpoints.policies.list),
    create: created.policy,
    updateMany: async (own) =>
      own.client.call(endpoints.policies.updateMany, {
        body: [{ policyId: await created.policy(own), enabled: true }],
      }),
    listTags: ({ client }) => client.call(endpoints.policies.listTags),
    get: async (own) => own.client.call(endpoints.policies.get, { params: { policyId: await created.policy(own) } }),
    update: async (own) =>
      own.client.call(endpoints.policies.update, {
        params: { policyId: await created.policy(own) },
        body: { title: 'New' },
      }),
    delete: async (own) =>
      own.client.call(endpoints.policies.delete, { params: { policyId: await created.policy(own) } }),
  },
  alertProfiles: {
    list: ({ client }) => client.call(endpoints.alertProfiles.list),
    create: created.profile,
    get: async (own) =>
      own.client.call(endpoints.alertProfiles.get, { params: { alertProfileId: await created.profile(own) } }),
    update: async (own) =>
      own.client.call(endpoints.alertProfiles.update, {
        params: { alertProfileId: await created.profile(own) },
        body: { alerts: [template] },
      }),
    delete: async (own) =>
      own.client.call(endpoints.alertProfiles.delete, { params: { alertProfileId: await created.profile(own) } }),
    createTemplate: async (own) =>
      own.client.call(endpoints.alertProfiles.createTemplate, {
        params: { alertProfileId: await created.profile(own) },
        body: { ...template, name: 'Another' },
      }),
    updateTemplate: async (own) =>
      own.client.call(endpoints.alertProfiles.updateTemplate, {
        params: { alertProfileId: await created.profile(own), alertTemplateName: template.name },
        body: { subject: 'New' },
      }),
    deleteTemplate: async (own) =>
      own.client.call(endpoints.alertProfiles.deleteTemplate, {
        params: { alertProfileId: await created.profile(own), alertTemplateName: template.name },
      }),
  },
  exceptions: {
    create: created.exception,
    list: async (own) => {
      const { policyId } = await created.exception(own);
      return own.client.call(endpoints.exceptions.list, { query: { policyId } });
    },
    get: async (own) => {
      const { policyId, exceptionId } = await created.exception(own);
      return own.client.call(endpoints.exceptions.get, { params: { exceptionId }, query: { policyId } });
    },
    update: async (own) => {
      const { policyId, exceptionId } = await created.exception(own);
      return own.client.call(endpoints.exceptions.update, {
        params: { exceptionId },
        query: { policyId },
        body: { description: 'x' },
      });
    },
    delete: async (own) => {
      const { policyId, exceptionId } = await created.exception(own);
      return own.client.call(endpoints.exceptions.delete, { params: { exceptionId }, query: { policyId } });
    },
  },
  searches: {
    changedFiles: ({ client }) => collectPages(client.pages(endpoints.searches.changedFiles)),
    connections: ({ client }) => collectPages(client.pages(endpoints.searches.connections)),
    dns: ({ client }) => collectPages(client.pages(endpoints.searches.dns)),
    userLogins: ({ client }) => collectPages(client.pages(endpoints.searches.userLogins)),
    agentInfo: ({ client }) => collectPages(client.pages(endpoints.searches.agentInfo)),
    images: ({ client }) => collectPages(client.pages(endpoints.searches.images)),
    internalIpAddresses: ({ client }) => collectPages(client.pages(endpoints.searches.internalIpAddresses)),
    k8sPods: ({ client }) => collectPages(client.pages(endpoints.searches.k8sPods)),
    machines: ({ client }) => collectPages(client.pages(endpoints.searches.machines)),
    machineDetails: ({ client }) => collectPages(client.pages(endpoints.searches.machineDetails)),
    networkInterfaces: ({ client }) => collectPages(client.pages(endpoints.searches.networkInterfaces)),
    newFileHashes: ({ client }) => collectPages(client.pages(endpoints.searches.newFileHashes)),
    packages: ({ client }) => collectPages(client.pages(endpoints.searches.packages)),
    processes: ({ client }) => collectPages(client.pages(endpoints.searches.processes)),
    users: ({ client }) => collectPages(client.pages(endpoints.searches.users)),
    events: ({ client }) => collectPages(client.pages(endpoints.searches.events)),
    complianceEvaluations: ({ client }) =>
      collectPages(client.pages(endpoints.searches.complianceEvaluations, { body: { dataset: 'AwsCompliance' } })),
    inventory: ({ client }) => collectPages(client.pages(endpoints.searches.inventory, { body: { csp: 'AWS' } })),
    containerVulnerabilities: ({ client }) => collectPages(client.pages(endpoints.searches.containerVulnerabilities)),
  },
  alerts: {
    search: ({ client }) => collectPages(client.pages(endpoints.alerts.search)),
    get: async (own) =>
      own.client.call(endpoints.alerts.get, {
        params: { alertId: await created.alert(own) },
        query: { scope: 'Details' },
      }),
    comment: async (own) =>
      own.client.call(endpoints.alerts.comment, {
        params: { alertId: await created.alert(own) },
        body: { comment: 'looking' },
      }),
    close: async (own) =>
      own.client.call(endpoints.alerts.close, { params: { alertId: await created.alert(own) }, body: { reason: 1 } }),
  },
  auditLogs: {
    list: ({ client }) => client.call(endpoints.auditLogs.list),
    search: ({ client }) => client.call(endpoints.auditLogs.search),
  },
  cloudActivities: {
    list: ({ client }) => collectPages(client.pages(endpoints.cloudActivities.list)),
    search: ({ client }) => collectPages(client.pages(endpoints.cloudActivities.search)),
  },
  agentAccessTokens: {
    create: created.agentToken,
    list: ({ client }) => client.call(endpoints.agentAccessTokens.list),
    search: ({ client }) => client.call(endpoints.agentAccessTokens.search),
    get: async (own) =>
      own.client.call(endpoints.agentAccessTokens.get, { params: { id: await created.agentToken(own) } }),
    update: async (own) =>
      own.client.call(endpoints.agentAccessTokens.update, {
        params: { id: await created.agentToken(own) },
        body: { tokenEnabled: '0' },
      }),
  },
  alertChannels: {
    create: created.channel,
    list: ({ client }) => client.call(endpoints.alertChannels.list),
    listByType: ({ client }) => client.call(endpoints.alertChannels.listByType, { params: { type: 'Webhook' } }),
    search: ({ client }) => client.call(endpoints.alertChannels.search),
    get: async (own) =>
      own.client.call(endpoints.alertChannels.get, { params: { intgGuid: await created.channel(own) } }),
    update: async (own) =>
      own.client.call(endpoints.alertChannels.update, {
        params: { intgGuid: await created.channel(own) },
        body: { enabled: 0 },
      }),
    replace: async (own) =>
      own.client.call(endpoints.alertChannels.replace, {
        params: { intgGuid: await created.channel(own) },
        body: channel,
      }),
    test: async (own) =>
      own.client.call(endpoints.alertChannels.test, { params: { intgGuid: await created.channel(own) } }),
  },
  cloudAccounts: {
    create: created.cloudAccount,
    list: ({ client }) => client.call(endpoints.cloudAccounts.list),
    listByType: ({ client }) => client.call(endpoints.cloudAccounts.listByType, { params: { type: 'AwsCfg' } }),
    search: ({ client }) => client.call(endpoints.cloudAccounts.search),
    get: async (own) =>
      own.client.call(endpoints.cloudAccounts.get, { params: { intgGuid: await created.cloudAccount(own) } }),
    update: async (own) =>
      own.client.call(endpoints.cloudAccounts.update, {
        params: { intgGuid: await created.cloudAccount(own) },
        body: { enabled: 0 },
      }),
    replace: async (own) =>
      own.client.call(endpoints.cloudAccounts.replace, {
        params: { intgGuid: await created.cloudAccount(own) },
        body: cloudAccount,
      }),
    delete: async (own) =>
      own.client.call(endpoints.cloudAccounts.delete, { params: { intgGuid: await created.cloudAccount(own) } }),
  },
  containerRegistries: {
    create: created.registry,
    list: ({ client }) => client.call(endpoints.containerRegistries.list),
    listBySubtype: ({ client }) =>
      client.call(endpoints.containerRegistries.listBySubtype, { params: { type: 'ContVulnCfg', subtype: 'GHCR' } }),
    search: ({ client }) => client.call(endpoints.containerRegistries.search),
    get: async (own) =>
      own.client.call(endpoints.containerRegistries.get, { params: { intgGuid: await created.registry(own) } }),
    update: async (own) =>
      own.client.call(endpoints.containerRegistries.update, {
        params: { intgGuid: await created.registry(own) },
        body: { enabled: 0 },
      }),
    delete: async (own) =>
      own.client.call(endpoints.containerRegistries.delete, { params: { intgGuid: await created.registry(own) } }),
    mapPolicies: async (own) =>
      own.client.call(endpoints.containerRegistries.mapPolicies, {
        params: { intgGuid: await created.registry(own) },
        body: { evaluate: true },
      }),
  },
  configs: {
    azureSubscriptions: ({ client }) => client.call(endpoints.configs.azureSubscriptions),
    gcpProjects: ({ client }) => client.call(endpoints.configs.gcpProjects),
  },
  account: {
    contractInfo: ({ client }) => client.call(endpoints.account.contractInfo),
    organizationInfo: ({ client }) => client.call(endpoints.account.organizationInfo),
  },
  dataExportRules: {
    create: async (own) =>
      own.client.call(endpoints.dataExportRules.create, {
        body: {
          type: 'Dataexport',
          filters: { name: 'nightly', enabled: 1 },
          intgGuidList: [await created.channel(own)],
        },
      }),
  },
  inventoryScans: {
    start: ({ client }) => client.call(endpoints.inventoryScans.start, { query: { csp: 'AWS' } }),
    get: ({ client }) => client.call(endpoints.inventoryScans.get, { query: { csp: 'AWS' } }),
  },
};

const flatCalls = Object.entries(calls).flatMap(([family, members]) =>
  Object.entries(members as Readonly<Record<string, (own: Bench) => Promise<unknown>>>).map(([name, call]) => ({
    id: `${family}.${name}`,
    call,
  })),
);

describe('every operation, against the local platform', () => {
  const rows = new Map<string, { validated: boolean; called: boolean; mapped: boolean }>();

  it.each(flatCalls)('$id', async ({ id, call }) => {
    const endpoint = allEndpoints.find((candidate) => candidate.id === id) as AnyEndpoint;
    const row = { validated: false, called: false, mapped: false };
    rows.set(id, row);

    const own = bench();
    await own.client.authenticate();
    await call(own);
    row.called = true;
    row.validated = await isRefused(own, endpoint);

    const faulty = bench();
    const failure = { kind: 'status', status: 403, message: 'not you' } as const;
    if (endpoint.headers !== 'token') await faulty.client.authenticate();
    // Only the operation itself fails, not what prepares for it.
    const path = `/api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, '*')}`;
    faulty.app.faults.add({ match: `${endpoint.method} ${path}`, times: 99, action: failure });
    const error = await call(faulty).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    const { status, message, action } = error as ApiError;
    row.mapped = status === 403 && message.includes('not you') && action.includes('permission');
    expect(row).toEqual({ validated: true, called: true, mapped: true });
  });

  it('is covered, and the table says so', () => {
    const yes = (value: boolean | undefined) => (value === undefined ? ' – ' : value ? 'yes' : 'NO ');
    const lines = allEndpoints.map(({ id, method, path, source }) => {
      const row = rows.get(id);
      const cells = [row?.validated, row?.called, row?.mapped].map(yes).join('    ');
      return `${id.padEnd(36)} ${source.padEnd(14)} yes    ${cells}   ${method} ${path}`;
    });
    const head = `${'operation'.padEnd(36)} ${'source'.padEnd(14)} typed  valid  called error`;
    const specified = allEndpoints.filter((endpoint) => endpoint.source === 'specification').length;
    console.info([head, ...lines].join('\n'));
    console.info(`${allEndpoints.length} operations, ${specified} of the specification; ${rows.size} called`);
    expect(specified).toBe(85);
    expect(flatCalls.map(({ id }) => id).sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
    expect([...rows.keys()].sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
    expect([...rows.values()].every((row) => row.validated && row.called && row.mapped)).toBe(true);
  });
});

/** Whether a call that cannot be right is refused: by the client before it is sent, and, around the client, by the platform. */
async function isRefused({ app, client }: Bench, endpoint: AnyEndpoint): Promise<boolean> {
  const untyped = client.call as (called: AnyEndpoint, callArguments: unknown) => Promise<unknown>;
  const extra = await untyped(endpoint, endpoint.body === undefined ? { body: {} } : { body: { noSuchKey: 1 } }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const byClient = extra instanceof ApiError && extra.failure.kind === 'invalid-call';
  if (endpoint.body === undefined) return byClient;
  const secretHeader = { 'X-SVC-UAKS': app.key.secret, 'Content-Type': 'application/json' };
  const answer = await app.request('http://127.0.0.1/api/v2/access/tokens', {
    method: 'POST',
    headers: secretHeader,
    body: JSON.stringify({ keyId: app.key.keyId, expiryTime: 60 }),
  });
  const { token } = (await answer.json()) as { token: string };
  const path = `/api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, 'Nothing_Such')}`;
  const authorization = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await app.request(`http://127.0.0.1${path}`, {
    method: endpoint.method,
    headers: endpoint.headers === 'token' ? secretHeader : authorization,
    body: JSON.stringify({ noSuchKey: 1 }),
  });
  const body = (await response.json()) as { message?: unknown };
  return byClient && response.status >= 400 && response.status < 500 && typeof body.message === 'string';
}
