import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createApiClient } from '../../../../server/api/client.ts';
import {
  type ContentOptions,
  compareFolder,
  deployPlan,
  planDeployment,
} from '../../../../server/api/content/content-sync.ts';
import { createFetchTransport } from '../../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import { createPlatformApp } from '../../../../server/platform/index.ts';

it('deployments of 400 changes finish by themselves under 480 calls an hour, without one refusal', {
  timeout: 300_000,
}, async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'lql-budget-'));
  try {
    // Whoever sleeps is alone here, so time jumps to the end of the sleep.
    let elapsed = 0;
    const start = Date.parse('2031-04-02T08:00:00.000Z');
    const clock = {
      monotonic: () => elapsed,
      wall: () => start + elapsed,
      async sleep(milliseconds: number) {
        elapsed += Math.max(0, milliseconds);
      },
    };
    const app = createPlatformApp({ rateLimit: true, sample: 'none', now: clock.wall });
    const statuses = new Map<number, number>();
    const client = createApiClient({
      origin: 'http://127.0.0.1',
      vendorPrefix: 'SVC',
      keyId: app.key.keyId,
      secret: createSecret(app.key.secret),
      clock,
      random: () => 0.5,
      transport: createFetchTransport(async (url, init) => {
        // Every call takes a while.
        elapsed += 20;
        const answer = await app.request(new Request(url, init));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        return answer;
      }),
    });
    const account = { id: 'harborline.test', names: { account: 'harborline', vendorPrefix: 'SVC' }, client };
    const options: ContentOptions = { root, account, now: clock.wall };
    const files = Array.from({ length: 400 }, (_, index) => path.join(root, 'queries', `Acme_${index}.yaml`));
    await mkdir(path.join(root, 'queries'));
    for (const [index, file] of files.entries())
      await writeFile(file, `queryId: Acme_${index}\nqueryText: "{ source { SVC_CFG_AWS_S3 } return { ARN } }"\n`);
    const deployAll = async (): Promise<void> => {
      const plan = planDeployment(await compareFolder(options), options, {
        prune: false,
        overwrite: new Set(),
        only: undefined,
      });
      expect(plan.operations).toHaveLength(400);
      const { result } = await deployPlan(plan, options);
      if (result.kind !== 'applied') throw new Error('stale');
      expect(result.results.filter(({ outcome }) => outcome.kind !== 'done')).toEqual([]);
    };
    await deployAll();
    // Changes share one budget, creations have another: the second round of changes has to wait.
    for (const [before, after] of [
      ['{ ARN }', '{ ACCOUNT_ID }'],
      ['{ ACCOUNT_ID }', '{ ACCOUNT_ALIAS }'],
    ] as const) {
      for (const file of files) await writeFile(file, (await readFile(file, 'utf8')).replace(before, after));
      await deployAll();
    }
    expect(statuses.get(429)).toBeUndefined();
    const hours = elapsed / 3_600_000;
    expect(hours).toBeGreaterThan(0.5);
    expect(hours).toBeLessThan(3);
    console.log(
      `3 × 400 changes: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}, ${hours.toFixed(2)} virtual hours`,
    );
    await client.close();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
