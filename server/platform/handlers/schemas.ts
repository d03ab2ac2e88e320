import type { TSchema } from 'typebox';
import type { AnyEndpoint } from '../../api/endpoint.ts';
import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import {
  alertChannelTypes,
  cloudAccountTypes,
  containerRegistryTypes,
  viewSchemas,
} from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import { badRequest } from '../service-error.ts';

/** Data sets, integrations and assets by type; a type whose schema differs by subtype lists these instead. */
interface SchemaType {
  readonly schema?: TSchema;
  readonly subtypes?: ReadonlyMap<string, TSchema>;
}

/** The schema of one record of an operation's answer: what lies under `data`, one item of it where that is a list. */
function recordSchema(endpoint: AnyEndpoint): TSchema {
  const data = child(endpoint.response, 'properties', 'data');
  return child(data, 'items') ?? data ?? {};
}

function child(schema: unknown, ...path: readonly string[]): TSchema | undefined {
  let value: unknown = schema;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as { readonly [key: string]: unknown })[key];
  }
  return typeof value === 'object' && value !== null ? (value as TSchema) : undefined;
}

/** The write schema of an integration, narrowed to one type. */
function integrationSchemas(endpoint: AnyEndpoint, types: readonly string[]): SchemaType {
  const base = endpoint.body as { readonly properties?: { readonly [name: string]: TSchema } };
  return {
    subtypes: new Map(
      types.map((type) => [
        type,
        { ...base, properties: { ...base.properties, type: { type: 'string', enum: [type] } } },
      ]),
    ),
  };
}

const { searches } = endpoints;
const records = (list: { readonly [subtype: string]: AnyEndpoint }): SchemaType => ({
  subtypes: new Map(Object.entries(list).map(([subtype, endpoint]) => [subtype, recordSchema(endpoint)])),
});

const schemaTypes: ReadonlyMap<string, SchemaType> = new Map<string, SchemaType>([
  [
    'Activities',
    records({
      ChangedFiles: searches.changedFiles,
      Connections: searches.connections,
      DNSs: searches.dns,
      UserLogins: searches.userLogins,
    }),
  ],
  ['AgentAccessTokens', { schema: recordSchema(endpoints.agentAccessTokens.list) }],
  ['AgentInfo', { schema: recordSchema(searches.agentInfo) }],
  ['AlertChannels', integrationSchemas(endpoints.alertChannels.create, alertChannelTypes)],
  ['AlertProfiles', { schema: recordSchema(endpoints.alertProfiles.list) }],
  ['Alerts', { schema: recordSchema(endpoints.alerts.search) }],
  ['AuditLogs', { schema: recordSchema(endpoints.auditLogs.list) }],
  ['CloudAccounts', integrationSchemas(endpoints.cloudAccounts.create, cloudAccountTypes)],
  ['CloudActivities', { schema: recordSchema(endpoints.cloudActivities.list) }],
  ['Configs', records({ ComplianceEvaluations: searches.complianceEvaluations })],
  ['ContainerRegistries', integrationSchemas(endpoints.containerRegistries.create, containerRegistryTypes)],
  ['ContractInfo', { schema: recordSchema(endpoints.account.contractInfo) }],
  ['DataExportRules', { schema: recordSchema(endpoints.dataExportRules.create) }],
  ['Datasources', { schema: recordSchema(endpoints.datasources.list) }],
  [
    'Entities',
    records({
      Images: searches.images,
      InternalIPAddresses: searches.internalIpAddresses,
      K8sPods: searches.k8sPods,
      Machines: searches.machines,
      MachineDetails: searches.machineDetails,
      NetworkInterfaces: searches.networkInterfaces,
      NewFileHashes: searches.newFileHashes,
      Packages: searches.packages,
      Processes: searches.processes,
      Users: searches.users,
    }),
  ],
  ['Events', { schema: recordSchema(searches.events) }],
  ['Exceptions', { schema: recordSchema(endpoints.exceptions.list) }],
  ['Inventory', { schema: recordSchema(searches.inventory) }],
  ['Policies', { schema: recordSchema(endpoints.policies.list) }],
  ['Queries', { schema: recordSchema(endpoints.queries.list) }],
  ['Vulnerabilities', records({ Containers: searches.containerVulnerabilities })],
]);

export const schemaHandlers: Handlers<RequestContext>['schemas'] = {
  listTypes: () => [...schemaTypes.keys()],
  get({ params }) {
    const view = viewSchemas.get(params.type);
    if (view !== undefined)
      return view.subtype === undefined ? schemaOf(view.type) : [subtypeOf(view.type, view.subtype)];
    return schemaOf(params.type);
  },
  getSubtype: ({ params }) => [subtypeOf(params.type, params.subtype)],
};

function schemaOf(type: string): TSchema {
  const entry = typeNamed(type);
  return entry.schema ?? { oneOf: [...(entry.subtypes ?? new Map()).values()] };
}

function subtypeOf(type: string, subtype: string): TSchema {
  const { subtypes } = typeNamed(type);
  const schema = subtypes?.get(subtype);
  if (schema === undefined) {
    throw badRequest(
      `Invalid type: ${type} with ${subtype}. Available subtype(s): [${[...(subtypes?.keys() ?? [])].join(', ')}]`,
    );
  }
  return schema;
}

function typeNamed(type: string): SchemaType {
  const entry = schemaTypes.get(type);
  if (entry === undefined)
    throw badRequest(`Invalid type: ${type}. Available type(s): [${[...schemaTypes.keys()].join(', ')}]`);
  return entry;
}
