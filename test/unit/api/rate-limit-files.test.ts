import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
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

  it('clears away what a process that died left half written, and leaves alone what is being written', async () => {
    for (const name of ['dead.json.tmp', 'alive.json.tmp']) await writeFile(path.join(folder, name), '{"saved');
    await utimes(path.join(folder, 'dead.json.tmp'), new Date(0), new Date(0));
    await session('a', 1, Date.now() - createVirtualClock().wall());
    expect((await readdir(folder)).sort()).toEqual(['a.json', 'alive.json.tmp']);
  });

  it('keeps the last thousand calls where there is no limit', async () => {
    const clock = createVirtualClock();
    const limits = createRateLimits({ clock, limit: 1_000_000 });
    for (let call = 0; call < 5_000; call++) (await limits.acquire('f', { priority: 'person' })).end(undefined);
    expect(limits.save()['f']?.used).toHaveLength(1_000);
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

describe('several processes', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  async function start(turns: number): Promise<ChildProcess> {
    const child = fork(path.join(import.meta.dirname, 'support/limited-session.ts'), [folder, `${turns}`], {
      execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
    });
    children.push(child);
    await once(child, 'message');
    return child;
  }
  async function begin(child: ChildProcess): Promise<unknown> {
    const answer = once(child, 'message');
    child.send('begin');
    return (await answer)[0];
  }
  async function end(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit');
    child.send('end');
    await ended;
  }

  it('share a folder: what two used at once is known to the third, each call once', async () => {
    const [one, two] = await Promise.all([start(100), start(150)]);
    expect(await Promise.all([begin(one), begin(two)])).toEqual([480, 480]);
    await Promise.all([end(one), end(two)]);
    for (const name of await readdir(folder)) JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    const third = await start(1);
    expect(await begin(third)).toBe(230);
    await end(third);
    console.info('rate limits kept by 2 processes at once: 100 + 150 of 480 used, a third finds 230');
  });

  it('that are killed leave what they wrote, never a torn file', async () => {
    const child = await start(40);
    await begin(child);
    // Written at most a second after the change.
    while (!(await readdir(folder)).some((name) => name.endsWith('.json')))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    const next = await start(0);
    expect(await begin(next)).toBe(440);
    await end(next);
  });
});
