import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../../server/api/client.ts';
import {
  type ContentOptions,
  compareFolder,
  deployPlan,
  planDeployment,
  planUndo,
} from '../../../../server/api/content/content-sync.ts';
import {
  abortMerge,
  acknowledge,
  beginMerge,
  forget,
  pendingMerges,
  removalOf,
  settleMerges,
} from '../../../../server/api/content/merges.ts';
import { noteChanges } from '../../../../server/api/content/note-changes.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import { compare } from '../../../../server/core/content/compare.ts';
import { startPlatform } from '../../../../server/platform/index.ts';

const key = 'policy\n$account-acme-7';
const policyId = 'harborline-acme-7';
const file = 'policies/acme-7.yaml';

let root: string;
let client: ApiClient;
let options: ContentOptions;
let stop: () => Promise<void>;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lql-merge-'));
  const platform = await startPlatform({ rateLimit: false, sample: 'none' });
  client = createApiClient({
    origin: platform.url,
    vendorPrefix: 'SVC',
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: createUndiciTransport(),
  });
  stop = async () => {
    await client.close();
    await platform.stop();
  };
  const names = { account: 'harborline', vendorPrefix: 'SVC' };
  options = { root, account: { id: 'local', names, client }, now: () => Date.now() };
  await client.call(endpoints.queries.create, {
    body: { queryId: 'Acme_Buckets', queryText: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN } }' },
  });
  await client.call(endpoints.policies.create, {
    body: {
      policyId: '$account-acme-7',
      queryId: 'Acme_Buckets',
      title: 'A bucket',
      enabled: true,
      severity: 'high',
      description: 'Every bucket.',
      remediation: 'Look at it.',
      alertEnabled: false,
    },
  });
  await pullContent(await compareFolder(options), options, { only: undefined, take: new Set() });
});
afterEach(async () => {
  await stop();
  await rm(root, { recursive: true, force: true });
});

const read = () => readFile(path.join(root, file), 'utf8');
const write = (text: string) => writeFile(path.join(root, file), text);
const stateOf = async (of = key) =>
  (await compareFolder(options)).comparisons.find(({ kind, id }) => `${kind}\n${id}` === of)?.state;
const inAccount = async () => (await client.call(endpoints.policies.get, { params: { policyId } })).data;
const change = (body: object) => client.call(endpoints.policies.update, { params: { policyId }, body });
const plan = async (prune = false) =>
  planDeployment(await compareFolder(options), options, { prune, only: undefined, overwrite: new Set() });

/** Both sides change the severity; the title changes here alone, the description there alone. */
async function conflict(): Promise<string> {
  const text = `# kept\n${(await read()).replace('severity: high', 'severity: low # for now').replace('A bucket', 'Our bucket')}`;
  await write(text);
  await change({ severity: 'critical', description: 'Each bucket.' });
  return text;
}

describe('a conflict', { timeout: 60_000 }, () => {
  it('is marked in the file where both changed the same, and ends when it is saved without markers', async () => {
    await conflict();
    expect(await stateOf()).toBe('conflict');
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    expect(begun.conflicts).toBe(1);
    expect(begun.sides.conflicts).toEqual(['severity']);
    const marked = await read();
    expect(marked).toContain('# kept');
    expect(marked).toContain('title: Our bucket');
    expect(marked).toContain('description: Each bucket.');
    expect(marked).toMatch(
      /<{7} .*\nseverity: low # for now\n\|{7}.*\nseverity: high # for now\n={7}\nseverity: critical # for now\n>{7} the account/,
    );
    expect(await settleMerges(options)).toMatchObject([{ kind: 'open' }]);
    expect((await plan(true)).operations).toEqual([]);

    await write(marked.replace(/<{7}[\s\S]*>{7}.*\n/, 'severity: medium\n'));
    expect(await settleMerges(options)).toMatchObject([{ kind: 'done' }]);
    expect(await pendingMerges(options)).toEqual([]);
    expect(await stateOf()).toBe('localAhead');
    const { operations } = await plan();
    expect(operations.map(({ action, changes }) => [action, changes.map(({ field }) => field)])).toEqual([
      ['update', ['title', 'severity']],
    ]);
    await deployPlan(await plan(), options);
    expect(await inAccount()).toMatchObject({ severity: 'medium', title: 'Our bucket', description: 'Each bucket.' });
  });

  it('is begun once when two windows begin it at the same moment', async () => {
    await conflict();
    const seen = await compareFolder(options);
    const begun = await Promise.all([beginMerge(seen, options, key), beginMerge(seen, options, key)]);
    expect(begun.map(({ kind }) => kind).sort()).toEqual(['open', 'refused']);
    expect(await pendingMerges(options)).toMatchObject([{ path: file }]);
    expect(await settleMerges(options)).toMatchObject([{ kind: 'open' }]);
  });

  it('is not over when what both changed says what was there before, unless a person says so', async () => {
    await conflict();
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    await write(begun.merge.base);
    expect(await settleMerges(options)).toMatchObject([{ kind: 'undecided', places: 1 }]);
    expect(await settleMerges(options, new Set([key]))).toMatchObject([{ kind: 'done' }]);
    expect(await stateOf()).toBe('localAhead');
  });

  it('may be decided for the file in every place, which then is as it was', async () => {
    await write((await read()).replace('severity: high', 'severity: low'));
    await change({ severity: 'critical' });
    const mine = await read();
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    await write(mine);
    expect(await settleMerges(options)).toMatchObject([{ kind: 'done' }]);
    expect(await stateOf()).toBe('localAhead');
  });

  it('whose markers somebody took back by other means is as if it had not begun', async () => {
    const text = await conflict();
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    await write(text);
    expect(await settleMerges(options)).toEqual([]);
    expect(await pendingMerges(options)).toEqual([]);
    expect(await stateOf()).toBe('conflict');
  });

  it('that is aborted leaves the file as it was', async () => {
    const text = await conflict();
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    expect(await beginMerge(await compareFolder(options), options, key)).toMatchObject({ kind: 'refused' });
    await abortMerge(begun.merge, options);
    expect(await read()).toBe(text);
    expect(await pendingMerges(options)).toEqual([]);
    expect(await stateOf()).toBe('conflict');
  });

  it('the account going on meanwhile is a new conflict', async () => {
    await conflict();
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    await change({ severity: 'info' });
    await write(begun.merge.local);
    expect(await settleMerges(options)).toMatchObject([{ kind: 'done' }]);
    expect(await stateOf()).toBe('conflict');
    expect((await plan()).operations).toEqual([]);
  });

  it('of different lines of a query is put together at once', async () => {
    const queryFile = path.join(root, 'queries/Acme_Buckets.yaml');
    const lines = ['{', '  source { SVC_CFG_AWS_S3 }', "  filter { ARN <> 'x' }", '  return distinct { ARN }', '}'];
    const params = { queryId: 'Acme_Buckets' };
    await client.call(endpoints.queries.update, { params, body: { queryText: lines.join(' ') } });
    await pullContent(await compareFolder(options), options, { only: undefined, take: new Set() });
    await writeFile(queryFile, (await readFile(queryFile, 'utf8')).replace("'x'", "'here'"));
    const there = lines.join(' ').replace('{ ARN }', '{ ARN, ACCOUNT_ID }');
    await client.call(endpoints.queries.update, { params, body: { queryText: there } });
    expect(await stateOf('query\nAcme_Buckets')).toBe('conflict');
    const begun = await beginMerge(await compareFolder(options), options, 'query\nAcme_Buckets');
    expect(begun).toMatchObject({ kind: 'merged' });
    const merged = await readFile(queryFile, 'utf8');
    expect(merged).toContain("'here'");
    expect(merged).toContain('ACCOUNT_ID');
    expect(await stateOf('query\nAcme_Buckets')).toBe('localAhead');
  });

  it('without a base marks every difference', async () => {
    await conflict();
    await rm(path.join(root, '.lql'), { recursive: true });
    expect(await stateOf()).toBe('unknownBase');
    const begun = await beginMerge(await compareFolder(options), options, key);
    if (begun.kind !== 'open') throw new Error(begun.kind);
    expect(begun.sides.conflicts).toEqual(['title', 'severity', 'description']);
    const marked = await read();
    for (const text of ['Our bucket', 'A bucket', 'severity: low', 'severity: critical', 'Each bucket', 'Every bucket'])
      expect(marked).toContain(text);
  });
});

describe('what is deployed but not from the files', { timeout: 60_000 }, () => {
  const switchOff = async () => {
    const comparison = await compareFolder(options);
    const remote = comparison.remote.get(key);
    if (!remote) throw new Error('it is in the account');
    const local = { ...remote, fields: { ...remote.fields, enabled: false } };
    const wanted = compare(remote, { base: remote, local, remote, wasSynchronised: true });
    const comparisons = comparison.comparisons.map((it) => (`${it.kind}\n${it.id}` === key ? wanted : it));
    const request = { prune: false, only: new Set([key]), overwrite: new Set<string>() };
    const { result } = await deployPlan(planDeployment({ ...comparison, comparisons }, options, request), options, {
      keepLock: true,
    });
    if (result.kind !== 'applied') throw new Error(result.kind);
    await noteChanges(result.results, comparison, options);
  };

  it('moves the base by what it changed and nothing else, and so does taking it back', async () => {
    await conflict();
    await switchOff();
    expect(await inAccount()).toMatchObject({ enabled: false, severity: 'critical' });
    expect(await stateOf()).toBe('conflict');
    const comparison = await compareFolder(options);
    expect(
      comparison.comparisons
        .find(({ kind }) => kind === 'policy')
        ?.changes.map(({ field, changedBy }) => `${field} ${changedBy}`),
    ).toEqual(['title local', 'enabled local', 'severity both', 'description remote']);
    const undo = await planUndo(options);
    if (undo.kind !== 'plan') throw new Error(undo.message);
    const { result } = await deployPlan(undo.plan, options, { undoes: undo.deployment.id, keepLock: true });
    if (result.kind !== 'applied') throw new Error(result.kind);
    await noteChanges(result.results, comparison, options);
    expect(await inAccount()).toMatchObject({ enabled: true, severity: 'critical' });
    // What the console changed is as unseen as before.
    expect(await stateOf()).toBe('conflict');
    expect((await plan()).operations).toEqual([]);
  });

  it('leaves a policy without a file what it was: only in the account', async () => {
    await rm(path.join(root, file));
    await rm(path.join(root, 'lql.lock'));
    expect(await stateOf()).toBe('remoteOnly');
    await switchOff();
    expect(await stateOf()).toBe('remoteOnly');
  });
});

describe('an answer to a question', { timeout: 60_000 }, () => {
  it('the file’s side holds: it is a change made here', async () => {
    await conflict();
    const there = (await compareFolder(options)).remote.get(key);
    if (!there) throw new Error('it is in the account');
    await acknowledge([there], options);
    expect(await stateOf()).toBe('localAhead');
  });

  it('what was deleted in the account is new again, or its file goes', async () => {
    await client.call(endpoints.policies.delete, { params: { policyId } });
    expect(await stateOf()).toBe('deletedRemotely');
    expect((await plan(true)).operations).toEqual([]);
    expect(removalOf(await compareFolder(options), options, key)).toMatchObject({ path: file, text: undefined });
    await forget({ kind: 'policy', id: '$account-acme-7' }, options);
    expect(await stateOf()).toBe('localOnly');
    expect((await plan()).operations.map(({ action }) => action)).toEqual(['create']);
  });

  it.each([
    [
      'all.yaml',
      '# first\nqueryId: A\nqueryText: "{}"\n---\n# second\nqueryId: B\nqueryText: "{}"\n',
      'A',
      '---\n# second\nqueryId: B\nqueryText: "{}"\n',
    ],
    [
      'all.yaml',
      '# first\nqueryId: A\nqueryText: "{}"\n---\n# second\nqueryId: B\nqueryText: "{}"\n',
      'B',
      '# first\nqueryId: A\nqueryText: "{}"\n',
    ],
    [
      'all.yaml',
      'queries:\n  - queryId: A # a\n    queryText: x\n  - queryId: B\n    queryText: y\n',
      'B',
      'queries:\n  - queryId: A # a\n    queryText: x\n',
    ],
    [
      'all.json',
      '[\n  { "queryId": "A", "queryText": "x" },\n  { "queryId": "B", "queryText": "y" }\n]\n',
      'A',
      '[\n  { "queryId": "B", "queryText": "y" }\n]\n',
    ],
  ])('an object is taken out of a file with others: %s %#', async (name, text, id, wanted) => {
    await writeFile(path.join(root, name), text);
    expect(removalOf(await compareFolder(options), options, `query\n${id}`)).toMatchObject({ text: wanted });
    expect(await readdir(root)).toContain(name);
  });
});
