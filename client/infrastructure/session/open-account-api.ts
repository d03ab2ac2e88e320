import * as vscode from 'vscode';
import { type ApiClient, type ApiLogEvent, createApiClient } from '../../../server/api/client.ts';
import { accountNameOf, contentIdOf, localAccountName } from '../../../server/api/content/account-identity.ts';
import type { ContentAccount } from '../../../server/api/content/content-sync.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { isLoopback } from '../../../server/api/origin.ts';
import { keepRateLimits, type RateLimitFiles, rateLimitFolder } from '../../../server/api/rate-limit-files.ts';
import { systemClock } from '../../../server/api/transport/clock.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createRateLimits, type RateLimits, unlimited } from '../../../server/api/transport/rate-limits.ts';
import type { Transport } from '../../../server/api/transport/transport.ts';
import { columnsFromSchemaAnswer } from '../../../server/core/resources/columns-from-schema.ts';
import { endTimeArgument, startTimeArgument } from '../../../server/core/resources/execution.ts';
import { schemaNameFor } from '../../../server/core/resources/schema-names.ts';
import { formatTime } from '../../../server/core/resources/time.ts';
import type { Log } from '../log.ts';
import type { AccountApi } from './account-api.ts';
import { explain } from './explain.ts';
import type { Profile } from './profile.ts';
import type { Credentials } from './session.ts';

// A larger one would be refused; without one the service's own cap counts.
const largestLimit = 5000;

/** Opens the account of a profile. Loaded with the first call: HTTP and the endpoint definitions are most of the extension's code. */
export async function openAccountApi(
  profile: Profile,
  credentials: Credentials,
  log: Log,
  /** Where what is used of the rate limit is kept for the next window. */
  stateFolder: string,
): Promise<AccountApi> {
  const rateLimits = createRateLimits({ clock: systemClock });
  const kept = profile.kind === 'remote' ? await keptLimits(rateLimits, credentials, stateFolder) : undefined;
  let tokenIssuedAt: number | undefined;
  const client = createApiClient({
    origin: credentials.origin,
    vendorPrefix: profile.vendorPrefix,
    keyId: credentials.keyId,
    secret: credentials.secret,
    ...(profile.kind === 'remote'
      ? {
          subAccount: profile.subAccount,
          organization: profile.organization,
          readOnly: profile.readOnly,
          tokenSeconds: profile.tokenSeconds,
        }
      : {}),
    rateLimits,
    transport: await transportFor(new URL(credentials.origin)),
    log: (event) => {
      if (event.operation === endpoints.tokens.create.id && event.outcome.kind === 'answered')
        tokenIssuedAt = Date.now();
      log.debug(describeEvent(event));
    },
  });
  const api = accountApi(client, profile, contentAccount(client, profile, credentials), () => tokenIssuedAt);
  return {
    ...api,
    close: async () => {
      await kept?.close();
      await api.close();
    },
  };
}

// The local platform counts anew with each start, and every window hears from it how many calls are left.
function keptLimits(limits: RateLimits, { origin, keyId }: Credentials, folder: string): Promise<RateLimitFiles> {
  return keepRateLimits(limits, rateLimitFolder(folder, new URL(origin), keyId), Date.now);
}

function contentAccount(client: ApiClient, profile: Profile, { localAccountId }: Credentials): ContentAccount {
  const { vendorPrefix } = profile;
  if (profile.kind === 'local') {
    return { id: `local-${localAccountId ?? 'unknown'}`, names: { account: localAccountName, vendorPrefix }, client };
  }
  const { subAccount, account } = profile;
  const names = { account: accountNameOf(client.origin, subAccount, account), vendorPrefix };
  const primary = subAccount === undefined ? undefined : accountNameOf(client.origin, undefined, account);
  return { id: contentIdOf(client.origin, subAccount), names, primary, client };
}

function accountApi(
  client: ApiClient,
  profile: Profile,
  content: ContentAccount,
  tokenIssuedAt: () => number | undefined,
): AccountApi {
  // Every failure leaves as a sentence with a way on; none of them ever holds a secret.
  const explained = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    try {
      return await call();
    } catch (error) {
      throw explain(error, profile);
    }
  };
  return {
    datasources: (signal) => explained(async () => (await client.call(endpoints.datasources.list, { signal })).data),
    schema: (datasource, signal) =>
      explained(async () => {
        const name = schemaNameFor(datasource, profile.vendorPrefix);
        if (!name) return undefined;
        const { type, subtype } = name;
        const answer =
          subtype === undefined
            ? client.call(endpoints.schemas.get, { params: { type }, signal, priority: 'background' })
            : client.call(endpoints.schemas.getSubtype, { params: { type, subtype }, signal, priority: 'background' });
        return columnsFromSchemaAnswer(await answer);
      }),
    execute: ({ queryText, startTime, endTime, arguments: named, limit }, signal) =>
      explained(async () => {
        const answer = await client.call(endpoints.queries.execute, {
          body: {
            query: { queryText },
            ...(limit === undefined || limit > largestLimit ? {} : { options: { limit } }),
            arguments: [
              { name: startTimeArgument, value: formatTime(startTime) },
              { name: endTimeArgument, value: formatTime(endTime) },
              ...named,
            ],
          },
          signal,
        });
        return answer.data;
      }),
    validate: (queryText, signal) =>
      explained(async () => {
        const { data } = await client.call(endpoints.queries.validate, { body: { queryText }, signal });
        return (data.resultSchema ?? []).map(({ name }) => name);
      }),
    budget() {
      const { functionality } = endpoints.queries.execute;
      const bucket = client.rateLimits.state().find((state) => state.functionality === functionality);
      // A service without a limit leaves nothing to be told.
      if (!bucket || bucket.limit >= unlimited) return undefined;
      const { limit, remaining, resetsAt, queued } = bucket;
      return { limit, remaining, resetsAt, queued };
    },
    tokenIssuedAt,
    content,
    queries: (signal) => explained(async () => (await client.call(endpoints.queries.list, { signal })).data),
    close: () => client.close(),
  };
}

/**
 * The local platform is reached directly. Everything else goes the way VS Code itself goes, through the proxy, the PAC
 * file and the certificates it was told to use; its own `fetch` alone knows them. Only where both are switched off do we
 * keep connections of our own.
 */
async function transportFor(origin: URL): Promise<Transport> {
  const http = vscode.workspace.getConfiguration('http');
  const direct = http.get('proxySupport') === 'off' && http.get('systemCertificates') === false;
  if (!direct && !isLoopback(origin.hostname)) return createFetchTransport((url, init) => fetch(url, init));
  const { createUndiciTransport } = await import('../../../server/api/transport/undici.ts');
  return createUndiciTransport();
}

function describeEvent({ operation, method, path, attempt, milliseconds, outcome }: ApiLogEvent): string {
  const ended = outcome.kind === 'answered' ? `${outcome.status}, ${outcome.bytes} bytes` : outcome.kind;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${operation}: ${method} ${path} → ${ended} in ${Math.round(milliseconds)} ms${again}`;
}
