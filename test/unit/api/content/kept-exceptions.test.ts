import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  compareFolder,
  deployPlan,
  interruptedDeployment,
  planDeployment,
  planUndo,
} from '../../../../server/api/content/content-sync.ts';
import { noteChanges } from '../../../../server/api/content/note-changes.ts';
import { planCost } from '../../../../server/api/content/plan-cost.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { describeResults } from '../../../../server/core/content/describe-plan.ts';
import { contentFolder, inProcessAccount } from './support/in-process.ts';

type Trouble = 'none' | 'it dies when the policy is gone' | 'the exceptions cannot be read' | 'one is made meanwhile';

/** A policy with two exceptions that no file knows, whose file is deleted, and the plan that deletes it in the account. */
async function deletion(root: string, trouble: Trouble) {
  const acme = inProcessAccount();
  const client = acme.client();
  const options = acme.options(root, client);
  const queryText = '{ source { SVC_CFG_AWS_EC2_SECURITY_GROUPS } return distinct { ARN } }';
  await client.call(endpoints.queries.create, { body: { queryId: 'Acme_Q', queryText } });
  const words = { title: 't', description: 'd', remediation: 'r', severity: 'low' as const };
  const body = { ...words, policyId: '$account-p-1', queryId: 'Acme_Q', enabled: true, alertEnabled: false };
  const { policyId } = (await client.call(endpoints.policies.create, { body })).data;
  const except = async (description: string): Promise<void> => {
    const constraints = [{ fieldKey: 'accountIds', fieldValues: [description] }];
    await client.call(endpoints.exceptions.create, { query: { policyId }, body: { constraints, description } });
  };
  await except('111122223333');
  await except('444455556666');
  await pullContent(await compareFolder(options), options, { only: undefined, take: new Set() });
  await rm(path.join(root, 'policies'), { recursive: true });

  const death = Promise.withResolvers<'killed'>();
  let seen = 0;
  const troubled = acme.client({
    through: async (request, send) => {
      const isList = request.method === 'GET' && request.url.includes('/Exceptions');
      if (isList && trouble === 'the exceptions cannot be read')
        return new Response('{"message":"no"}', { status: 403 });
      // Between the plan and the deployment.
      if (request.method === 'GET' && ++seen === 1 && trouble === 'one is made meanwhile') await except('777788889999');
      const answer = await send(request);
      if (request.method !== 'DELETE' || trouble !== 'it dies when the policy is gone') return answer;
      death.resolve('killed');
      return new Promise<Response>(() => {});
    },
  });
  const listed = async () => (await client.call(endpoints.exceptions.list, { query: { policyId } })).data;
  const authored = async () =>
    (await listed()).map(({ description, constraints }) => JSON.stringify({ description, constraints })).sort();
  const plan = planDeployment(await compareFolder(options), options, {
    prune: true,
    overwrite: new Set(),
    only: undefined,
  });
  return { client, options, plan, troubled: acme.options(root, troubled), died: death.promise, listed, authored };
}

type Deletion = Awaited<ReturnType<typeof deletion>>;

/** Takes the deletion back as the editor and the command line do. */
async function undone({ options }: Deletion) {
  const before = await compareFolder(options);
  const undo = await planUndo(options);
  if (undo.kind !== 'plan') throw new Error(undo.message);
  const { result } = await deployPlan(undo.plan, options, { undoes: undo.deployment.id, keepLock: true });
  if (result.kind !== 'applied') throw new Error('stale');
  await noteChanges(result.results, before, options);
  return { plan: undo.plan, results: result.results };
}

describe('the exceptions of a policy that is deleted, which no file knows', () => {
  it.each(['none', 'it dies when the policy is gone', 'one is made meanwhile'] as const)(
    'come back with it, under new ids that are listed; trouble: %s',
    async (trouble) => {
      await using folder = await contentFolder();
      const it = await deletion(folder.root, trouble);
      const ids = (await it.listed()).map(({ exceptionId }) => exceptionId);
      const before = await it.authored();
      expect(it.plan.operations.map(({ action, id }) => `${action} ${id}`)).toEqual(['delete $account-p-1']);
      expect(planCost(it.plan, it.client.rateLimits).map(({ functionality, calls }) => [functionality, calls])).toEqual(
        [endpoints.policies.delete.functionality, endpoints.exceptions.list.functionality].sort().map((of) => [of, 1]),
      );

      const end = await Promise.race([deployPlan(it.plan, it.troubled), it.died]);
      expect(end === 'killed').toBe(trouble === 'it dies when the policy is gone');
      if (end === 'killed') {
        // A dead process would not live on under its number.
        await rm(path.join(folder.root, '.lql', 'in-use.json'));
        const resume = await interruptedDeployment(it.options);
        if (!resume) throw new Error('Nothing was interrupted.');
        const { result } = await deployPlan(resume.plan, it.options, { resume });
        expect(result).toMatchObject({ kind: 'applied', results: [{ outcome: { kind: 'done' } }] });
      }

      const { plan, results } = await undone(it);
      expect(plan.obstacles).toEqual([]);
      const count = trouble === 'one is made meanwhile' ? 3 : 2;
      expect(results.map(({ outcome }) => outcome.kind)).toEqual(Array(count + 1).fill('done'));
      const after = await it.authored();
      expect(after.length).toBe(count);
      expect(after).toEqual(expect.arrayContaining(before));
      for (const { exceptionId } of await it.listed()) {
        expect(ids).not.toContain(exceptionId);
        expect(describeResults(results)).toContain(`as ${exceptionId}`);
      }
      // They have no file now either, and nobody takes that for a deletion.
      const next = planDeployment(await compareFolder(it.options), it.options, {
        prune: true,
        overwrite: new Set(),
        only: undefined,
      });
      expect(next.operations.filter(({ kind }) => kind === 'exception')).toEqual([]);
    },
  );

  it('keep the policy where they cannot be read', async () => {
    await using folder = await contentFolder();
    const it = await deletion(folder.root, 'the exceptions cannot be read');
    const { result } = await deployPlan(it.plan, it.troubled);
    expect(result).toMatchObject({ kind: 'applied', results: [{ outcome: { kind: 'skipped' } }] });
    expect((await it.listed()).length).toBe(2);
  });

  it('stay away from a policy that somebody made again', async () => {
    await using folder = await contentFolder();
    const it = await deletion(folder.root, 'none');
    await deployPlan(it.plan, it.options);
    const texts = { title: 'another', description: 'd', remediation: 'r', severity: 'low' as const };
    const body = { ...texts, policyId: '$account-p-1', queryId: 'Acme_Q', enabled: true, alertEnabled: false };
    await it.client.call(endpoints.policies.create, { body });
    const { plan } = await undone(it);
    expect(plan.operations).toEqual([]);
    expect(await it.listed()).toEqual([]);
  });
});
