import * as vscode from 'vscode';
import { type ApiClient, type ApiLogEvent, createApiClient } from '../../../server/api/client.ts';
import { accountNameOf, contentIdOf, localAccountName } from '../../../server/api/content/account-identity.ts';
import type { ContentAccount } from '../../../server/api/content/content-sync.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { isLoopback } from '../../../server/api/origin.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import type { Transport } from '../../../server/api/transport/transport.ts';
import { columnsFromSchemaAnswer } from '../../../server/core/resources/columns-from-schema.ts';
import { endTimeArgument, startTimeArgument } from '../../../server/core/resources/execution.ts';
import { schemaNameFor } from '../../../server/core/resources/schema-names.ts';
import { formatTime } from '../../../server/core/resources/time.ts';
import { type ErrorAction, UserError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { AccountApi } from './account-api.ts';
import type { Profile } from './profile.ts';
import type { Credentials } from './session.ts';

// Operations whose 400 is about the text of the query.
const aboutQueryText: ReadonlySet<string | undefined> = new Set([
  endpoints.queries.execute.id,
  endpoints.queries.validate.id,
]);

// A larger one would be refused; without one the service's own cap counts.
const largestLimit = 5000;

/** Opens the account of a profile. Loaded with the first call: HTTP and the endpoint definitions are most of the extension's code. */
export async function openAccountApi(profile: Profile, credentials: Credentials, log: Log): Promise<AccountApi> {
  const client = createApiClient({
    origin: credentials.origin,
    vendorPrefix: profile.vendorPrefix,
    keyId: credentials.keyId,
    secret: createSecret(credentials.secret),
    ...(profile.kind === 'remote'
      ? { subAccount: profile.subAccount, organization: profile.organization, readOnly: profile.readOnly }
      : {}),
    transport: await transportFor(new URL(credentials.origin)),
    log: (event) => log.debug(describeEvent(event)),
  });
  return accountApi(client, profile, contentAccount(client, profile, credentials));
}

function contentAccount(client: ApiClient, profile: Profile, { localAccountId }: Credentials): ContentAccount {
  const { vendorPrefix } = profile;
  if (profile.kind === 'local') {
    return { id: `local-${localAccountId ?? 'unknown'}`, names: { account: localAccountName, vendorPrefix }, client };
  }
  const { subAccount } = profile;
  const names = { account: accountNameOf(client.origin, subAccount), vendorPrefix };
  return { id: contentIdOf(client.origin, subAccount), names, client };
}

function accountApi(client: ApiClient, profile: Profile, content: ContentAccount): AccountApi {
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
      return bucket && { limit: bucket.limit, remaining: bucket.remaining, resetsAt: bucket.resetsAt };
    },
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

function explain(error: unknown, profile: Profile): unknown {
  if (!(error instanceof ApiError)) return error;
  const { failure } = error;
  if (failure.kind === 'cancelled') return new vscode.CancellationError();
  const status = failure.kind === 'status' ? failure.status : failure.kind === 'rate-limited' ? 429 : undefined;
  if (failure.kind === 'status' && failure.status === 400 && aboutQueryText.has(error.operation)) {
    return new UserError(`The service refused the query: ${failure.serviceMessage ?? 'it gave no reason.'}`, [], {
      status,
      cause: error,
    });
  }
  // A platform that was started anew has a new key: the old one is refused where it happens to listen on the same port.
  const unreachable = failure.kind === 'network' || (profile.kind === 'local' && status === 401);
  return new UserError(`${sentence(error.message)} ${error.action}`, actionsFor(failure.kind, status, profile), {
    status,
    unreachable,
    cause: error,
  });
}

/** The service's own texts end as they like; what follows them must not run into them. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function actionsFor(
  kind: ApiError['failure']['kind'],
  status: number | undefined,
  profile: Profile,
): readonly ErrorAction[] {
  if (profile.kind === 'local') return [{ title: 'Show Output', command: 'lql.showOutput' }];
  if (status === 401) return [{ title: 'Sign In', command: 'lql.signIn', arguments: [profile.name] }];
  if (status === 403) return [{ title: 'Switch Account', command: 'lql.switchAccount' }];
  if (kind === 'network' || kind === 'certificate' || kind === 'redirect') {
    return [
      { title: 'Open Settings', command: 'workbench.action.openSettings', arguments: ['lql.connections.profiles'] },
    ];
  }
  return [];
}

function describeEvent({ operation, method, path, attempt, milliseconds, outcome }: ApiLogEvent): string {
  const ended = outcome.kind === 'answered' ? `${outcome.status}, ${outcome.bytes} bytes` : outcome.kind;
  const again = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${operation}: ${method} ${path} → ${ended} in ${Math.round(milliseconds)} ms${again}`;
}
