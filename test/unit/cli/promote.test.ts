import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { bucketPolicy, bucketQuery } from './support/bucket-content.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const query = bucketQuery;
const policy = bucketPolicy(true);

async function workspace() {
  const folder = await temporaryFolder({
    'content/q.yaml': query,
    'content/p.yaml': policy,
    'staging/x': '',
    'production/x': '',
  });
  const root = path.join(folder.path, 'content');
  const at = (account: 'staging' | 'production'): string => path.join(folder.path, account);
  const lql = async (account: 'staging' | 'production', ...args: readonly string[]) => {
    const io = createMemoryIo({ cwd: root });
    const code = await runCli([...args, '--data', at(account)], io);
    return { code, out: io.out, error: io.error };
  };
  return { folder, root, at, lql, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('content for several accounts', { timeout: 120_000 }, () => {
  it('goes from one account to another, with what that one has of its own, and overwrites by name only', async () => {
    await using made = await workspace();
    const { root, folder, at, lql } = made;
    await lql('staging', 'plan', '--output', '../a.plan');
    expect((await lql('staging', 'deploy', '--plan', '../a.plan', '--yes')).code).toBe(0);
    await writeFile(
      path.join(root, 'lql.overrides.yaml'),
      "accounts:\n  local platform:\n    policies:\n      '*': { alertEnabled: false }\n",
    );
    const promote = ['plan', '--from-data', at('staging'), '--output', '../b.plan'];
    const planned = await lql('production', ...promote);
    expect([planned.code, planned.out]).toEqual([1, expect.stringContaining('+ create policy $account-buckets-1')]);
    expect(planned.out).toContain('alertEnabled: false');
    expect(await lql('production', 'deploy', '--plan', '../b.plan', '--yes')).toMatchObject({ code: 0 });
    expect((await lql('production', ...promote)).out).toContain('nothing to deploy');
    const elsewhere = await lql('staging', 'deploy', '--plan', '../b.plan', '--yes');
    expect([elsewhere.code, elsewhere.error]).toEqual([
      1,
      expect.stringMatching(/The plan was made for local-.+, not for/),
    ]);
    const saved = path.join(folder.path, 'b.plan');
    await writeFile(
      path.join(folder.path, 'd.plan'),
      (await readFile(saved, 'utf8')).replace('"writes":0', '"writes":1'),
    );
    const tampered = await lql('production', 'deploy', '--plan', '../d.plan', '--yes');
    expect([tampered.code, tampered.error]).toEqual([1, expect.stringContaining('changed after it was saved')]);
    // The query is the same everywhere; of the policy nothing is noted, because no file says what production has.
    const lock = await readFile(path.join(root, 'lql.lock'), 'utf8');
    expect(lock.match(/^query /gm)).toHaveLength(2);
    expect(lock.match(/^policy /gm)).toHaveLength(1);

    await writeFile(path.join(root, 'p.yaml'), policy.replace('high', 'critical'));
    const waiting = await lql('production', 'plan', '--from-files', '--output', '../c.plan');
    expect([waiting.out, waiting.error]).toEqual([
      expect.stringContaining('nothing to deploy'),
      expect.stringContaining('has $account-buckets-1 otherwise (severity): left alone without --overwrite'),
    ]);
    const overwriting = await lql(
      'production',
      ...['plan', '--from-files', '--overwrite', 'policy/$account-buckets-1', '--output', '../c.plan'],
    );
    expect(overwriting.out).toMatch(/~ change policy \$account-buckets-1[\s\S]*severity: high → critical/);
    expect(overwriting.out).not.toContain('alertEnabled');
    expect(await lql('production', 'deploy', '--plan', '../c.plan', '--yes')).toMatchObject({ code: 0 });

    for (const wrong of [
      ['--from-files', '--from-data', at('staging')],
      ['--from-files', '--prune'],
    ])
      expect((await lql('production', 'plan', ...wrong)).code).toBe(2);
    await writeFile(
      path.join(root, 'lql.overrides.yaml'),
      'accounts:\n  x:\n    policies:\n      p: { policyId: no }\n',
    );
    const refused = await lql('production', 'plan', '--from-files');
    expect([refused.code, refused.out, refused.error]).toEqual([
      1,
      '',
      expect.stringMatching(/lql\.overrides\.yaml:4: .+\nNothing was planned/),
    ]);
  });

  it('tells a plan of the files what the overrides say without it, and promotes nothing while they cannot be read', async () => {
    await using made = await workspace();
    const { root, lql } = made;
    const overrides = path.join(root, 'lql.overrides.yaml');
    await writeFile(overrides, "accounts:\n  local platform:\n    policies:\n      '*': { alertEnabled: false }\n");
    const planned = await lql('staging', 'plan');
    expect(planned.out).toContain('alertEnabled: true');
    expect(planned.error).toContain(
      'lql.overrides.yaml counts in promotions alone. This plan takes the files as they are, so not:\n  policy $account-buckets-1: alertEnabled\n',
    );
    await rm(overrides);
    await mkdir(overrides);
    const refused = await lql('production', 'plan', '--from-files');
    expect([refused.code, refused.out, refused.error]).toEqual([
      1,
      '',
      expect.stringContaining('lql.overrides.yaml cannot be read'),
    ]);
  });

  it('is pulled into the folders that the workspace, or the command line, names', async () => {
    await using made = await workspace();
    const { root, folder, lql } = made;
    await lql('staging', 'plan', '--output', '../a.plan');
    await lql('staging', 'deploy', '--plan', '../a.plan', '--yes');
    await rm(path.join(root, 'q.yaml'));
    await rm(path.join(root, 'p.yaml'));
    await folder.write({ 'content/.vscode/settings.json': '{ "lql.content.layout": { "queries": "detections/q" }, }' });
    const pulled = await lql(
      'staging',
      'pull',
      'query/Acme_Buckets',
      'policy/$account-buckets-1',
      '--layout',
      'policy=rules',
    );
    expect([pulled.code, pulled.out.split('\n').sort()]).toEqual([
      0,
      [
        '',
        'created detections/q/Acme_Buckets.yaml (query Acme_Buckets)',
        'created rules/buckets-1.yaml (policy $account-buckets-1)',
      ],
    ]);
    await rm(path.join(root, 'rules'), { recursive: true });
    await rm(path.join(root, 'detections'), { recursive: true });
    const kind = await lql('staging', 'pull', 'query/*');
    expect(kind.out).toContain('created detections/q/Acme_Buckets.yaml');
    expect(kind.out).not.toContain('policy');
    for (const wrong of ['policy', 'policies=x', 'policy=../x', 'policy=detections/q'])
      expect([wrong, (await lql('staging', 'plan', '--layout', wrong)).code]).toEqual([wrong, 2]);
  });

  it('finds in git what a clone does not have', async () => {
    await using made = await workspace();
    const { root, folder, lql } = made;
    const git = (...args: readonly string[]): void =>
      void execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@acme.example', '-c', 'commit.gpgsign=false', ...args],
        {
          cwd: root,
          stdio: 'ignore',
        },
      );
    await lql('staging', 'plan', '--output', '../a.plan');
    await lql('staging', 'deploy', '--plan', '../a.plan', '--yes');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'Deployed');
    await rm(path.join(root, '.lql'), { recursive: true });
    await folder.write({ 'content/p.yaml': policy.replace('high', 'low') });
    const told = await lql('staging', 'plan');
    expect(told.error).toContain('1 object was synchronised on another computer. Look for the contents');
    const found = await lql('staging', 'plan', '--from-git');
    expect([found.error, found.out]).toEqual([
      '1 base content found in the history of git, 0 not.\n',
      expect.stringContaining('~ change policy $account-buckets-1 (changed here)'),
    ]);
    expect(await readdir(path.join(root, '.lql'))).toContain('base');
  });
});
