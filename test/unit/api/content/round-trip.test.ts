import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../../../server/api/client.ts';
import { readLock } from '../../../../server/api/content/content-folder.ts';
import {
  adoptInSync,
  type ContentOptions,
  compareFolder,
  deployPlan,
  type PlanRequest,
  planDeployment,
  planUndo,
} from '../../../../server/api/content/content-sync.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../../server/api/transport/errors.ts';
import { describeResults } from '../../../../server/core/content/describe-plan.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { findCorpusFile } from '../../../harness/paths.ts';
import { seededRandom } from '../../core/content/support/scheduler.ts';
import { contentFolder, type InProcessAccount, inProcessAccount } from './support/in-process.ts';

const deep = process.env['DEEP'] === '1';
const seed = Number(process.env['SEED'] ?? 20_310_402);

const planOf = async (options: ContentOptions, request: Partial<PlanRequest> = {}) =>
  planDeployment(await compareFolder(options), options, {
    prune: true,
    overwrite: new Set(),
    only: undefined,
    ...request,
  });

async function pull(options: ContentOptions, take: ReadonlySet<string> = new Set()) {
  return pullContent(await compareFolder(options), options, { only: undefined, take });
}

async function deployAll(options: ContentOptions): Promise<string[]> {
  const { result } = await deployPlan(await planOf(options), options);
  if (result.kind !== 'applied') throw new Error('stale');
  const wrong = result.results.filter(({ outcome }) => outcome.kind !== 'done');
  expect(wrong.map(({ operation, outcome }) => [operation.id, outcome])).toEqual([]);
  await adoptInSync(await compareFolder(options), options);
  return result.results.map(({ operation }) => `${operation.action} ${operation.kind} ${operation.id}`);
}

async function meanings(options: ContentOptions): Promise<Map<string, string>> {
  const { remote } = await compareFolder(options);
  const own = [...remote].filter(([, { vendorOwned }]) => !vendorOwned);
  return new Map(own.map(([key, object]) => [key, meaningOf(object)]));
}

async function texts(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    if (entry.isFile() && !file.startsWith('.lql')) found[file] = await readFile(path.join(root, file), 'utf8');
  }
  return found;
}

/** Texts that a file format must not trip over. */
const awkward = [
  'plain',
  'with: a colon',
  '# not a comment',
  'ends with colon:',
  'it\'s “quoted” "twice"',
  'two\nlines',
  'block\n  indented\nback',
  'trailing blank ',
  '- dash',
  'yes',
  'null',
  '1e3',
  '0x1f',
  '2031-04-02',
  'Ünïcödé 日本語 🔒',
  '{{RESOURCE_ID}}',
  '%TAG @at `tick` | pipe > more',
  'tab\there',
];

async function fill(client: ApiClient, random: () => number, count: number): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const text = (): string => `${pick(awkward)} ${Math.floor(random() * 1000)}`;
  const queries = Math.ceil(count * 0.55);
  const profiles = Math.ceil(count * 0.05);
  const policies = count - queries - profiles;
  const columns = ['ARN', 'ACCOUNT_ID', 'ACCOUNT_ALIAS', 'RESOURCE_ID'];
  for (let index = 0; index < queries; index++) {
    const queryId = `${pick(['Acme', 'acme', 'ACME', 'Con', 'X_y'])}_${index}`;
    const where = random() < 0.5 ? `filter { ${pick(columns)} <> '${pick(['a', "b''c", '--d'])}' } ` : '';
    const queryText = `{ source { SVC_CFG_AWS_S3 } ${where}return distinct { ${pick(columns)} as RESOURCE_KEY } }`;
    await client.call(endpoints.queries.create, { body: { queryId, queryText } });
    if (random() < 0.2)
      await client.call(endpoints.queries.update, {
        params: { queryId },
        body: { queryName: text(), description: text() },
      });
  }
  const parent = (await client.call(endpoints.alertProfiles.list)).data.find(({ alerts }) => (alerts ?? []).length > 0);
  for (let index = 0; index < profiles; index++) {
    const alerts = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, number) => ({
      name: `T${number}`,
      eventName: text(),
      description: text(),
      subject: text(),
    }));
    const body = { alertProfileId: `Acme_Profile_${index}`, extends: parent?.alertProfileId ?? '', alerts };
    await client.call(endpoints.alertProfiles.create, { body });
  }
  const { data } = await client.call(endpoints.queries.list);
  for (let index = 0; index < policies; index++) {
    const body = {
      policyId: `$account-${pick(['buckets', 'roles', 'con', 'x'])}-${index}`,
      queryId: pick(data).queryId,
      title: text(),
      description: text(),
      remediation: text(),
      enabled: random() < 0.5,
      alertEnabled: random() < 0.3,
      severity: pick(['critical', 'high', 'medium', 'low', 'info'] as const),
      ...(random() < 0.3 ? { tags: [`team:${Math.floor(random() * 5)}`, 'a b'] } : {}),
      ...(random() < 0.3 ? { limit: 1 + Math.floor(random() * 900) } : {}),
      ...(random() < 0.3 ? { alertProfile: `Acme_Profile_${index % profiles}.T0` } : {}),
    };
    await client.call(endpoints.policies.create, { body });
  }
}

async function wholeTrip(
  acme: InProcessAccount,
  client: ApiClient,
  edits: number,
  random: () => number,
): Promise<string> {
  await using folder = await contentFolder();
  const options = acme.options(folder.root, client);
  const before = await meanings(options);
  const { pulled, left } = await pull(options);
  expect(left).toEqual([]);
  expect(pulled).toHaveLength(before.size);
  expect(await planOf(options)).toMatchObject({ operations: [], obstacles: [] });
  const files = await texts(folder.root);
  expect((await pull(options)).pulled).toEqual([]);
  expect(await texts(folder.root)).toEqual(files);

  // Some titles and some queries are edited as a person would, in the text of the files.
  const names = Object.keys(files).filter((file) => /^(?:queries|policies)/.test(file));
  const edited = new Map<string, string[]>();
  while (edited.size < edits) {
    const file = names[Math.floor(random() * names.length)] ?? '';
    const text = files[file] ?? '';
    const isPolicy = file.startsWith('policies');
    const next = isPolicy
      ? text.replace(/^severity: .*$/m, 'severity: info')
      : text.replace(/\bRESOURCE_KEY\b|(?<=return[^{]*\{)/, (it) => (it === '' ? it : 'RESOURCE_NAME'));
    const id = /^(?:queryId|policyId): (.*)$/m.exec(text)?.[1] ?? '';
    const key = `${isPolicy ? 'policy' : 'query'} ${id}`;
    if (next === text || edited.has(key)) {
      names.splice(names.indexOf(file), 1);
      if (names.length === 0) break;
      continue;
    }
    await writeFile(path.join(folder.root, file), `${next}# edited\n`);
    edited.set(key, [isPolicy ? 'severity' : 'queryText']);
  }
  const plan = await planOf(options);
  expect(plan.obstacles).toEqual([]);
  expect(
    new Map(plan.operations.map(({ kind, id, changes }) => [`${kind} ${id}`, changes.map(({ field }) => field)])),
  ).toEqual(edited);
  expect(plan.operations.every(({ action }) => action === 'update')).toBe(true);
  await deployAll(options);
  expect(await planOf(options)).toMatchObject({ operations: [], obstacles: [] });

  const undo = await planUndo(options);
  if (undo.kind !== 'plan') throw new Error(undo.message);
  const { result } = await deployPlan(undo.plan, options, { undoes: undo.deployment.id });
  if (result.kind !== 'applied') throw new Error('stale');
  expect(result.results.filter(({ outcome }) => outcome.kind !== 'done')).toEqual([]);
  expect(await meanings(options)).toEqual(before);
  return `${pulled.length} objects pulled, plan 0; ${edited.size} edited, plan ${plan.operations.length}; deployed, plan 0; undone, ${before.size} of ${before.size} as before`;
}

describe('what is pulled, edited, deployed and taken back', { timeout: 3_600_000 }, () => {
  it('is the same again, for generated objects', async () => {
    const random = seededRandom(seed);
    const acme = inProcessAccount();
    const client = acme.client();
    await fill(client, random, deep ? 1_200 : 150);
    console.log(`generated (seed ${seed}): ${await wholeTrip(acme, client, deep ? 200 : 30, random)}`);
  });

  it('is the same again, for published queries and policies', async () => {
    const [queries, policies] = [findCorpusFile('queries.jsonl'), findCorpusFile('policies.jsonl')];
    if (queries === undefined || policies === undefined) {
      console.log('skipped: the corpus is absent');
      return;
    }
    const rows = (file: string): Record<string, unknown>[] =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
    const acme = inProcessAccount('harborline', { vendorPrefix: 'LW', sample: 'demo' });
    const client = acme.client();
    const refused = { query: 0, policy: 0 };
    const attempt = async (kind: 'query' | 'policy', work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        refused[kind]++;
      });
    };
    for (const { id, text } of rows(queries)) {
      const body = { queryId: `Corpus_${id}`, queryText: String(text) };
      await attempt('query', () => client.call(endpoints.queries.create, { body }));
    }
    const known = (await client.call(endpoints.queries.list)).data.filter(({ queryId }) =>
      queryId.startsWith('Corpus_'),
    );
    for (const [index, { title, description, remediation, severity, enabled, tags }] of rows(policies).entries()) {
      const body = {
        policyId: `$account-corpus-${index}`,
        queryId: known[index % known.length]?.queryId ?? '',
        title: String(title ?? 't'),
        description: String(description ?? 'd'),
        remediation: String(remediation ?? 'r'),
        severity: String(severity ?? 'low').toLowerCase() as 'low',
        enabled: enabled === true,
        alertEnabled: false,
        ...(Array.isArray(tags) ? { tags: tags.map(String) } : {}),
      };
      await attempt('policy', () => client.call(endpoints.policies.create, { body }));
    }
    expect(known.length).toBeGreaterThan(60);
    const trip = await wholeTrip(acme, client, 30, seededRandom(seed));
    console.log(`published (the service refused ${refused.query} queries and ${refused.policy} policies): ${trip}`);
  });

  it('comes back under other ids where the service gives them out, which are mapped and listed', async () => {
    const acme = inProcessAccount();
    const client = acme.client();
    const queryText = '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY } }';
    await client.call(endpoints.queries.create, { body: { queryId: 'Acme_Q', queryText } });
    const body = {
      queryId: 'Acme_Q',
      title: 't',
      description: 'd',
      remediation: 'r',
      enabled: true,
      alertEnabled: false,
    };
    const given = await client.call(endpoints.policies.create, { body: { ...body, severity: 'low' } });
    const { policyId } = given.data;
    expect(policyId).toMatch(/^harborline-default-\d+$/);
    await using folder = await contentFolder();
    const options = acme.options(folder.root, client);
    const constraints = [{ fieldKey: 'accountIds', fieldValues: ['111122223333'] }];
    const exception = await client.call(endpoints.exceptions.create, { query: { policyId }, body: { constraints } });
    await pullContent(await compareFolder({ ...options, exceptionsOf: [policyId] }), options, {
      only: undefined,
      take: new Set(),
    });
    const before = await meanings(options);
    expect(before.size).toBe(3);
    const files = await texts(folder.root);
    for (const file of Object.keys(files)) if (file !== 'lql.lock') await rm(path.join(folder.root, file));
    expect(await deployAll(options)).toEqual([
      `delete exception $account-default-1/${exception.data.exceptionId}`,
      'delete policy $account-default-1',
      'delete query Acme_Q',
    ]);
    expect((await meanings(options)).size).toBe(0);

    const undo = await planUndo(options);
    if (undo.kind !== 'plan') throw new Error(undo.message);
    const { result } = await deployPlan(undo.plan, options, { undoes: undo.deployment.id });
    if (result.kind !== 'applied') throw new Error('stale');
    const listed = describeResults(result.results);
    expect(listed).toMatch(/done: create policy \$account-default-1 as harborline-default-2\n/);
    expect(listed).toMatch(/done: create exception \$account-default-1\/\S+ as \S+\n/);
    const lock = [...(await readLock(folder.root)).values()];
    expect(lock.find(({ kind }) => kind === 'policy')).toMatchObject({
      id: '$account-default-1',
      remoteId: 'harborline-default-2',
    });
    expect(lock.find(({ kind }) => kind === 'exception')?.remoteId).not.toBe(exception.data.exceptionId);
    expect(await meanings(options)).toEqual(before);
    // The files know them by the ids that they had.
    for (const [file, text] of Object.entries(files))
      if (file !== 'lql.lock') await writeFile(path.join(folder.root, file), text);
    expect(await planOf(options)).toMatchObject({ operations: [], obstacles: [] });
  });
});
