import type { ApiClient } from '../../../../../server/api/client.ts';
import { createAccountTarget } from '../../../../../server/api/content/account-target.ts';
import { endpoints } from '../../../../../server/api/endpoints/index.ts';
import type { Target } from '../../../../../server/core/content/apply.ts';
import type { ContentKind, ContentObject } from '../../../../../server/core/content/content-object.ts';
import { accountState } from '../../../../../server/platform/state/account-state.ts';
import { type Service, textWith } from '../../../core/content/support/interleavings.ts';
import { inProcessAccount } from './in-process.ts';

const kinds: readonly ContentKind[] = ['query', 'alertProfile', 'policy'];

/** The local platform as the schedules of editors and console know it. */
export interface SchedulePlatform {
  /** The platform with its few objects as they were at first, whatever was done to it before. */
  reset(): Service;
  /** What the platform's lists show. */
  look(): Promise<ReadonlyMap<string, ContentObject>>;
}

/**
 * One platform for many schedules: two queries, a profile that extends one of the vendor's, and two policies. Its clock stands still and its
 * rate limits are off. Of profiles, the list is that one as the platform shows it at the moment and its ancestors, all without the columns
 * that templates may name: the vendor's profiles are the same for ever and make up nearly all that a schedule would read.
 */
export async function createSchedulePlatform(): Promise<SchedulePlatform> {
  const now = Date.parse('2026-01-05T08:00:00Z');
  const acme = inProcessAccount('acme', { now: () => now });
  const store = acme.app.store.open('acme');
  const all = (await acme.client().call(endpoints.alertProfiles.list)).data;
  const parent = all.find(({ alerts }) => (alerts ?? []).length > 0);
  const withoutColumns = (profile: object): string => JSON.stringify({ ...profile, fields: [], descriptionKeys: [] });
  const ancestors = all.filter(({ alertProfileId: id }) => id === parent?.alertProfileId || id === parent?.extends);
  const ancestorsText = ancestors.map(withoutColumns).join(',');

  const connect = (): ApiClient =>
    acme.client({
      through: async (request, send) => {
        if (request.method !== 'GET' || !request.url.endsWith('/AlertProfiles')) return send(request);
        const answer = await send(new Request(`${request.url}/Acme_P`, request));
        if (answer.status !== 200) return answer;
        const { data } = (await answer.json()) as { readonly data: object };
        const { status, headers } = answer;
        return new Response(`{"data":[${ancestorsText},${withoutColumns(data)}]}`, { status, headers });
      },
    });
  const client = connect();

  for (const [queryId, text] of [
    ['Acme_A', 'a'],
    ['Acme_B', 'b'],
  ] as const)
    await client.call(endpoints.queries.create, { body: { queryId, queryText: textWith(text) } });
  const template = { name: 'T0', eventName: 'Event', description: 'd', subject: 's' };
  await client.call(endpoints.alertProfiles.create, {
    body: { alertProfileId: 'Acme_P', extends: parent?.alertProfileId ?? '', alerts: [template] },
  });
  for (const [policyId, queryId] of [
    ['$account-p-1', 'Acme_A'],
    ['$account-p-2', 'Acme_B'],
  ] as const) {
    const texts = { title: policyId, description: 'd', remediation: 'r', alertProfile: 'Acme_P.T0' };
    const body = { ...texts, policyId, queryId, enabled: false, severity: 'high' as const, alertEnabled: false };
    await client.call(endpoints.policies.create, { body });
  }

  const targetOf = (of: ApiClient): Target =>
    createAccountTarget({
      client: of,
      names: { account: 'acme', vendorPrefix: 'SVC' },
      known: {
        idOf: () => undefined,
        remotePolicyIdOf: () => undefined,
        exceptionPolicies: [],
        exceptionLike: () => undefined,
        profileIds: [],
      },
    });
  const read = () => targetOf(client).read(kinds);
  const look = async (): Promise<ReadonlyMap<string, ContentObject>> =>
    new Map(
      [...(await read())].flatMap(([key, { kind, id, fields, vendorOwned }]) =>
        vendorOwned ? [] : [[key, { kind, id, fields }] as const],
      ),
    );
  const snapshot = structuredClone(store.state);
  const initial = await look();
  const vendor = [...(await read()).values()].filter(({ vendorOwned }) => vendorOwned);
  // Two people at their desks, each with a token and a client of their own.
  const desks = [connect(), connect()];

  return {
    look,
    reset() {
      Object.assign(store.state, accountState(structuredClone(snapshot)));
      (store.audit() as unknown[]).length = 0;
      let desk = 0;
      const console = targetOf(client);
      return {
        initial,
        kinds,
        vendor,
        connect: () => targetOf(desks[desk++ % desks.length] ?? client),
        console: async (step) => {
          const { before, id } = step;
          const there = before && { ...before, remoteId: id.replace('$account-', 'acme-') };
          await console.write({ ...step, before: there });
        },
      };
    },
  };
}
