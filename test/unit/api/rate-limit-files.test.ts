import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRateLimits, rateLimitFolder } from '../../../server/api/rate-limit-files.ts';
import { createRateLimits } from '../../../server/api/transport/rate-limits.ts';
import { createVirtualClock } from './support/virtual-clock.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lql-limits-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function session(name: string, calls: number, wall = 0) {
  const clock = createVirtualClock();
  clock.setWall(wall);
  const limits = createRateLimits({ clock });
  const files = await keepRateLimits(limits, folder, () => clock.wall(), name);
  const found = limits.state()[0]?.remaining ?? 480;
  for (let call = 0; call < calls; call++) (await limits.acquire('GET Queries', { priority: 'person' })).end(undefined);
  await files.close();
  return found;
}

describe('keepRateLimits', () => {
  it('starts a session with what others used within the hour, each call counted once', async () => {
    expect(await session('a', 100)).toBe(480);
    expect(await session('b', 50)).toBe(380);
    expect(await session('c', 0)).toBe(330);
    expect(await session('d', 0, 3_600_001)).toBe(480);
    expect((await readdir(folder)).filter((name) => /^[abc]\./.test(name))).toEqual([]);
  });

  it('reads damaged and foreign files as nothing', async () => {
    for (const [name, content] of Object.entries({
      'x.json': '{',
      'y.json': '{"savedAt":1}',
      'z.json': '[]',
      'w.txt': 'hello',
    })) {
      await writeFile(path.join(folder, name), content);
    }
    expect(await session('a', 1)).toBe(480);
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'w.txt']);
  });

  it('works without its folder', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    folder = path.join(file, 'below');
    expect(await session('a', 3)).toBe(480);
    folder = path.dirname(file);
  });

  it('keeps users of one account apart without naming their keys', () => {
    const origin = new URL('https://acme.example.net');
    const one = rateLimitFolder('/cache', origin, 'ACME_KEY_1');
    expect(one).not.toBe(rateLimitFolder('/cache', origin, 'ACME_KEY_2'));
    expect(one).not.toBe(rateLimitFolder('/cache', new URL('https://other.example.net'), 'ACME_KEY_1'));
    expect(one).not.toContain('ACME_KEY_1');
  });
});
