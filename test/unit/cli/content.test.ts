import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { runCli } from '../../../server/cli/run-cli.ts';
import { startPlatform } from '../../../server/platform/index.ts';
import { repoRoot } from '../../harness/paths.ts';
import { bucketPolicy, bucketQuery } from './support/bucket-content.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const query = bucketQuery;
const policy = bucketPolicy(false);

describe('content on the command line', { timeout: 120_000 }, () => {
  it('goes from files to the account, back and back again, with exit codes for a pipeline', async () => {
    await using folder = await temporaryFolder({ 'content/q.yaml': query, 'content/p.yaml': policy });
    const data = path.join(folder.path, 'data');
    const root = path.join(folder.path, 'content');
    await mkdir(data);
    const platform = await startPlatform({ dataFolder: data, rateLimit: false });
    const client = createApiClient({
      origin: platform.url,
      vendorPrefix: 'SVC',
      keyId: platform.keyId,
      secret: createSecret(platform.secret),
      transport: createUndiciTransport(),
    });
    const lql = async (...args: readonly string[]) => {
      const io = createMemoryIo({ cwd: root });
      const code = await runCli([...args, '--data', data], io);
      return { code, out: io.out, error: io.error };
    };
    try {
      const planned = await lql('plan', '--output', '../first.plan');
      expect(planned.error).toBe('');
      expect(planned.code).toBe(1);
      expect(planned.out).toContain('+ create query Acme_Buckets (new here)');
      expect(planned.out).toContain('+ create policy $account-buckets-1 (new here)');
      const shown = await lql('deploy', '--plan', '../first.plan');
      expect([shown.code, shown.error]).toEqual([1, expect.stringContaining('Nothing was done')]);
      const { data: before } = await client.call(endpoints.queries.list);
      expect(before.some(({ queryId }) => queryId === 'Acme_Buckets')).toBe(false);
      const deployed = await lql('deploy', '--plan', '../first.plan', '--yes');
      expect([deployed.code, deployed.out]).toEqual([
        0,
        'done: create query Acme_Buckets\ndone: create policy $account-buckets-1 as harborline-buckets-1\n',
      ]);
      const again = await lql('deploy', '--plan', '../first.plan', '--yes');
      expect([again.code, again.error]).toEqual([1, expect.stringContaining('Nothing was done. Plan again.')]);

      const pulled = await lql('pull');
      expect(pulled.error).toMatch(/^\d+ pulled from local platform, 0 left to decide\n$/);
      expect((await lql('plan')).code).toBe(0);
      expect((await lql('drift')).code).toBe(0);

      const params = { policyId: 'harborline-buckets-1' };
      await client.call(endpoints.policies.update, { params, body: { severity: 'low' } });
      const drifted = await lql('drift');
      expect([drifted.code, drifted.out]).toEqual([
        1,
        expect.stringMatching(/^policy \$account-buckets-1 is changed in the account: severity \(.+, .+Z\)\n$/),
      ]);
      expect(JSON.parse((await lql('drift', '--json')).out)).toMatchObject({
        drift: [{ id: '$account-buckets-1', fields: ['severity'] }],
      });
      expect((await lql('pull', 'policy/$account-buckets-1')).out).toBe('updated p.yaml (policy $account-buckets-1)\n');
      expect(await readFile(path.join(root, 'p.yaml'), 'utf8')).toBe(policy.replace('high', 'low'));

      const constraints = [{ fieldKey: 'accountIds', fieldValues: ['111122223333'] }];
      const { data: made } = await client.call(endpoints.exceptions.create, {
        query: params,
        body: { description: 'dev', constraints },
      });
      expect((await lql('pull')).out).toBe('');
      expect((await lql('pull', '--exceptions', 'harborline-buckets-1')).out).toBe(
        `created exceptions/buckets-1/${made.exceptionId}.yaml (exception $account-buckets-1/${made.exceptionId})\n`,
      );
      expect((await lql('pull')).out).toBe('');
      await client.call(endpoints.exceptions.delete, {
        query: params,
        params: { exceptionId: made.exceptionId },
      });
      await rm(path.join(root, 'exceptions'), { recursive: true });
      expect(await readFile(path.join(root, 'lql.lock'), 'utf8')).toContain('exception ');
      await lql('pull');
      expect(await readFile(path.join(root, 'lql.lock'), 'utf8')).not.toContain('exception ');

      const undo = await lql('undo', '--output', '../undo.plan');
      expect([undo.code, undo.out]).toEqual([1, expect.stringContaining('Left alone:\n  policy $account-buckets-1')]);
      await client.call(endpoints.policies.update, { params, body: { severity: 'high' } });
      const undone = await lql('undo', '--output', '../undo.plan');
      expect([undone.code, undone.out]).toEqual([0, expect.stringContaining('- delete policy $account-buckets-1')]);
      expect((await lql('deploy', '--plan', '../undo.plan', '--yes')).code).toBe(0);
      expect((await client.call(endpoints.queries.list)).data.some(({ queryId }) => queryId === 'Acme_Buckets')).toBe(
        false,
      );
      const nothing = await lql('undo');
      expect([nothing.code, nothing.error]).toEqual([1, expect.stringContaining('nothing was deployed')]);
      expect((await readdir(path.join(root, '.lql', 'deployments'))).length).toBe(3);
    } finally {
      await client.close();
      await platform.stop();
      await rm(data, { recursive: true, force: true });
    }
  });

  it('shows what a changed query would find and what not any more', async () => {
    await using folder = await temporaryFolder({ 'content/q.yaml': query, 'content/p.yaml': policy, 'data/x': '' });
    const root = path.join(folder.path, 'content');
    const lql = async (...args: readonly string[]) => {
      const io = createMemoryIo({ cwd: root });
      const code = await runCli([...args, '--data', path.join(folder.path, 'data')], io);
      return { code, out: io.out, error: io.error };
    };
    await lql('plan', '--output', '../first.plan');
    expect((await lql('deploy', '--plan', '../first.plan', '--yes')).code).toBe(0);
    const nothing = await lql('plan', '--behaviour');
    expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('no query whose hits could be compared')]);
    await folder.write({ 'content/q.yaml': query.replace('return', "filter { contains(ARN, 'log') } return") });
    const shown = await lql('plan', '--behaviour', '--range', 'last 7 days');
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/query Acme_Buckets, .+Z to .+Z: \d+ hits become \d+: 0 added, \d+ lost\n/);
    expect(shown.out).toMatch(/ {4}policy \$account-buckets-1 “Open bucket” \(high\): 0 added, \d+ lost\n/);
    const json = JSON.parse((await lql('plan', '--behaviour', '--range', 'last 7 days', '--json')).out) as {
      readonly behaviour: { readonly kind: string; readonly queries: readonly unknown[] };
    };
    expect([json.behaviour.kind, json.behaviour.queries.length]).toEqual(['compared', 1]);
    expect(await lql('plan', '--range', 'last 7 days')).toMatchObject({ code: 2 });
    expect(await lql('plan', '--behaviour', '--range', 'never')).toMatchObject({ code: 2 });
  });

  it('prints JSON with just the keys that the documentation names', async () => {
    const page = await readFile(path.join(repoRoot, 'docs', 'content-in-ci.md'), 'utf8');
    const documented = (command: string): string[] => {
      const row = new RegExp(`^\\| \`${command}\` \\|([^;|]*)`, 'm').exec(page)?.[1] ?? '';
      return [...row.matchAll(/`(\w+)`/g)].map(([, key]) => key ?? '').sort();
    };
    await using folder = await temporaryFolder({ 'content/q.yaml': query, 'content/p.yaml': policy, 'data/x': '' });
    const keys = async (...args: readonly string[]): Promise<string[]> => {
      const io = createMemoryIo({ cwd: path.join(folder.path, 'content') });
      await runCli([...args, '--json', '--data', path.join(folder.path, 'data')], io);
      return Object.keys(JSON.parse(io.out) as object).sort();
    };
    expect(await keys('plan', '--behaviour', '--output', '../a.plan')).toEqual(documented('plan'));
    expect(await keys('deploy', '--plan', '../a.plan', '--yes')).toEqual(documented('deploy'));
    expect(await keys('deploy', '--plan', '../a.plan', '--yes')).toEqual(['changed', 'id', 'kind']);
    expect(await keys('drift')).toEqual(documented('drift'));
    expect(await keys('pull')).toEqual(documented('pull'));
    expect(await keys('undo')).toEqual(documented('undo'));
  });

  it('says what it needs', async () => {
    await using folder = await temporaryFolder({});
    const run = async (...args: readonly string[]) => {
      const io = createMemoryIo({ cwd: folder.path });
      return [await runCli(args, io), io.error.split('\n')[0]];
    };
    expect(await run('plan')).toEqual([2, expect.stringContaining('Say which account')]);
    expect(await run('deploy', '--yes', '--data', 'd')).toEqual([2, expect.stringContaining('--plan FILE')]);
    expect(await run('pull', '--theirs', '--data', 'd')).toEqual([2, expect.stringContaining('name the objects')]);
    expect(await run('pull', 'nowhere', '--data', 'd')).toEqual([2, expect.stringContaining("'nowhere'")]);
    expect(await run('deploy', '--resume', '--yes', '--data', 'd')).toEqual([
      1,
      expect.stringContaining('interrupted'),
    ]);
  });
});
