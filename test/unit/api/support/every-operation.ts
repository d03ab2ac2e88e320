import type { ApiClient } from '../../../../server/api/client.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { collectPages } from '../../../../server/api/paging.ts';

/** What a call needs: the client that makes it. */
export interface Caller {
  readonly client: ApiClient;
}

type Calls = {
  readonly [Family in keyof typeof endpoints]: {
    readonly [Name in keyof (typeof endpoints)[Family]]: (bench: Caller) => Promise<unknown>;
  };
};

let count = 0;

const template = { name: 'Violation', eventName: 'Event', description: 'Text {{RESOURCE_ID}}', subject: 'Subject' };
/** What the integrations below hold of other systems: as secret as a key of our own. */
export const integrationSecrets = {
  webhook: 'https://hooks.acme.test/canary-4f9d21c07be8',
  external: 'canary-external-id-77ab90d2',
  password: 'canary-registry-password-90c1/+ef',
} as const;

const channel = {
  name: 'hook',
  type: 'Webhook',
  enabled: 1,
  data: { webhookUrl: integrationSecrets.webhook },
} as const;
const cloudAccount = {
  name: 'prod',
  type: 'AwsCfg',
  enabled: 1,
  data: {
    awsAccountId: '111122223333',
    crossAccountCredentials: {
      externalId: integrationSecrets.external,
      roleArn: 'arn:aws:iam::111122223333:role/audit',
    },
  },
} as const;
const registry = {
  name: 'images',
  type: 'ContVulnCfg',
  enabled: 1,
  data: {
    registryType: 'GHCR',
    registryDomain: 'ghcr.io',
    credentials: { username: 'u', password: integrationSecrets.password, ssl: true },
  },
} as const;
const text =
  '{ source { SVC_CFG_AWS_S3 } return distinct { ACCOUNT_ID, ACCOUNT_ALIAS, ARN as RESOURCE_KEY, RESOURCE_REGION } }';

const exportRule = { type: 'Dataexport', filters: { name: 'nightly', enabled: 1 }, intgGuidList: ['G'] };

const created = {
  async query({ client }: Caller) {
    return (
      await client.call(endpoints.queries.create, { body: { queryId: `Acme_Buckets_${++count}`, queryText: text } })
    ).data.queryId;
  },
  async policy(own: Caller) {
    const queryId = await created.query(own);
    const body = {
      policyId: `$account-buckets-${++count}`,
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
  async profile({ client }: Caller) {
    const list = await client.call(endpoints.alertProfiles.list);
    const parent = list.data.find((profile) => (profile.alerts?.length ?? 0) > 0)?.alertProfileId ?? 'none';
    const body = { alertProfileId: `Acme_Profile_${++count}`, extends: parent, alerts: [template] };
    return (await client.call(endpoints.alertProfiles.create, { body })).data.alertProfileId;
  },
  async exception(own: Caller) {
    const policyId = await created.policy(own);
    const body = { description: 'dev', constraints: [{ fieldKey: 'accountIds', fieldValues: ['111122223333'] }] };
    const { data } = await own.client.call(endpoints.exceptions.create, { query: { policyId }, body });
    return { policyId, exceptionId: data.exceptionId };
  },
  async alert({ client }: Caller) {
    const found = await client.call(endpoints.alerts.search, { body: {} });
    return String(found.data.find((alert) => alert.status === 'Open')?.alertId);
  },
  async agentToken({ client }: Caller) {
    const body = { tokenAlias: 'ops', tokenEnabled: '1' };
    return (await client.call(endpoints.agentAccessTokens.create, { body })).data.accessToken;
  },
  channel: async ({ client }: Caller) =>
    (await client.call(endpoints.alertChannels.create, { body: channel })).data.intgGuid,
  cloudAccount: async ({ client }: Caller) =>
    (await client.call(endpoints.cloudAccounts.create, { body: cloudAccount })).data.intgGuid,
  registry: async ({ client }: Caller) =>
    (await client.call(endpoints.containerRegistries.create, { body: registry })).data.intgGuid,
  exportRule: async (own: Caller) => {
    const body = { ...exportRule, intgGuidList: [await created.channel(own)] };
    return (await own.client.call(endpoints.dataExportRules.create, { body })).data.mcGuid ?? '';
  },
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
    search: ({ client }) => client.call(endpoints.datasources.search, { body: {} }),
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
    search: ({ client }) => client.call(endpoints.queries.search, { body: {} }),
  },
  policies: {
    list: ({ client }) => client.call(endpoints.policies.list),
    create: created.policy,
    updateMany: async (own) =>
      own.client.call(endpoints.policies.updateMany, {
        body: [{ policyId: await created.policy(own), enabled: true }],
      }),
    listTags: ({ client }) => client.call(endpoints.policies.listTags),
    search: ({ client }) => client.call(endpoints.policies.search, { body: {} }),
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
    list: ({ client }) => collectPages(client.pages(endpoints.alerts.list)),
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
    delete: async (own) =>
      own.client.call(endpoints.alertChannels.delete, { params: { intgGuid: await created.channel(own) } }),
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
    create: created.exportRule,
    list: ({ client }) => client.call(endpoints.dataExportRules.list),
    search: ({ client }) => client.call(endpoints.dataExportRules.search),
    get: async (own) =>
      own.client.call(endpoints.dataExportRules.get, { params: { mcGuid: await created.exportRule(own) } }),
    update: async (own) =>
      own.client.call(endpoints.dataExportRules.update, {
        params: { mcGuid: await created.exportRule(own) },
        body: { filters: { name: 'weekly', enabled: 0 } },
      }),
    replace: async (own) =>
      own.client.call(endpoints.dataExportRules.replace, {
        params: { mcGuid: await created.exportRule(own) },
        body: exportRule,
      }),
    delete: async (own) =>
      own.client.call(endpoints.dataExportRules.delete, { params: { mcGuid: await created.exportRule(own) } }),
  },
  inventoryScans: {
    start: ({ client }) => client.call(endpoints.inventoryScans.start, { query: { csp: 'AWS' } }),
    get: ({ client }) => client.call(endpoints.inventoryScans.get, { query: { csp: 'AWS' } }),
  },
};

/** One good call of every operation, with what it needs made before it. Objects get names that are not used twice. */
export const everyCall = Object.entries(calls).flatMap(([family, members]) =>
  Object.entries(members as Readonly<Record<string, (own: Caller) => Promise<unknown>>>).map(([name, call]) => ({
    id: `${family}.${name}`,
    call,
  })),
);
