import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  adoptInSync,
  type ContentOptions,
  compareFolder,
  deployPlan,
  interruptedDeployment,
  type PlanRequest,
  planDeployment,
} from '../../../../server/api/content/content-sync.ts';
import { FolderBusyError, withFolder } from '../../../../server/api/content/folder-lock.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { contentFolder, inProcessAccount, type PersonOptions } from './support/in-process.ts';

const queryText = (column = 'ARN'): string =>
  `{ source { SVC_CFG_AWS_S3 } return distinct { ${column} as RESOURCE_KEY } }`;
const queryFile = (id: string, text = queryText()): string => `queryId: ${id}\nqueryText: "${text}"\n`;
const policyFile = (id: string, queryId: string, title = 'Open'): string =>
  `policyId: ${id}\nqueryId: ${queryId}\ntitle: ${title}\nenabled: true\nseverity: high\ndescription: d\nremediation: r\nalertEnabled: false\n`;

/** An account with two queries and a policy that were pulled, and files that are then changed. */
async function pulled(files: Readonly<Record<string, string>>, person: PersonOptions = {}) {
  const acme = inProcessAccount();
  const owner = acme.client();
  const folder = await contentFolder();
  const ids = ['Acme_A', 'Acme_B'];
  for (const queryId of ids) await owner.call(endpoints.queries.create, { body: { queryId, queryText: queryText() } });
  const texts = { title: 'Open', description: 'd', remediation: 'r', queryId: 'Acme_A' };
  await owner.call(endpoints.policies.create, {
    body: { ...texts, policyId: '$account-a-1', enabled: true, severity: 'high', alertEnabled: false },
  });
  const before = acme.options(folder.root, owner);
  await pullContent(await compareFolder(before), before, { only: undefined, take: new Set() });
  await folder.write(files);
  const options: ContentOptions = { ...acme.options(folder.root, acme.client(person)), patience: 100 };
  const plan = async (request: Partial<PlanRequest> = {}) =>
    planDeployment(await compareFolder(options), options, {
      prune: true,
      overwrite: new Set(),
      only: undefined,
      ...request,
    });
  const account = async (): Promise<Record<string, string>> => {
    const { remote } = await compareFolder(before);
    const own = [...remote.values()].filter(({ vendorOwned }) => !vendorOwned);
    return Object.fromEntries(own.map((object) => [object.id, meaningOf(object)]));
  };
  const text = (file: string): Promise<string> => readFile(path.join(folder.root, file), 'utf8');
  return {
    owner,
    root: folder.root,
    options,
    plan,
    account,
    text,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const obstacles = (plan: { readonly obstacles: readonly { readonly id: string; readonly message: string }[] }) =>
  plan.obstacles.map(({ id, message }) => `${id}: ${message}`);

describe('bad input ends in a clear state and loses nothing', { timeout: 60_000 }, () => {
  it('ids that the service refuses, or keeps for itself and the vendor', async () => {
    await using made = await pulled({
      'queries/bad.yaml': queryFile('Acme-Query'),
      'queries/global.yaml': queryFile('SVC_Global_Mine'),
      'policies/bad.yaml': policyFile('$account-Buckets-1', 'Acme_A'),
      'policies/given.yaml': policyFile('$account-default-7', 'Acme_A'),
      'policies/other.yaml': policyFile('somebody-buckets-1', 'Acme_A'),
      'policies/good.yaml': policyFile('$account-good-1', 'Acme_A'),
    });
    const plan = await made.plan();
    expect(plan.operations.map(({ id }) => id)).toEqual(['$account-good-1']);
    expect(obstacles(plan)).toEqual([
      expect.stringMatching(/^\$account-Buckets-1: Behind \$account- a policy id has/),
      expect.stringMatching(/^\$account-default-7: .+given out by the service/),
      expect.stringMatching(/^somebody-buckets-1: A policy of your own needs an id like/),
      expect.stringMatching(/^Acme-Query: A query id begins with a letter/),
      expect.stringMatching(/^SVC_Global_Mine: .+belong to the vendor\. Choose another/),
    ]);
  });

  it('a policy whose query is missing, here and in the account, and one whose query is deleted', async () => {
    await using made = await pulled({ 'policies/p.yaml': policyFile('$account-p-1', 'Acme_Nowhere') });
    const missing = await made.plan();
    expect([missing.operations, obstacles(missing)]).toEqual([
      [],
      ['$account-p-1: It names the query Acme_Nowhere, which is not in the account and not part of this plan.'],
    ]);
    await writeFile(path.join(made.root, 'policies', 'p.yaml'), '');
    await writeFile(path.join(made.root, 'queries', 'Acme_A.yaml'), '');
    const deleted = await made.plan();
    expect([deleted.operations, obstacles(deleted)]).toEqual([[], ['Acme_A: The policy $account-a-1 still uses it.']]);
  });

  it('an id given twice, once here and once in another spelling', async () => {
    await using made = await pulled({
      'one.yaml': policyFile('$account-a-1', 'Acme_A', 'One'),
      'two.yaml': policyFile('a-1', 'Acme_A', 'Two'),
      'queries/Acme_B.yaml': queryFile('Acme_B', queryText('ACCOUNT_ID')),
    });
    const comparison = await compareFolder(made.options);
    expect(comparison.problems.map(({ path: file }) => file)).toEqual(['one.yaml', 'policies/a-1.yaml', 'two.yaml']);
    expect(comparison.problems[0]?.message).toContain('given 3 times (one.yaml, policies/a-1.yaml, two.yaml)');
    // What is clear goes on.
    expect((await made.plan()).operations.map(({ id }) => id)).toEqual(['Acme_B']);
  });

  it('a half-saved file: nothing that seems to be gone is deleted', async () => {
    await using made = await pulled({ 'policies/a-1.yaml': 'policyId: $account-a-1\ntitle: "half\nqueryId: A' });
    const before = await made.text('policies/a-1.yaml');
    const plan = await made.plan();
    expect([plan.operations, plan.obstacles]).toEqual([[], []]);
    const comparison = await compareFolder(made.options);
    expect(comparison.problems[0]).toMatchObject({
      path: 'policies/a-1.yaml',
      message: expect.stringContaining('YAML'),
    });
    const { pulled: changed } = await pullContent(comparison, made.options, { only: undefined, take: new Set() });
    await adoptInSync(comparison, made.options);
    expect([changed, await made.text('policies/a-1.yaml')]).toEqual([[], before]);
    expect(await made.text('lql.lock')).toContain('$account-a-1');
  });

  it('two editors at once: the second is told who works, and plans anew', async () => {
    await using made = await pulled({ 'queries/Acme_B.yaml': queryFile('Acme_B', queryText('ACCOUNT_ID')) });
    const plan = await made.plan();
    await withFolder(made.root, 'deploying', async () => {
      const refused = await deployPlan(plan, made.options).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(FolderBusyError);
    });
    expect((await made.account())['Acme_B']).toContain('ARN');
    expect((await deployPlan(plan, made.options)).result.kind).toBe('applied');
    // The other one deploys what it planned before.
    expect(await deployPlan(plan, made.options)).toMatchObject({ result: { kind: 'stale' } });
  });

  it('a console edit in between: nothing of the plan is done, and both sides stay', async () => {
    await using made = await pulled({
      'queries/Acme_B.yaml': queryFile('Acme_B', queryText('ACCOUNT_ID')),
      'policies/a-1.yaml': policyFile('$account-a-1', 'Acme_A', 'Mine'),
    });
    const plan = await made.plan();
    await made.owner.call(endpoints.policies.update, {
      params: { policyId: 'harborline-a-1' },
      body: { title: 'Theirs' },
    });
    const before = await made.account();
    expect(await deployPlan(plan, made.options)).toMatchObject({
      result: { kind: 'stale', changed: ['policy\n$account-a-1'] },
    });
    expect(await made.account()).toEqual(before);
    expect((await made.plan()).obstacles.map(({ id, state }) => [id, state])).toEqual([['$account-a-1', 'conflict']]);
    expect(await made.text('policies/a-1.yaml')).toContain('title: Mine');
  });

  it('401 in the middle: the list of results is complete, and planning again goes on', async () => {
    let isLockedOut = false;
    await using made = await pulled(
      {
        'queries/Acme_A.yaml': queryFile('Acme_A', queryText('ACCOUNT_ID')),
        'policies/a-1.yaml': policyFile('$account-a-1', 'Acme_A', 'Mine'),
      },
      {
        through: async (request, send) => {
          if (isLockedOut) return Response.json({ message: 'no' }, { status: 401 });
          const answer = await send(request);
          if (request.method === 'PATCH') isLockedOut = true;
          return answer;
        },
      },
    );
    const { result } = await deployPlan(await made.plan(), made.options);
    if (result.kind !== 'applied') throw new Error('stale');
    expect(result.results.map(({ operation, outcome }) => [operation.id, outcome.kind])).toEqual([
      ['Acme_A', 'unknown'],
      ['$account-a-1', 'skipped'],
    ]);
    expect(result.results.map(({ outcome }) => 'message' in outcome && outcome.message)).toEqual([
      expect.stringMatching(/^The service took the change of Acme_A\. The account could not be read again/),
      'It needs the query Acme_A, of which nobody knows whether it was deployed.',
    ]);
    isLockedOut = false;
    const rest = await made.plan();
    expect(rest.operations.map(({ id }) => id)).toEqual(['$account-a-1']);
    expect(rest.obstacles).toEqual([]);
  });

  it('the machine dying: what was begun is known, and going on ends it', async () => {
    const death = Promise.withResolvers<'dead'>();
    let writes = 0;
    await using made = await pulled(
      {
        'queries/Acme_A.yaml': queryFile('Acme_A', queryText('ACCOUNT_ID')),
        'policies/a-1.yaml': policyFile('$account-a-1', 'Acme_A', 'Mine'),
      },
      {
        through: async (request, send) => {
          if (request.method !== 'PATCH' || ++writes > 1) return send(request);
          await send(request);
          death.resolve('dead');
          return new Promise(() => {});
        },
      },
    );
    const plan = await made.plan();
    expect(await Promise.race([deployPlan(plan, made.options), death.promise])).toBe('dead');
    // The dead have no process number that lives.
    const lock = path.join(made.root, '.lql', 'in-use.json');
    await writeFile(lock, (await readFile(lock, 'utf8')).replace(/"pid":\d+/, `"pid":${2 ** 30}`));
    const resume = await interruptedDeployment(made.options);
    expect(resume?.entries).toEqual([{ kind: 'begun', key: 'query\nAcme_A' }]);
    const { result } = await deployPlan(plan, made.options, { resume });
    if (result.kind !== 'applied') throw new Error('stale');
    expect(result.results.map(({ outcome }) => outcome.kind)).toEqual(['done', 'done']);
    expect(writes).toBe(2);
    expect(await interruptedDeployment(made.options)).toBeUndefined();
    expect(await made.plan()).toMatchObject({ operations: [], obstacles: [] });
  });
});
