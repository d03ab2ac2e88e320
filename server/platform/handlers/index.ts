import type { AnyEndpoint } from '../../api/endpoint.ts';
import { type Endpoints, endpoints, type Handlers } from '../../api/endpoints/index.ts';
import type { RequestContext } from '../context.ts';
import { accountHandlers, configHandlers, dataExportRuleHandlers, inventoryScanHandlers } from './account.ts';
import { agentAccessTokenHandlers } from './agent-access-tokens.ts';
import { alertProfileHandlers } from './alert-profiles.ts';
import { alertHandlers } from './alerts.ts';
import { datasourceHandlers } from './datasources.ts';
import { exceptionHandlers } from './exceptions.ts';
import { alertChannelHandlers, cloudAccountHandlers, containerRegistryHandlers } from './integrations.ts';
import { auditLogHandlers, cloudActivityHandlers } from './logs.ts';
import { policyHandlers } from './policies.ts';
import { queryHandlers } from './queries.ts';
import { schemaHandlers } from './schemas.ts';
import { searchHandlers } from './searches.ts';
import { tokenHandlers } from './tokens.ts';

/** A handler for every operation the client knows: one that is missing does not compile. */
const handlers: Handlers<RequestContext> = {
  tokens: tokenHandlers,
  schemas: schemaHandlers,
  datasources: datasourceHandlers,
  queries: queryHandlers,
  policies: policyHandlers,
  alertProfiles: alertProfileHandlers,
  exceptions: exceptionHandlers,
  searches: searchHandlers,
  alerts: alertHandlers,
  auditLogs: auditLogHandlers,
  cloudActivities: cloudActivityHandlers,
  agentAccessTokens: agentAccessTokenHandlers,
  alertChannels: alertChannelHandlers,
  cloudAccounts: cloudAccountHandlers,
  containerRegistries: containerRegistryHandlers,
  configs: configHandlers,
  account: accountHandlers,
  dataExportRules: dataExportRuleHandlers,
  inventoryScans: inventoryScanHandlers,
};

/** A handler without the types of its endpoint: what it gets has been checked against the endpoint's schemas before. */
export type UntypedHandler = (input: UntypedInput, context: RequestContext) => unknown;

export interface UntypedInput {
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  readonly body: unknown;
}

/** The operations with their handlers. */
export function operations(specificationOnly: boolean): ReadonlyMap<AnyEndpoint, UntypedHandler> {
  const table = new Map<AnyEndpoint, UntypedHandler>();
  for (const family of Object.keys(handlers) as (keyof Endpoints)[]) {
    const definitions: { readonly [name: string]: AnyEndpoint } = endpoints[family];
    for (const [name, handler] of Object.entries(handlers[family])) {
      const endpoint = definitions[name];
      if (endpoint === undefined || (specificationOnly && endpoint.source !== 'specification')) continue;
      table.set(endpoint, handler as UntypedHandler);
    }
  }
  return table;
}
