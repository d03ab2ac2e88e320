import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countMissingBases, rebuildBases } from '../../../../server/api/content/bases-from-git.ts';
import { adoptInSync, compareFolder, planDeployment } from '../../../../server/api/content/content-sync.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { contentFolder, inProcessAccount } from './support/in-process.ts';

const queryText = (column: string): string => `{ source { SVC_CFG_AWS_S3 } return distinct { ${column} } }`;

async function clonedAndEdited(below = '') {
  const acme = inProcessAccount();
  const client = acme.client();
  for (const queryId of ['Acme_A', 'Acme_B'])
    await client.call(endpoints.queries.create, { body: { queryId, queryText: queryText('ARN') } });
  const folder = await contentFolder({ [`${below}README.md`]: 'content' });
  const root = path.join(folder.root, below);
  const options = acme.options(root, client);
  const git = (...args: readonly string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@acme.example', '-c', 'commit.gpgsign=false', ...args],
      {
        cwd: folder.root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
  await pullContent(await compareFolder(options), options, { only: undefined, take: new Set() });
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '-qm', message);
  };
  const edit = async (name: string, change: (text: string) => string): Promise<void> => {
    const file = path.join(root, 'queries', `${name}.yaml`);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  const plan = async () =>
    planDeployment(await compareFolder(options), options, { prune: false, overwrite: new Set(), only: undefined });
  return { acme, client, folder, root, options, git, commit, edit, plan };
}

describe('base contents that this computer does not have', { timeout: 60_000 }, () => {
  it.each(['', 'deep/in side/'])('are found in the history of git, by their hash (content in "%s")', async (below) => {
    const { folder, root, options, git, commit, edit, plan } = await clonedAndEdited(below);
    await using _ = folder;
    git('init', '-q');
    commit('Pull');
    await edit('Acme_A', (text) => text.replace('ARN', 'ACCOUNT_ID'));
    commit('Edit, not deployed');
    // A clone has everything but our own folder, and goes on from there.
    await rm(path.join(root, '.lql'), { recursive: true });
    expect((await plan()).obstacles.map(({ id, state }) => [id, state])).toEqual([['Acme_A', 'unknownBase']]);
    expect(await countMissingBases(options)).toBe(1);
    expect(await rebuildBases(options)).toEqual({ found: 1, missing: 0 });
    const made = await plan();
    expect([made.obstacles, made.operations.map(({ id, reason }) => [id, reason])]).toEqual([
      [],
      [['Acme_A', 'changed here']],
    ]);
    expect(await countMissingBases(options)).toBe(0);
    expect(await rebuildBases(options)).toEqual({ found: 0, missing: 0 });
  });

  it('stay unknown where the history never had them', async () => {
    const { folder, root, client, options, git, commit, edit, plan } = await clonedAndEdited();
    await using _ = folder;
    git('init', '-q');
    commit('Pull');
    const params = { queryId: 'Acme_A' };
    await client.call(endpoints.queries.update, { params, body: { queryText: queryText('ACCOUNT_ALIAS') } });
    await pullContent(await compareFolder(options), options, { only: undefined, take: new Set() });
    await adoptInSync(await compareFolder(options), options);
    await edit('Acme_A', (text) => text.replace('ACCOUNT_ALIAS', 'ACCOUNT_ID'));
    commit('What was pulled was edited before it was committed');
    await rm(path.join(root, '.lql'), { recursive: true });
    expect(await rebuildBases(options)).toEqual({ found: 0, missing: 1 });
    expect((await plan()).obstacles.map(({ state }) => state)).toEqual(['unknownBase']);
  });

  it('are not looked for outside of a repository', async () => {
    const { folder, root, options, edit } = await clonedAndEdited();
    await using _ = folder;
    await edit('Acme_A', (text) => text.replace('ARN', 'ACCOUNT_ID'));
    await rm(path.join(root, '.lql'), { recursive: true });
    expect(await rebuildBases(options)).toBeUndefined();
  });
});
