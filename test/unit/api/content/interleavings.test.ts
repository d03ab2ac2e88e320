import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../../server/api/client.ts';
import { createAccountTarget } from '../../../../server/api/content/account-target.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import type { Target } from '../../../../server/core/content/apply.ts';
import type { ContentKind, ContentObject } from '../../../../server/core/content/content-object.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import {
  emptyTally,
  runSchedule,
  type Service,
  type Tally,
  textWith,
} from '../../core/content/support/interleavings.ts';
import { inProcessAccount } from './support/in-process.ts';

const schedules = process.env['DEEP'] === '1' ? Number(process.env['SCHEDULES'] ?? 4_000) : 40;
const firstSeed = Number(process.env['SEED'] ?? 1);
const kinds: readonly ContentKind[] = ['query', 'alertProfile', 'policy'];

/** The local platform with a few objects, as the schedules know it. */
async function platformService(): Promise<
  Service & { readonly look: () => Promise<ReadonlyMap<string, ContentObject>> }
> {
  const acme = inProcessAccount('acme');
  const target = (client: ApiClient): Target =>
    createAccountTarget({
      client,
      names: { account: 'acme', vendorPrefix: 'SVC' },
      known: {
        idOf: () => undefined,
        remotePolicyIdOf: () => undefined,
        exceptionPolicies: [],
        exceptionLike: () => undefined,
        profileIds: [],
      },
    });
  const client = acme.client();
  const direct = target(client);
  for (const [queryId, text] of [
    ['Acme_A', 'a'],
    ['Acme_B', 'b'],
  ] as const)
    await client.call(endpoints.queries.create, { body: { queryId, queryText: textWith(text) } });
  const template = { name: 'T0', eventName: 'Event', description: 'd', subject: 's' };
  const parent = (await client.call(endpoints.alertProfiles.list)).data.find(({ alerts }) => (alerts ?? []).length > 0);
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
  const look = async (): Promise<ReadonlyMap<string, ContentObject>> =>
    new Map(
      [...(await direct.read(kinds))].flatMap(([key, { kind, id, fields, vendorOwned }]) =>
        vendorOwned ? [] : [[key, { kind, id, fields }] as const],
      ),
    );
  return {
    initial: await look(),
    kinds,
    connect: () => target(acme.client()),
    console: async (step) => {
      const { before, id } = step;
      const there = before && { ...before, remoteId: id.replace('$account-', 'acme-') };
      await direct.write({ ...step, before: there });
    },
    look,
  };
}

describe('two editors, the console and pulls on the local platform, in any order', { timeout: 3_600_000 }, () => {
  it('overwrite nothing that the re-read could have shown, whatever fails, and the platform shows what was written', async () => {
    const total = emptyTally();
    for (let seed = firstSeed; seed < firstSeed + schedules; seed++) {
      const service = await platformService();
      const faults = seed % 2 === 0 ? 0.15 : 0;
      const { tally, problems, world } = await runSchedule(service, seed, { faults, rounds: 2 });
      expect(problems).toEqual([]);
      const shown = [...(await service.look())].map(([key, object]) => `${key} ${meaningOf(object)}`);
      expect([seed, shown.sort()]).toEqual([
        seed,
        [...world.objects].map(([key, it]) => `${key} ${meaningOf(it)}`).sort(),
      ]);
      for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
    }
    expect([total.outside, total.wide]).toEqual([0, 0]);
    expect(total.writes).toBeGreaterThan(schedules);
    console.log(
      `${schedules} interleavings on the local platform (seeds ${firstSeed} to ${firstSeed + schedules - 1}): ` +
        `${total.writes} writes of editors, ${total.foreign} foreign writes between re-read and write; ` +
        `lost outside the one-request gap: ${total.outside}, inside it: ${total.inside}; killed ${total.killed}, failed ${total.failed}`,
    );
  });
});
