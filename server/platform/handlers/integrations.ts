import { randomBytes } from 'node:crypto';
import type { Handlers } from '../../api/endpoints/index.ts';
import { endpoints } from '../../api/endpoints/index.ts';
import { isRecord } from '../../core/is-record.ts';
import { type IntegrationRecord, type SearchFilter, statelessRegistrySubtypes } from '../../core/resources/index.ts';
import { commit, type RequestContext } from '../context.ts';
import type { SearchRecord } from '../search/filters.ts';
import { recordFields, search } from '../search/search.ts';
import { badRequest, notFound } from '../service-error.ts';
import { requirePolicy } from './policy-records.ts';

type Family = 'alertChannels' | 'cloudAccounts' | 'containerRegistries';

interface IntegrationWrite {
  readonly name: string;
  readonly type: string;
  readonly enabled: number;
  readonly data: { readonly [key: string]: unknown };
}

/** A new integration is looked at for this long before its state is known. */
const pendingTime = 60_000;

const titles: { readonly [F in Family]: string } = {
  alertChannels: 'Alert channel',
  cloudAccounts: 'Cloud account',
  containerRegistries: 'Container registry',
};

/** The handlers that the three families of integrations share. */
function integrationHandlers(family: Family) {
  const stored = (context: RequestContext) => context.account.state[family];
  const require = (context: RequestContext, intgGuid: string): IntegrationRecord => {
    const record = Object.hasOwn(stored(context), intgGuid) ? stored(context)[intgGuid] : undefined;
    if (record === undefined) throw notFound('Not found');
    return record;
  };
  const all = (context: RequestContext) => Object.values(stored(context)).map((record) => answered(record, context));
  const write = (context: RequestContext, intgGuid: string, body: IntegrationWrite): IntegrationRecord => {
    checkData(body.type, body.data);
    const record: IntegrationRecord = {
      intgGuid,
      name: body.name,
      type: body.type,
      enabled: body.enabled,
      isOrg: 0,
      data: withoutSecrets(body.data),
      props: { ...Object.assign({ tags: null }, stored(context)[intgGuid]?.props) },
      createdOrUpdatedBy: context.user,
      createdOrUpdatedTime: new Date(context.now).toISOString(),
    };
    stored(context)[intgGuid] = record;
    return record;
  };
  return {
    require,
    create({ body }: { readonly body: IntegrationWrite }, context: RequestContext) {
      const intgGuid = `${context.account.name.toUpperCase().replaceAll('-', '')}_${randomBytes(24).toString('hex').toUpperCase()}`;
      const record = write(context, intgGuid, body);
      commit(context, titles[family], 'CREATE', `${titles[family]} ${body.name} was created.`);
      return { data: answered(record, context) };
    },
    list: (_: unknown, context: RequestContext) => ({ data: all(context) }),
    listByType: ({ params }: { readonly params: { readonly type: string } }, context: RequestContext) => ({
      data: all(context).filter((record) => record.type === params.type),
    }),
    async search(
      { body }: { readonly body: { readonly filters?: readonly SearchFilter[]; readonly returns?: readonly string[] } },
      context: RequestContext,
    ) {
      const records = all(context) as unknown as SearchRecord[];
      return {
        data: (await search(
          records,
          body,
          recordFields(endpoints[family].search),
          context,
        )) as Partial<IntegrationRecord>[],
      };
    },
    get: ({ params }: { readonly params: { readonly intgGuid: string } }, context: RequestContext) => ({
      data: answered(require(context, params.intgGuid), context),
    }),
    update(
      { params, body }: { readonly params: { readonly intgGuid: string }; readonly body: Partial<IntegrationWrite> },
      context: RequestContext,
    ) {
      const before = require(context, params.intgGuid);
      const merged = {
        name: before.name,
        type: before.type,
        enabled: before.enabled,
        data: before.data ?? {},
        ...body,
      };
      const record = write(context, params.intgGuid, merged);
      commit(context, titles[family], 'UPDATE', `${titles[family]} ${record.name} was changed.`);
      return { data: answered(record, context) };
    },
    replace(
      { params, body }: { readonly params: { readonly intgGuid: string }; readonly body: IntegrationWrite },
      context: RequestContext,
    ) {
      require(context, params.intgGuid);
      const record = write(context, params.intgGuid, body);
      commit(context, titles[family], 'UPDATE', `${titles[family]} ${record.name} was replaced.`);
      return { data: answered(record, context) };
    },
    delete({ params }: { readonly params: { readonly intgGuid: string } }, context: RequestContext): undefined {
      const { name } = require(context, params.intgGuid);
      delete stored(context)[params.intgGuid];
      commit(context, titles[family], 'DELETE', `${titles[family]} ${name} was deleted.`);
      return undefined;
    },
  };
}

const channels = integrationHandlers('alertChannels');
const clouds = integrationHandlers('cloudAccounts');
const registries = integrationHandlers('containerRegistries');

export const alertChannelHandlers: Handlers<RequestContext>['alertChannels'] = {
  create: channels.create,
  list: channels.list,
  listByType: channels.listByType,
  search: channels.search,
  get: channels.get,
  update: channels.update,
  replace: channels.replace,
  delete: channels.delete,
  test({ params }, context) {
    const channel = channels.require(context, params.intgGuid);
    if (channel.enabled !== 1)
      throw badRequest(`The alert channel ${channel.name} is disabled. Enable it, then test it.`);
    return undefined;
  },
};

export const cloudAccountHandlers: Handlers<RequestContext>['cloudAccounts'] = {
  create: clouds.create,
  list: clouds.list,
  listByType: clouds.listByType,
  search: clouds.search,
  get: clouds.get,
  update: clouds.update,
  replace: clouds.replace,
  delete: clouds.delete,
};

export const containerRegistryHandlers: Handlers<RequestContext>['containerRegistries'] = {
  create: registries.create,
  list: registries.list,
  listBySubtype: ({ params }, context) => ({
    data: registries
      .list(undefined, context)
      .data.filter((record) => record.type === params.type && registryKind(record) === params.subtype),
  }),
  search: registries.search,
  get: registries.get,
  update: registries.update,
  delete: registries.delete,
  mapPolicies({ params, body }, context) {
    const registry = registries.require(context, params.intgGuid);
    for (const policyGuid of body.policyGuids ?? []) requirePolicy(context, policyGuid);
    registry.props = {
      ...Object.assign({}, registry.props),
      policyEvaluation: { evaluate: body.evaluate ?? false, policyGuids: [...(body.policyGuids ?? [])] },
    };
    commit(
      context,
      titles.containerRegistries,
      'UPDATE',
      `Policies were mapped to the container registry ${registry.name}.`,
    );
    return { data: answered(registry, context) };
  },
};

function registryKind(record: IntegrationRecord): string | undefined {
  const kind = record.data?.['registryType'];
  return typeof kind === 'string' ? kind : undefined;
}

/** An integration as answers carry it: with its state once that is known. */
function answered(record: IntegrationRecord, context: RequestContext): IntegrationRecord {
  const kind = registryKind(record);
  const scanner = kind !== undefined && (statelessRegistrySubtypes as readonly string[]).includes(kind);
  const updated = Date.parse(record.createdOrUpdatedTime ?? '');
  if (scanner || context.now - updated < pendingTime) return { ...record };
  const checked = updated + pendingTime;
  return {
    ...record,
    state: { ok: record.enabled === 1, lastUpdatedTime: checked, lastSuccessfulTime: checked, details: {} },
  };
}

/** Names under which the data of integrations hold credentials. */
const secretKeys =
  /^(secret|secretAccessKey|clientSecret|privateKey|apiKey|apiToken|password|hecToken|insertKey|apiIntgKey)$/;

function withoutSecrets(data: { readonly [key: string]: unknown }): { [key: string]: unknown } {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, secretKeys.test(key) ? '' : withoutSecretsInside(value)]),
  );
}

function withoutSecretsInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecretsInside);
  return isRecord(value) ? withoutSecrets(value) : value;
}

/** The data of the two types whose shape the specification shows. @throws ServiceError 400 */
function checkData(type: string, data: { readonly [key: string]: unknown }): void {
  if (type === 'AwsS3') checkTexts(data, 's3CrossAccountCredentials', ['externalId', 'roleArn', 'bucketArn']);
  if (type === 'AwsCfg') checkTexts(data, 'crossAccountCredentials', ['externalId', 'roleArn']);
}

function checkTexts(data: { readonly [key: string]: unknown }, group: string, names: readonly string[]): void {
  const credentials = data[group];
  if (typeof credentials !== 'object' || credentials === null) {
    throw badRequest(`Invalid data: #1: [data/${group}: must be an object with ${names.join(', ')}]`);
  }
  const values: { readonly [key: string]: unknown } = { ...credentials };
  for (const name of names) {
    if (typeof values[name] !== 'string') throw badRequest(`Invalid data: #1: [data/${group}/${name}: must be string]`);
  }
}
