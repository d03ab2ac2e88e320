import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../../../server/api/client.ts';
import {
  adoptInSync,
  type ContentOptions,
  compareFolder,
  deployPlan,
  interruptedDeployment,
  planDeployment,
} from '../../../../server/api/content/content-sync.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { startPlatform } from '../../../../server/platform/index.ts';
import { seededRandom } from '../../core/content/support/scheduler.ts';

const kills = process.env['DEEP'] === '1' ? 40 : 2;
const seed = Number(process.env['SEED'] ?? 7);
const script = path.join(import.meta.dirname, 'support', 'sync-in-folder.ts');
const everything = { only: undefined, take: new Set<string>() };
const queryText = (column: string): string =>
  `{ source { SVC_CFG_AWS_S3 } return distinct { ${column} as RESOURCE_KEY } }`;

async function world() {
  const platform = await startPlatform({ account: 'harborline', rateLimit: false, sample: 'none' });
  const client = createApiClient({
    origin: platform.url,
    vendorPrefix: 'SVC',
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: createUndiciTransport(),
  });
  for (let n = 0; n < 30; n++)
    await client.call(endpoints.queries.create, { body: { queryId: `Acme_${n}`, queryText: queryText('ARN') } });
  for (let n = 0; n < 15; n++) {
    const texts = { title: `Policy ${n}`, description: 'd', remediation: 'r', queryId: `Acme_${n}` };
    await client.call(endpoints.policies.create, {
      body: { ...texts, policyId: `$account-p-${n}`, enabled: false, severity: 'high', alertEnabled: false },
    });
  }
  const base = await mkdtemp(path.join(tmpdir(), 'lql-killed-'));
  const optionsFor = (root: string): ContentOptions => ({
    root,
    account: { id: 'harborline.test', names: { account: 'harborline', vendorPrefix: 'SVC' }, client },
    now: () => Date.now(),
  });
  const pristine = path.join(base, 'pristine');
  await mkdir(pristine);
  return {
    client,
    base,
    optionsFor,
    /** Starts the work in a process of its own and kills it so many milliseconds after it began; true when it was killed in the middle. */
    run: (mode: 'pull' | 'deploy', root: string, milliseconds: number): Promise<boolean> =>
      new Promise((resolve) => {
        const { url, keyId, secret } = platform;
        const args = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script, mode, root, url, keyId, secret];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        let isDone = false;
        child.stdout.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('begins')) setTimeout(() => child.kill('SIGKILL'), milliseconds);
          if (chunk.toString().includes('done')) isDone = true;
        });
        child.on('exit', () => resolve(!isDone));
      }),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await platform.stop();
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** The files of the content, without what belongs to us. */
async function texts(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    if (entry.isFile() && !file.startsWith('.lql') && file !== 'lql.lock')
      found[file] = await readFile(path.join(root, file), 'utf8');
  }
  return found;
}

describe('a process that is killed', { timeout: 3_600_000 }, () => {
  it('in a pull leaves whole files, and pulling again ends as if nothing had happened', async () => {
    await using made = await world();
    const random = seededRandom(seed);
    const calm = path.join(made.base, 'calm');
    await cp(path.join(made.base, 'pristine'), calm, { recursive: true });
    await pullContent(await compareFolder(made.optionsFor(calm)), made.optionsFor(calm), everything);
    const before = await texts(calm);
    const starts = path.join(made.base, 'start');
    await cp(calm, starts, { recursive: true });
    for (let n = 0; n < 30; n++)
      await made.client.call(endpoints.queries.update, {
        params: { queryId: `Acme_${n}` },
        body: { queryText: queryText('ACCOUNT_ID') },
      });
    await made.client.call(endpoints.queries.create, { body: { queryId: 'Acme_New', queryText: queryText('ARN') } });
    await pullContent(await compareFolder(made.optionsFor(calm)), made.optionsFor(calm), everything);
    const after = await texts(calm);
    let killed = 0;
    for (let time = 0; time < kills; time++) {
      const root = path.join(made.base, `pull-${time}`);
      await cp(starts, root, { recursive: true });
      if (await made.run('pull', root, random() * 800)) killed++;
      for (const [file, text] of Object.entries(await texts(root)))
        expect([file, text === before[file] || text === after[file]]).toEqual([file, true]);
      const options = made.optionsFor(root);
      const { left } = await pullContent(await compareFolder(options), options, everything);
      expect(left).toEqual([]);
      expect(await texts(root)).toEqual(after);
      await adoptInSync(await compareFolder(options), options);
      const plan = planDeployment(await compareFolder(options), options, {
        prune: true,
        overwrite: new Set(),
        only: undefined,
      });
      expect([plan.operations, plan.obstacles]).toEqual([[], []]);
    }
    console.log(`pulls killed with SIGKILL (seed ${seed}): ${killed} of ${kills} in the middle, 0 torn files, one end`);
  });

  it('in a deployment leaves what can be gone on with, and the account as the files say', async () => {
    await using made = await world();
    const random = seededRandom(seed);
    let killed = 0;
    for (let time = 0; time < kills; time++) {
      const root = path.join(made.base, `deploy-${time}`);
      await cp(path.join(made.base, 'pristine'), root, { recursive: true });
      const options = made.optionsFor(root);
      await pullContent(await compareFolder(options), options, everything);
      for (const [file, text] of Object.entries(await texts(root)))
        await writeFile(
          path.join(root, file),
          text
            .replace(/\b(?:ARN|ACCOUNT_ID)\b/, time % 2 === 0 ? 'ACCOUNT_ID' : 'ARN')
            .replace(/^title: .*/m, `title: Edit ${time}`),
        );
      const { folder } = await compareFolder(options);
      if (await made.run('deploy', root, random() * 800)) killed++;
      const resume = await interruptedDeployment(options);
      if (resume) {
        const { result } = await deployPlan(resume.plan, options, { resume });
        if (result.kind !== 'applied') throw new Error('stale');
        expect(result.results.filter(({ outcome }) => outcome.kind !== 'done')).toEqual([]);
      } else {
        const plan = planDeployment(await compareFolder(options), options, {
          prune: true,
          overwrite: new Set(),
          only: undefined,
        });
        await deployPlan(plan, options);
      }
      await adoptInSync(await compareFolder(options), options);
      const { remote, comparisons } = await compareFolder(options);
      expect(comparisons.filter(({ state }) => state !== 'inSync' && state !== 'vendorOwned')).toEqual([]);
      for (const [key, object] of folder.objects) expect(meaningOf(remote.get(key) ?? object)).toBe(meaningOf(object));
    }
    console.log(`deployments killed with SIGKILL (seed ${seed}): ${killed} of ${kills} in the middle, one end`);
  });
});
