import type { AnyEndpoint, HandlerInput, HandlerResult } from '../endpoint.ts';
import { account, configs, dataExportRules, inventoryScans } from './account.ts';
import { agentAccessTokens } from './agent-access-tokens.ts';
import { alertProfiles } from './alert-profiles.ts';
import { alerts } from './alerts.ts';
import { datasources } from './datasources.ts';
import { exceptions } from './exceptions.ts';
import { alertChannels, cloudAccounts, containerRegistries } from './integrations.ts';
import { auditLogs, cloudActivities } from './logs.ts';
import { policies } from './policies.ts';
import { queries } from './queries.ts';
import { schemas } from './schemas.ts';
import { searches } from './searches.ts';
import { tokens } from './tokens.ts';

/** Every operation of the service, by family and name: `endpoints.queries.execute`. */
export const endpoints = {
  tokens,
  schemas,
  datasources,
  queries,
  policies,
  alertProfiles,
  exceptions,
  searches,
  alerts,
  auditLogs,
  cloudActivities,
  agentAccessTokens,
  alertChannels,
  cloudAccounts,
  containerRegistries,
  configs,
  account,
  dataExportRules,
  inventoryScans,
};
export type Endpoints = typeof endpoints;

/** The same as a list, in a fixed order. */
export const allEndpoints: readonly AnyEndpoint[] = Object.values(endpoints).flatMap((family) =>
  Object.values(family as Readonly<Record<string, AnyEndpoint>>),
);

/**
 * A handler for every operation: an implementation that lacks one does not compile. `Context` is what the implementation itself hands to its
 * handlers beside the checked input.
 */
export type Handlers<Context> = {
  readonly [Family in keyof Endpoints]: {
    readonly [Name in keyof Endpoints[Family]]: Endpoints[Family][Name] extends AnyEndpoint
      ? (
          input: HandlerInput<Endpoints[Family][Name]>,
          context: Context,
        ) => HandlerResult<Endpoints[Family][Name]> | Promise<HandlerResult<Endpoints[Family][Name]>>
      : never;
  };
};
