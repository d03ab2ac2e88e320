import { AmbiguousWrite, type Target, WriteDeferred } from '../../core/content/apply.ts';
import {
  type ContentFields,
  type ContentKind,
  contentKey,
  type RemoteObject,
} from '../../core/content/content-object.ts';
import { type AccountNames, canonicalPolicyId, idProblem, remotePolicyId } from '../../core/content/identity.ts';
import {
  canonicalText,
  fieldMeaning,
  meaningOf,
  remoteAlertProfile,
  remoteException,
  remotePolicy,
  remoteQuery,
} from '../../core/content/normalise.ts';
import type { Operation } from '../../core/content/plan.ts';
import { toWireText } from '../../core/language/format/wire.ts';
import type { JsonObject } from '../../core/language/values/value.ts';
import type {
  AlertProfileCreate,
  AlertTemplateCreate,
  ExceptionCreate,
  ExceptionUpdate,
  PolicyCreate,
  PolicyUpdate,
} from '../../core/resources/index.ts';
import { defaultPolicyLimit } from '../../core/resources/policy.ts';
import { listAlertProfiles } from '../alert-profile-list.ts';
import type { ApiClient } from '../client.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { endpoints } from '../endpoints/index.ts';
import { ApiError } from '../transport/errors.ts';
import { isAmbiguous } from '../transport/retries.ts';

/** What files and lock know of the account before it is asked. */
export interface KnownContent {
  /** Account-neutral id of an object by its kind and the service's id, for those that were synchronised before. */
  idOf(kind: ContentKind, remoteId: string): string | undefined;
  /** The service's id of a policy that was synchronised before. */
  remotePolicyIdOf(id: string): string | undefined;
  /** Policies (neutral ids) whose exceptions are looked at: each costs a request. */
  readonly exceptionPolicies: readonly string[];
  /** Id of the local exception that means the same and has no counterpart yet: without a name in the account, content is what tells. */
  exceptionLike(policyId: string, meaning: string): string | undefined;
  /** Alert profiles named by files, for services that do not list them. */
  readonly profileIds: readonly string[];
}

export interface AccountTargetOptions {
  readonly client: ApiClient;
  readonly names: AccountNames;
  readonly known: KnownContent;
  readonly signal?: AbortSignal | undefined;
}

export interface AccountTarget extends Target {
  /** The exceptions of a policy, in one request; undefined when the account does not have the policy. */
  exceptionsOf(policyId: string): Promise<readonly RemoteObject[] | undefined>;
}

/** The account behind an API client as something that plans are made from and applied to. One list call a kind. */
export function createAccountTarget({ client, names, known, signal }: AccountTargetOptions): AccountTarget {
  // Whoever deploys four hundred changes waits for the budget instead of failing in the middle; but what was read before a call is too old
  // once the call had to wait.
  const patient = { signal, maxWaitMilliseconds: Number.POSITIVE_INFINITY };
  const settings = { signal, maxWaitMilliseconds: 0 };
  // Ids that this target gave out itself, or may have, before the lock knows them.
  const made = new Map<string, string>();
  const attempted: { readonly policyId: string; readonly meaning: string; readonly id: string }[] = [];

  async function read(
    kinds: readonly ContentKind[],
    around?: readonly Operation[],
  ): Promise<ReadonlyMap<string, RemoteObject>> {
    const objects = new Map<string, RemoteObject>();
    for (const kind of kinds) {
      for (const object of await readers[kind](around)) objects.set(contentKey(object), object);
    }
    return objects;
  }

  const readers: {
    readonly [kind in ContentKind]: (around: readonly Operation[] | undefined) => Promise<readonly RemoteObject[]>;
  } = {
    query: async () =>
      (await client.call(endpoints.queries.list, patient)).data.map((raw) => remoteQuery(json(raw), names)),
    policy: async () =>
      (await client.call(endpoints.policies.list, patient)).data.map((raw) => {
        const policy = remotePolicy(json(raw), names);
        return { ...policy, id: idOf('policy', policy.remoteId) ?? policy.id };
      }),
    alertProfile: async () => {
      const { profiles } = await listAlertProfiles(client, known.profileIds, patient);
      const byId = new Map(profiles.map((profile) => [profile.alertProfileId, json(profile)]));
      return profiles.map((profile) => remoteAlertProfile(json(profile), byId.get(profile.extends ?? ''), names));
    },
    exception: async (around) => {
      const objects: RemoteObject[] = [];
      const policies = around?.map(({ id }) => id.slice(0, id.indexOf('/'))) ?? [
        ...known.exceptionPolicies,
        ...attempted.map((attempt) => attempt.policyId),
      ];
      for (const policyId of new Set(policies)) {
        objects.push(...((await exceptionsOf(policyId)) ?? []));
      }
      return objects;
    },
  };

  async function exceptionsOf(policyId: string): Promise<readonly RemoteObject[] | undefined> {
    let data: readonly unknown[];
    try {
      data = (await client.call(endpoints.exceptions.list, { ...patient, query: { policyId: remoteIdOf(policyId) } }))
        .data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
    const used = new Set<string>();
    return data.map((row) => {
      const raw = json(row);
      const remoteId = String(raw['exceptionId'] ?? '');
      const plain = remoteException(raw, policyId, remoteId, names);
      const meaning = meaningOf(plain);
      const attempt = attempted.find((it) => it.policyId === policyId && it.meaning === meaning && !used.has(it.id));
      const like = known.exceptionLike(policyId, meaning);
      const id =
        idOf('exception', remoteId) ?? attempt?.id ?? (like !== undefined && !used.has(like) ? like : plain.id);
      used.add(id);
      return { ...plain, id };
    });
  }

  function idOf(kind: ContentKind, remoteId: string): string | undefined {
    return made.get(`${kind}\n${remoteId}`) ?? known.idOf(kind, remoteId);
  }

  function remoteIdOf(policyId: string): string {
    for (const [key, id] of made)
      if (id === policyId && key.startsWith('policy\n')) return key.slice('policy\n'.length);
    return known.remotePolicyIdOf(policyId) ?? remotePolicyId(policyId, names);
  }

  async function ready(operations: readonly Operation[]): Promise<boolean> {
    const calls = new Map<string, number>();
    for (const operation of operations) {
      const { functionality } = callOf(operation);
      calls.set(functionality, (calls.get(functionality) ?? 0) + 1);
    }
    let waited = false;
    for (const [functionality, count] of calls)
      waited = (await client.rateLimits.whenFree(functionality, count, signal)) || waited;
    return waited;
  }

  async function write(operation: Operation): Promise<{ readonly remoteId: string }> {
    try {
      const remoteId = await writers[operation.kind](operation);
      if (operation.action === 'create') made.set(`${operation.kind}\n${remoteId}`, operation.id);
      return { remoteId };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { failure } = error;
      const message = failure.kind === 'not-offered' ? notOffered(operation) : `${error.message} ${error.action}`;
      if (failure.kind === 'rate-limited') throw new WriteDeferred(message);
      if (failure.kind === 'ambiguous' || isAmbiguous(failure)) throw new AmbiguousWrite(message);
      throw new Error(message);
    }
  }

  type Writer = (operation: Operation) => Promise<string>;
  const writers: { readonly [kind in ContentKind]: Writer } = {
    async query({ kind, action, id, desired, before }) {
      const fields = desired?.fields ?? {};
      const queryId = before?.remoteId ?? id;
      if (action === 'delete') await client.call(endpoints.queries.delete, { ...settings, params: { queryId } });
      else if (action === 'create') {
        const queryText = wireText(fields['queryText']);
        await client.call(endpoints.queries.create, { ...settings, body: { queryId: id, queryText } });
      } else {
        const changes = changedFields(kind, fields, before?.fields);
        const body = 'queryText' in changes ? { ...changes, queryText: wireText(fields['queryText']) } : changes;
        await client.call(endpoints.queries.update, { ...settings, params: { queryId }, body });
      }
      return queryId;
    },
    async policy({ kind, action, id, desired, before }) {
      const fields = desired?.fields ?? {};
      if (action === 'create') {
        // An id that only the service gives out cannot be asked for: the lock remembers which one came instead.
        const chosen = idProblem('policy', id, names) === undefined ? { policyId: id } : {};
        const body = { ...fields, ...chosen } as unknown as PolicyCreate;
        return (await client.call(endpoints.policies.create, { ...settings, body })).data.policyId;
      }
      const policyId = before?.remoteId ?? remoteIdOf(id);
      if (action === 'delete') await client.call(endpoints.policies.delete, { ...settings, params: { policyId } });
      else {
        const body = changedFields(kind, fields, before?.fields);
        if ('tags' in body) body['tags'] ??= [];
        if ('limit' in body) body['limit'] ??= defaultPolicyLimit;
        await client.call(endpoints.policies.update, { ...settings, params: { policyId }, body: body as PolicyUpdate });
      }
      return policyId;
    },
    async alertProfile({ action, id, desired, before, templates }) {
      const params = { alertProfileId: before?.remoteId ?? id };
      if (action === 'create') {
        const body = { alertProfileId: id, alerts: [], ...desired?.fields } as unknown as AlertProfileCreate;
        await client.call(endpoints.alertProfiles.create, { ...settings, body });
      } else if (action === 'delete') await client.call(endpoints.alertProfiles.delete, { ...settings, params });
      else {
        const [step] = templates;
        if (!step) return params.alertProfileId;
        const at = { ...params, alertTemplateName: step.name };
        if (step.action === 'delete')
          await client.call(endpoints.alertProfiles.deleteTemplate, { ...settings, params: at });
        else {
          const template = step.template as unknown as AlertTemplateCreate;
          const { name: _, ...texts } = template;
          if (step.action === 'create')
            await client.call(endpoints.alertProfiles.createTemplate, { ...settings, params, body: template });
          else await client.call(endpoints.alertProfiles.updateTemplate, { ...settings, params: at, body: texts });
        }
      }
      return params.alertProfileId;
    },
    async exception({ kind, action, id, desired, before }) {
      const policyId = canonicalPolicyId(String((desired ?? before)?.fields['policyId'] ?? ''), names);
      const query = { policyId: remoteIdOf(policyId) };
      const { policyId: _, ...fields } = desired?.fields ?? {};
      if (action === 'create') {
        if (desired) attempted.push({ policyId, meaning: meaningOf(desired), id });
        const { data } = await client.call(endpoints.exceptions.create, {
          ...settings,
          query,
          body: fields as unknown as ExceptionCreate,
        });
        return data.exceptionId;
      }
      const exceptionId = before?.remoteId ?? '';
      if (action === 'delete')
        await client.call(endpoints.exceptions.delete, { ...settings, query, params: { exceptionId } });
      else {
        const body = changedFields(kind, fields, before?.fields);
        delete body['policyId'];
        await client.call(endpoints.exceptions.update, {
          ...settings,
          query,
          params: { exceptionId },
          body: body as ExceptionUpdate,
        });
      }
      return exceptionId;
    },
  };

  return { read, write, ready, exceptionsOf };
}

function json(row: unknown): JsonObject {
  return row as JsonObject;
}

function wireText(text: unknown): string {
  const wire = toWireText(typeof text === 'string' ? text : '');
  if (wire.kind === 'ok') return wire.text;
  throw new Error(`The query cannot be sent: ${wire.diagnostics[0]?.message ?? 'it has no text.'}`);
}

/** Fields that are to change, with their new values; texts that go become empty, everything else undefined. What means the same stays. */
function changedFields(
  kind: ContentKind,
  wanted: ContentFields,
  before: ContentFields = {},
): { [field: string]: unknown } {
  const changed: { [field: string]: unknown } = {};
  for (const field of new Set([...Object.keys(wanted), ...Object.keys(before)])) {
    const [next, old] = [wanted[field], before[field]];
    const meaning = (fields: ContentFields): string => canonicalText(fieldMeaning(kind, field, fields));
    if (meaning(wanted) !== meaning(before)) changed[field] = next ?? (typeof old === 'string' ? '' : undefined);
  }
  return changed;
}

/** The call that an operation makes next. */
export function callOf({ kind, action, templates }: Pick<Operation, 'kind' | 'action' | 'templates'>): AnyEndpoint {
  if (kind === 'query') return endpoints.queries[action];
  if (kind === 'policy') return endpoints.policies[action];
  if (kind === 'exception') return endpoints.exceptions[action];
  const [step] = templates;
  return action === 'update' && step ? templateCalls[step.action] : endpoints.alertProfiles[action];
}

const templateCalls = {
  create: endpoints.alertProfiles.createTemplate,
  update: endpoints.alertProfiles.updateTemplate,
  delete: endpoints.alertProfiles.deleteTemplate,
} as const;

function notOffered({ action, kind }: Operation): string {
  const what =
    kind === 'alertProfile'
      ? 'alert profiles'
      : kind === 'query'
        ? 'queries'
        : kind === 'policy'
          ? 'policies'
          : 'exceptions';
  return `This service does not offer to ${action} ${what}. Nothing was changed.`;
}
