import { describe, expect, it } from 'vitest';
import { adoptInSync, compareFolder, planDeployment } from '../../../../server/api/content/content-sync.ts';
import { type BehaviourRequest, planBehaviour } from '../../../../server/api/content/plan-behaviour.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { systemClock } from '../../../../server/api/transport/clock.ts';
import { createRateLimits } from '../../../../server/api/transport/rate-limits.ts';
import { contentFolder, inProcessAccount, type PersonOptions } from './support/in-process.ts';

const text = (filter: string, columns = 'ARN as RESOURCE_KEY'): string =>
  `{ source { SVC_CFG_AWS_S3 } ${filter} return distinct { ${columns} } }`;
const queryFile = (id: string, queryText: string): string => `queryId: ${id}\nqueryText: |-\n  ${queryText}\n`;
const policyFile = (id: string, queryId: string): string =>
  `policyId: ${id}\nqueryId: ${queryId}\ntitle: Open\nenabled: true\nseverity: high\ndescription: d\nremediation: r\nalertEnabled: false\n`;
const week = { start: Date.now() - 7 * 86_400_000, end: Date.now() };

/** An account with one query in use and one that is not, and files whose texts are then changed. */
async function changed(files: Readonly<Record<string, string>>, person: PersonOptions = {}) {
  const acme = inProcessAccount('harborline', { sample: 'demo' });
  const client = acme.client(person);
  for (const queryId of ['Acme_Buckets', 'Acme_Unused'])
    await client.call(endpoints.queries.create, { body: { queryId, queryText: text('') } });
  const folder = await contentFolder({
    'queries/a.yaml': queryFile('Acme_Buckets', text('')),
    'queries/b.yaml': queryFile('Acme_Unused', text('')),
  });
  const policy = { queryId: 'Acme_Buckets', title: 'Open', enabled: true, severity: 'high' as const };
  await client.call(endpoints.policies.create, {
    body: { ...policy, policyId: '$account-buckets-1', description: 'd', remediation: 'r', alertEnabled: false },
  });
  await folder.write({ 'policies/p.yaml': policyFile('$account-buckets-1', 'Acme_Buckets') });
  const options = acme.options(folder.root, client);
  await adoptInSync(await compareFolder(options), options);
  await folder.write(files);
  const comparison = await compareFolder(options);
  const plan = planDeployment(comparison, options, { prune: false, overwrite: new Set(), only: undefined });
  const behaviour = (request: Partial<BehaviourRequest> = {}, signal?: AbortSignal) =>
    planBehaviour(plan, comparison.remote, { ...options, signal }, { range: week, ...request });
  return { behaviour, plan, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('the behavioural plan', { timeout: 60_000 }, () => {
  it('runs the deployed and the new text of a changed query and shows what each policy would find', async () => {
    let executions = 0;
    await using made = await changed(
      {
        'queries/a.yaml': queryFile('Acme_Buckets', text("filter { ACCOUNT_ID <> 'nobody' and contains(ARN, 'log') }")),
        'queries/c.yaml': queryFile('Acme_New', text('')),
      },
      {
        through: (request, send) => {
          if (request.url.endsWith('/execute')) executions++;
          return send(request);
        },
      },
    );
    const steps: string[] = [];
    const result = await made.behaviour({ sample: 2, progress: (done, total) => steps.push(`${done}/${total}`) });
    if (result.kind !== 'compared') throw new Error(result.kind);
    expect([result.requests, executions]).toEqual([2, 2]);
    expect(steps).toEqual(['0/2', '1/2', '2/2']);
    expect(result.queries).toHaveLength(1);
    const [query] = result.queries;
    expect(query?.check.policies.map(({ id }) => id)).toEqual(['$account-buckets-1']);
    if (query?.outcome.kind !== 'compared') throw new Error('not run');
    const { hits } = query.outcome;
    expect(hits.before).toBeGreaterThan(hits.after);
    expect(hits.after).toBeGreaterThan(0);
    expect([hits.added, hits.lost]).toEqual([0, hits.before - hits.after]);
    expect(hits.lostRows).toHaveLength(2);
    for (const row of hits.lostRows) expect(String(row['RESOURCE_KEY'])).not.toContain('log');
  });

  it('tells what the service says of a text that cannot be run, and goes on with the others', async () => {
    await using made = await changed({
      'queries/a.yaml': queryFile('Acme_Buckets', text('', 'NOWHERE as RESOURCE_KEY')),
      'queries/b.yaml': queryFile('Acme_Unused', text("filter { ARN = 'none' }")),
    });
    const result = await made.behaviour();
    if (result.kind !== 'compared') throw new Error(result.kind);
    expect(result.queries.map(({ check, outcome }) => [check.queryId, outcome.kind])).toEqual([
      ['Acme_Buckets', 'failed'],
      ['Acme_Unused', 'compared'],
    ]);
    expect(result.queries[0]?.outcome).toMatchObject({ side: 'new', message: expect.stringContaining('NOWHERE') });
    // Both deployed texts are the same: it is run once.
    expect(result.requests).toBe(3);
  });

  it('takes the window of the query itself where none is given', async () => {
    await using made = await changed({
      'queries/a.yaml': `queryId: Acme_Buckets\nqueryText: |-\n  -- @range last 2 days\n  ${text("filter { ARN = 'x' }")}\n`,
    });
    const result = await made.behaviour({ range: undefined });
    if (result.kind !== 'compared') throw new Error(result.kind);
    const { range } = result.queries[0] ?? { range: { start: 0, end: 0 } };
    expect(range.end - range.start).toBe(2 * 86_400_000);
  });

  it('is refused before anything is run when the budget would fall under its reserve', async () => {
    let executions = 0;
    await using made = await changed(
      { 'queries/a.yaml': queryFile('Acme_Buckets', text("filter { ARN = 'x' }")) },
      {
        rateLimits: createRateLimits({ clock: systemClock, limit: 10 }),
        through: async (request, send) => {
          if (request.url.endsWith('/execute')) executions++;
          const answer = await send(request);
          const headers = new Headers(answer.headers);
          for (const name of [...headers.keys()]) if (name.startsWith('ratelimit')) headers.delete(name);
          return new Response(answer.status === 204 ? null : await answer.text(), { status: answer.status, headers });
        },
      },
    );
    for (let asked = 2; asked <= 8; asked += 2) expect((await made.behaviour()).kind).toBe('compared');
    expect(executions).toBe(8);
    const refused = await made.behaviour();
    expect(refused).toMatchObject({ kind: 'refused', needed: 2, left: 1 });
    expect(refused).toMatchObject({ message: expect.stringMatching(/takes 2 requests.*1 of the 10.*Nothing was run/) });
    expect(executions).toBe(8);
  });

  it('can be cancelled between runs, and has nothing to say of a plan without changed queries', async () => {
    const controller = new AbortController();
    await using made = await changed({ 'queries/a.yaml': queryFile('Acme_Buckets', text("filter { ARN = 'x' }")) });
    const running = made.behaviour({ progress: (done) => done === 1 && controller.abort() }, controller.signal);
    await expect(running).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
    await using other = await changed({
      'policies/p.yaml': policyFile('$account-buckets-1', 'Acme_Buckets').replace('high', 'low'),
    });
    expect(other.plan.operations).toHaveLength(1);
    expect(await other.behaviour()).toEqual({ kind: 'nothing' });
  });
});
