import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../../server/api/client.ts';
import { readFolder, readLock } from '../../../../server/api/content/content-folder.ts';
import {
  adoptInSync,
  type ContentOptions,
  compareFolder,
  deployPlan,
  interruptedDeployment,
  planDeployment,
  planUndo,
} from '../../../../server/api/content/content-sync.ts';
import { parsePlanFile, printPlanFile } from '../../../../server/api/content/plan-file.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { systemClock } from '../../../../server/api/transport/clock.ts';
import { ApiError } from '../../../../server/api/transport/errors.ts';
import { createRateLimits } from '../../../../server/api/transport/rate-limits.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import type { Transport } from '../../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import { contentKey } from '../../../../server/core/content/content-object.ts';
import { defaultLayout } from '../../../../server/core/content/files/file-names.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { startPlatform } from '../../../../server/platform/index.ts';

const deep = process.env['DEEP'] === '1';

interface Account {
  readonly options: ContentOptions;
  readonly client: ApiClient;
  /** Calls since the last look, tokens left out. */
  takeCalls(): { readonly all: number; readonly writes: number };
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function newFolder(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'lql-content-'));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  return root;
}

async function account(
  root: string,
  name = 'harborline',
  through = (transport: Transport): Transport => transport,
): Promise<Account> {
  const platform = await startPlatform({ account: name, rateLimit: false, sample: 'none' });
  let [all, writes] = [0, 0];
  const client = createApiClient({
    origin: platform.url,
    vendorPrefix: 'SVC',
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: withoutBudget(through(createUndiciTransport())),
    // The budget has a test of its own.
    rateLimits: createRateLimits({ clock: systemClock, limit: 1_000_000 }),
    log: ({ operation, method }) => {
      if (operation.startsWith('tokens')) return;
      all++;
      if (method !== 'GET') writes++;
    },
  });
  cleanups.push(async () => {
    await client.close();
    await platform.stop();
  });
  const takeCalls = () => {
    const taken = { all, writes };
    all = 0;
    writes = 0;
    return taken;
  };
  return {
    client,
    takeCalls,
    options: {
      root,
      account: { id: `${name}.test`, names: { account: name, vendorPrefix: 'SVC' }, client },
      now: () => Date.now(),
    },
  };
}

/** The service tells its limit even where it does not enforce it. */
function withoutBudget(transport: Transport): Transport {
  return {
    close: () => transport.close(),
    async send(request) {
      const answer = await transport.send(request);
      return { ...answer, headers: new Map([...answer.headers].filter(([name]) => !name.startsWith('ratelimit'))) };
    },
  };
}

const queryText = (column: string): string =>
  `{ source { SVC_CFG_AWS_S3 } return distinct { ACCOUNT_ID, ${column} as RESOURCE_KEY } }`;
const policyOf = (queryId: string, title: string) => ({
  queryId,
  title,
  enabled: false,
  severity: 'high' as const,
  description: 'What it finds.\nAnd why.',
  remediation: 'Close it: now #1',
  alertEnabled: false,
});

async function fill({ client }: Account, queries: number, policies: number, profiles: number): Promise<void> {
  const list = await client.call(endpoints.alertProfiles.list);
  const parent = list.data.find(
    ({ alertProfileId, alerts }) => alertProfileId.includes('CFG_AWS') && (alerts ?? []).length > 0,
  );
  if (!parent) throw new Error('no profile to extend');
  for (let index = 0; index < queries; index++)
    await client.call(endpoints.queries.create, {
      body: { queryId: `Acme_Query_${index}`, queryText: queryText('ARN') },
    });
  for (let index = 0; index < profiles; index++) {
    const alerts = [
      { name: `T${index}`, eventName: 'Event', description: '{{RESOURCE_ID}} is open', subject: 'Bucket' },
    ];
    await client.call(endpoints.alertProfiles.create, {
      body: { alertProfileId: `Acme_Profile_${index}`, extends: parent.alertProfileId, alerts },
    });
  }
  for (let index = 0; index < policies; index++) {
    const body = {
      ...policyOf(`Acme_Query_${index % queries}`, `Policy ${index}`),
      policyId: `$account-buckets-${index}`,
      tags: ['team:storage'],
    };
    await client.call(endpoints.policies.create, { body });
  }
}

const everything = { only: undefined, take: new Set<string>() };
const pull = async (options: ContentOptions) => pullContent(await compareFolder(options), options, everything);
const planOf = async (options: ContentOptions, request: Partial<Parameters<typeof planDeployment>[2]> = {}) =>
  planDeployment(await compareFolder(options), options, {
    prune: false,
    overwrite: new Set(),
    only: undefined,
    ...request,
  });
const deploy = async (options: ContentOptions, request = {}) => {
  const { result } = await deployPlan(await planOf(options, request), options);
  await adoptInSync(await compareFolder(options), options);
  return result;
};
const outcomes = (result: Awaited<ReturnType<typeof deploy>>) =>
  result.kind === 'applied' ? result.results.map(({ outcome }) => outcome.kind) : result.kind;

async function edit(root: string, file: string, change: (text: string) => string): Promise<void> {
  const full = path.join(root, file);
  await writeFile(full, change(await readFile(full, 'utf8')));
}

async function ownMeanings({ options }: Account): Promise<Map<string, string>> {
  const { remote } = await compareFolder(options);
  return new Map(
    [...remote].filter(([, object]) => !object.vendorOwned).map(([key, object]) => [key, meaningOf(object)]),
  );
}

async function snapshot(root: string): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(root, { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const file of files) {
    const full = path.join(file.parentPath, file.name);
    if (file.isFile() && !full.includes(`${path.sep}.lql${path.sep}`))
      texts.set(path.relative(root, full), await readFile(full, 'utf8'));
  }
  return texts;
}

describe('a folder and an account', { timeout: 300_000 }, () => {
  it('go through a whole life: pull, edit, plan, deploy, undo', async () => {
    const root = await newFolder();
    const acme = await account(root);
    await fill(acme, 6, 5, 2);
    const { pulled, left } = await pull(acme.options);
    expect(left).toEqual([]);
    expect(pulled).toHaveLength(13);
    expect((await planOf(acme.options)).operations).toEqual([]);
    const before = await ownMeanings(acme);

    await edit(root, 'queries/Acme_Query_1.yaml', (text) => text.replace('ARN', 'ACCOUNT_ALIAS'));
    await edit(
      root,
      'policies/buckets-2.yaml',
      (text) => `# reviewed\n${text.replace('severity: high', 'severity: low')}`,
    );
    await edit(root, 'alert-profiles/Acme_Profile_0.yaml', (text) =>
      text.replace('subject: Bucket', 'subject: Open bucket'),
    );
    await mkdir(path.join(root, 'exceptions/buckets-1'), { recursive: true });
    await writeFile(
      path.join(root, 'exceptions/buckets-1/dev.yaml'),
      'policyId: $account-buckets-1\nconstraints:\n  - fieldKey: accountIds\n    fieldValues: ["111122223333"]\n',
    );
    await rm(path.join(root, 'policies/buckets-4.yaml'));
    const plan = await planOf(acme.options, { prune: true });
    expect(plan.obstacles).toEqual([]);
    expect(
      plan.operations.map(({ action, kind, id, changes }) => [action, kind, id, changes.map(({ field }) => field)]),
    ).toEqual([
      ['update', 'query', 'Acme_Query_1', ['queryText']],
      ['update', 'alertProfile', 'Acme_Profile_0', ['alerts']],
      ['update', 'policy', '$account-buckets-2', ['severity']],
      [
        'create',
        'exception',
        '$account-buckets-1/dev',
        ['policyId', 'description', 'constraints', 'expiryTime'].filter((f) => f === 'policyId' || f === 'constraints'),
      ],
      ['delete', 'policy', '$account-buckets-4', expect.any(Array)],
    ]);
    acme.takeCalls();
    expect(outcomes(await deploy(acme.options, { prune: true }))).toEqual(['done', 'done', 'done', 'done', 'done']);
    expect(acme.takeCalls().writes).toBe(5);
    expect((await planOf(acme.options, { prune: true })).operations).toEqual([]);
    expect(await readFile(path.join(root, 'policies/buckets-2.yaml'), 'utf8')).toMatch(/^# reviewed/);

    const undo = await planUndo(acme.options);
    if (undo.kind !== 'plan') throw new Error(undo.message);
    expect(undo.plan.obstacles).toEqual([]);
    const { result } = await deployPlan(undo.plan, acme.options, { undoes: undo.deployment.id });
    expect(outcomes(result)).toEqual(Array(5).fill('done'));
    expect(await ownMeanings(acme)).toEqual(before);
    expect(await planUndo(acme.options)).toMatchObject({ kind: 'nothing' });
  });

  it('keep their requests few, whatever the size', async () => {
    const root = await newFolder();
    const acme = await account(root);
    const [queries, policies, profiles] = deep ? [1000, 500, 50] : [60, 30, 5];
    await fill(acme, queries, policies, profiles);
    acme.takeCalls();
    const started = performance.now();
    const { pulled, left } = await pull(acme.options);
    const pullMs = performance.now() - started;
    expect([pulled.length, left.length]).toEqual([queries + policies + profiles, 0]);
    const pullCalls = acme.takeCalls();
    expect(pullCalls.all).toBeLessThanOrEqual(5);
    const again = performance.now();
    expect((await planOf(acme.options)).operations).toEqual([]);
    const planCalls = acme.takeCalls();
    expect(planCalls).toEqual({ all: 3, writes: 0 });
    const files = await snapshot(root);
    expect((await pull(acme.options)).pulled).toEqual([]);
    expect(await snapshot(root)).toEqual(files);
    console.log(
      `pull of ${queries} queries, ${policies} policies, ${profiles} profiles: ${pullCalls.all} requests, ${Math.round(pullMs)} ms; plan without changes: ${planCalls.all} requests, ${Math.round(performance.now() - again)} ms`,
    );
  });

  it('deploy the same files to a second account and rewrite nothing of them', async () => {
    const root = await newFolder();
    const first = await account(root);
    await fill(first, 3, 3, 1);
    await pull(first.options);
    const files = await snapshot(root);
    const second = await account(root, 'secondly');
    const plan = await planOf(second.options);
    expect(plan.obstacles).toEqual([]);
    expect(plan.operations.map(({ action }) => action)).toEqual(Array(7).fill('create'));
    expect(outcomes(await deploy(second.options))).toEqual(Array(7).fill('done'));
    const after = await snapshot(root);
    expect([...after].filter(([name]) => name !== 'lql.lock')).toEqual(
      [...files].filter(([name]) => name !== 'lql.lock'),
    );
    expect((await planOf(first.options)).operations).toEqual([]);
    expect((await planOf(second.options)).operations).toEqual([]);
    const lock = await readLock(root);
    expect(
      [...lock.values()]
        .filter(({ kind }) => kind === 'policy')
        .map(({ account: id, remoteId }) => [id, remoteId])
        .sort(),
    ).toEqual(
      [0, 1, 2]
        .flatMap((n) => [
          ['harborline.test', `harborline-buckets-${n}`],
          ['secondly.test', `secondly-buckets-${n}`],
        ])
        .sort(),
    );
  });

  it('overwrite nothing in a clone without the base, on either side', async () => {
    const root = await newFolder();
    const acme = await account(root);
    await fill(acme, 3, 1, 0);
    await pull(acme.options);
    await rm(path.join(root, '.lql'), { recursive: true });
    await edit(root, 'queries/Acme_Query_0.yaml', (text) => text.replace('ARN', 'ACCOUNT_ALIAS'));
    await acme.client.call(endpoints.queries.update, {
      params: { queryId: 'Acme_Query_1' },
      body: { queryText: queryText('ACCOUNT_ALIAS') },
    });
    const files = await snapshot(root);
    const plan = await planOf(acme.options);
    expect(plan.operations).toEqual([]);
    expect(plan.obstacles.map(({ id, state }) => [id, state])).toEqual([
      ['Acme_Query_0', 'unknownBase'],
      ['Acme_Query_1', 'remoteAhead'],
    ]);
    const { pulled, left } = await pull(acme.options);
    expect(pulled.map(({ object }) => object.id)).toEqual(['Acme_Query_1']);
    expect(left.map(({ step }) => step.comparison.id)).toEqual(['Acme_Query_0']);
    expect((await snapshot(root)).get(path.join('queries', 'Acme_Query_0.yaml'))).toBe(
      files.get(path.join('queries', 'Acme_Query_0.yaml')),
    );
    // Seen and decided, the file's side holds.
    const decided = new Set([contentKey({ kind: 'query', id: 'Acme_Query_0' })]);
    expect(outcomes(await deploy(acme.options, { overwrite: decided }))).toEqual(['done']);
  });

  it('merge what touches different fields, and leave what touches the same', async () => {
    const root = await newFolder();
    const acme = await account(root);
    await fill(acme, 2, 2, 0);
    await pull(acme.options);
    await edit(root, 'policies/buckets-0.yaml', (text) => text.replace('title: Policy 0', 'title: Mine # my words'));
    await edit(root, 'policies/buckets-1.yaml', (text) => text.replace('title: Policy 1', 'title: Mine'));
    const update = (n: number, body: object) =>
      acme.client.call(endpoints.policies.update, { params: { policyId: `harborline-buckets-${n}` }, body });
    await update(0, { severity: 'critical' });
    await update(1, { title: 'Theirs' });
    const { pulled, left } = await pull(acme.options);
    expect(pulled.map(({ kind, path: file }) => [kind, file])).toEqual([['merged', 'policies/buckets-0.yaml']]);
    expect(left).toHaveLength(1);
    const text = await readFile(path.join(root, 'policies/buckets-0.yaml'), 'utf8');
    expect(text).toContain('title: Mine # my words');
    expect(text).toContain('severity: critical');
    const plan = await planOf(acme.options);
    expect(plan.operations.map(({ id, changes }) => [id, changes.map(({ field }) => field)])).toEqual([
      ['$account-buckets-0', ['title']],
    ]);
    expect(plan.obstacles.map(({ id, state }) => [id, state])).toEqual([['$account-buckets-1', 'conflict']]);
    const stale = await planOf(acme.options);
    await update(0, { severity: 'low' });
    expect(await deployPlan(stale, acme.options)).toMatchObject({ result: { kind: 'stale' } });
  });

  it('take half-saved files, files with the same id and vanished files for what they are', async () => {
    const root = await newFolder();
    const acme = await account(root);
    await fill(acme, 3, 0, 0);
    await pull(acme.options);
    await edit(root, 'queries/Acme_Query_0.yaml', () => 'queryId: "Acme_Query_0\nqueryText: |');
    await writeFile(path.join(root, 'copy.yaml'), await readFile(path.join(root, 'queries/Acme_Query_1.yaml'), 'utf8'));
    await rm(path.join(root, 'queries/Acme_Query_2.yaml'));
    const files = await snapshot(root);
    const comparison = await compareFolder(acme.options);
    expect(comparison.problems.map(({ path: file }) => file)).toEqual([
      'copy.yaml',
      'queries/Acme_Query_0.yaml',
      'queries/Acme_Query_1.yaml',
      undefined,
      undefined,
    ]);
    const plan = planDeployment(comparison, acme.options, { prune: true, overwrite: new Set(), only: undefined });
    expect(plan.operations).toEqual([]);
    const { pulled } = await pullContent(comparison, acme.options, everything);
    expect(pulled).toEqual([]);
    expect(await snapshot(root)).toEqual(files);
  });

  it('come to the same end when the work is killed at any step and taken up again', async () => {
    const ends = new Set<string>();
    let kills = 0;
    for (const moment of ['before', 'after'] as const) {
      for (let killAt = 1; killAt < 60; killAt += deep ? 1 : 4) {
        const root = await newFolder();
        let calls = Number.NEGATIVE_INFINITY;
        const death = Promise.withResolvers<'killed'>();
        // The process dies: the call may have reached the service, and nobody ever learns the answer.
        const acme = await account(root, 'harborline', (transport) => ({
          close: () => transport.close(),
          async send(request) {
            const dies = ++calls === killAt;
            if (!dies || moment === 'after') {
              const answer = await transport.send(request);
              if (!dies) return answer;
            }
            death.resolve('killed');
            return new Promise(() => {});
          },
        }));
        await fill(acme, 2, 2, 1);
        await pull(acme.options);
        await edit(root, 'queries/Acme_Query_0.yaml', (text) => text.replace('ARN', 'ACCOUNT_ALIAS'));
        await edit(root, 'policies/buckets-0.yaml', (text) => text.replace('severity: high', 'severity: low'));
        await edit(root, 'alert-profiles/Acme_Profile_0.yaml', (text) => text.replace('name: T0', 'name: T1'));
        await writeFile(
          path.join(root, 'queries/New_One.yaml'),
          `queryId: New_One\nqueryText: "${queryText('ARN')}"\n`,
        );
        const exception =
          'policyId: $account-buckets-1\nconstraints:\n  - fieldKey: accountIds\n    fieldValues: ["1"]\n';
        await writeFile(path.join(root, 'ex.yaml'), exception);
        const plan = await planOf(acme.options);
        expect(plan.operations).toHaveLength(5);
        calls = 0;
        const end = await Promise.race([deployPlan(plan, acme.options), death.promise]);
        calls = Number.NEGATIVE_INFINITY;
        // This process lives on; a dead one's claim to the folder is not believed.
        await rm(path.join(root, '.lql', 'in-use.json'), { force: true });
        const resume = await interruptedDeployment(acme.options);
        expect(resume !== undefined).toBe(end === 'killed');
        if (resume) {
          kills++;
          const { result } = await deployPlan(resume.plan, acme.options, { resume });
          expect([killAt, moment, outcomes(result)]).toEqual([killAt, moment, Array(5).fill('done')]);
        }
        await adoptInSync(await compareFolder(acme.options), acme.options);
        expect([killAt, moment, (await planOf(acme.options)).operations]).toEqual([killAt, moment, []]);
        const { data } = await acme.client.call(endpoints.exceptions.list, {
          query: { policyId: 'harborline-buckets-1' },
        });
        expect([killAt, moment, data.length]).toEqual([killAt, moment, 1]);
        ends.add(JSON.stringify([...(await ownMeanings(acme))]));
        for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
        if (end !== 'killed') break;
      }
    }
    expect(ends.size).toBe(1);
    expect(kills).toBeGreaterThan(deep ? 20 : 6);
    console.log(`deployments killed and taken up again: ${kills}, different ends: ${ends.size}`);
  });

  it('come to the same end when any call fails and the deployment is made again', async () => {
    const ends = new Set<string>();
    const failures = ['500, not carried out', '500, carried out', '401 from then on', 'reset, carried out'] as const;
    let failed = 0;
    for (const failure of failures) {
      for (let failAt = 1; failAt < 60; failAt += deep ? 1 : 5) {
        const root = await newFolder();
        let calls = Number.NEGATIVE_INFINITY;
        let hit = false;
        const acme = await account(root, 'harborline', (transport) => ({
          close: () => transport.close(),
          async send(request) {
            calls++;
            if (calls < failAt || (calls > failAt && failure !== '401 from then on')) return transport.send(request);
            hit = true;
            if (failure.endsWith(', carried out')) await transport.send(request);
            if (failure.startsWith('reset')) throw new ApiError({ kind: 'network', code: 'ECONNRESET', sent: true });
            const status = failure.startsWith('500') ? 500 : 401;
            return { status, headers: new Map(), body: Buffer.from('{"message":"injected"}') };
          },
        }));
        await fill(acme, 2, 2, 1);
        await pull(acme.options);
        await edit(root, 'queries/Acme_Query_0.yaml', (text) => text.replace('ARN', 'ACCOUNT_ALIAS'));
        await edit(root, 'policies/buckets-0.yaml', (text) => text.replace('severity: high', 'severity: low'));
        await writeFile(
          path.join(root, 'queries/New_One.yaml'),
          `queryId: New_One\nqueryText: "${queryText('ARN')}"\n`,
        );
        const exception =
          'policyId: $account-buckets-1\nconstraints:\n  - fieldKey: accountIds\n    fieldValues: ["1"]\n';
        await writeFile(path.join(root, 'ex.yaml'), exception);
        const plan = await planOf(acme.options);
        calls = 0;
        const first = await deployPlan(plan, acme.options).then(
          ({ result }) => result,
          (error: unknown) => {
            // What cannot even be read ends in a sentence, not in a half of something.
            expect(error).toBeInstanceOf(ApiError);
            return undefined;
          },
        );
        calls = Number.NEGATIVE_INFINITY;
        if (first?.kind === 'applied') expect(first.results).toHaveLength(4);
        if (hit) failed++;
        const again = await deploy(acme.options);
        expect(outcomes(again)).not.toContain('failed');
        expect([failAt, failure, (await planOf(acme.options)).operations]).toEqual([failAt, failure, []]);
        const { data } = await acme.client.call(endpoints.exceptions.list, {
          query: { policyId: 'harborline-buckets-1' },
        });
        expect([failAt, failure, data.length]).toEqual([failAt, failure, 1]);
        ends.add(JSON.stringify([...(await ownMeanings(acme))]));
        for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
        if (!hit) break;
      }
    }
    expect(ends.size).toBe(1);
    expect(failed).toBeGreaterThan(deep ? 30 : 6);
    console.log(`deployments with an injected failure: ${failed}, different ends: ${ends.size}`);
  });

  it('keep a saved plan as it was reviewed', async () => {
    const root = await newFolder();
    const acme = await account(root);
    await mkdir(path.join(root, 'queries'));
    await writeFile(path.join(root, 'queries/New_One.lql'), '{ -- mine\n  source { SVC_CFG_AWS_S3 } return { ARN } }');
    const plan = await planOf(acme.options);
    const text = printPlanFile({ accountId: 'a', undoes: undefined, plan });
    const read = parsePlanFile(text);
    expect(printPlanFile(read)).toBe(text);
    expect(() => parsePlanFile(text.replace('ARN', 'ACCOUNT_ID'))).toThrow(/changed after it was saved/);
    expect(() => parsePlanFile('nothing')).toThrow(/no saved plan/);
    const { result } = await deployPlan(read.plan, acme.options);
    expect(outcomes(result)).toEqual(['done']);
    expect((await planOf(acme.options)).operations).toEqual([]);
    expect((await readFolder(root, defaultLayout, acme.options.account.names)).objects.size).toBe(1);
    expect(await readFile(path.join(root, '.lql/.gitignore'), 'utf8')).toBe('*\n');
  });
});
