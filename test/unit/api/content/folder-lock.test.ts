import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { adoptInSync, compareFolder, deployPlan, planDeployment } from '../../../../server/api/content/content-sync.ts';
import { FolderBusyError, folderHolder, withFolder } from '../../../../server/api/content/folder-lock.ts';
import { pullContent } from '../../../../server/api/content/pull-content.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { contentFolder, inProcessAccount } from './support/in-process.ts';

const script = path.join(import.meta.dirname, 'support', 'work-in-folder.ts');

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Resolves when the process has written so many lines. */
function lines(child: ChildProcess, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString().split('\n').length - 1;
      if (seen >= count) resolve();
    });
    child.on('exit', () => (seen >= count ? resolve() : reject(new Error(`ended after ${seen} lines`))));
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.on('exit', () => resolve()));

const textOf = (pid: number, host: string, token: string): string =>
  JSON.stringify({ pid, host, started: '2031-04-02T08:00:00.000Z', work: 'deploying', token });

const impatient = { patience: 100 };

describe('a folder that two processes work in', { timeout: 120_000 }, () => {
  it('belongs to one of them, which is named, until it ends or is killed', async () => {
    await using folder = await contentFolder();
    const { root } = folder;
    const holder = start('hold', root);
    try {
      await lines(holder, 1);
      const refused = await withFolder(root, 'pulling', async () => 'in', impatient).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(FolderBusyError);
      expect(String(refused)).toMatch(
        new RegExp(`process ${holder.pid} is deploying there since .+Z\\. Nothing was done\\. Wait`),
      );
      expect(await folderHolder(root)).toMatchObject({ pid: holder.pid, host: hostname(), work: 'deploying' });
    } finally {
      holder.kill('SIGKILL');
    }
    await ended(holder);
    expect(await folderHolder(root)).toBeUndefined();
    expect(await withFolder(root, 'pulling', async () => 'in', impatient)).toBe('in');
    expect(await readdir(path.join(root, '.lql'))).toEqual(['.gitignore']);
  });

  it('is held by one at a time, even while one after the other is killed', async () => {
    await using folder = await contentFolder({ count: '0' });
    const { root } = folder;
    const victims = [start('hold', root)];
    await lines(victims[0] as ChildProcess, 1);
    const workers = [start('count', root, '15'), start('count', root, '15'), start('count', root, '15')];
    const done = workers.map((worker) => lines(worker, 15));
    victims[0]?.kill('SIGKILL');
    await Promise.all(done);
    await Promise.all(workers.map(ended));
    expect(await readFile(path.join(root, 'count'), 'utf8')).toBe('45');
  });

  it('is held by one at a time when it is given back, or its holder found dead, under the eyes of many', async () => {
    await using folder = await contentFolder();
    const { root } = folder;
    const file = path.join(root, '.lql', 'in-use.json');
    let inside = 0;
    let most = 0;
    let turns = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
      turns++;
    };
    // Whoever sees the folder left must not take away what a third one has put there since.
    const takeTurns = async (): Promise<void> => {
      for (let turn = 0; turn < 40; turn++) await withFolder(root, 'deploying', work, { patience: 60_000 });
    };
    await withFolder(root, 'deploying', work);
    await writeFile(file, textOf(2 ** 30, hostname(), 'x'));
    await Promise.all(Array.from({ length: 12 }, takeTurns));
    expect({ most, turns }).toEqual({ most: 1, turns: 481 });
    expect(await readdir(path.join(root, '.lql'))).toEqual(['.gitignore']);
  });

  it('is taken from the dead by whoever follows one that died doing so, and by nobody beside one that lives', async () => {
    await using folder = await contentFolder();
    const { root } = folder;
    await withFolder(root, 'pulling', async () => {});
    const inside = path.join(root, '.lql');
    const claimOn = (text: string): string =>
      path.join(inside, `in-use.${createHash('sha256').update(text).digest('hex').slice(0, 24)}.taking`);
    const dead = textOf(2 ** 30, hostname(), 'holder');
    const follower = textOf(2 ** 30, hostname(), 'follower');
    await writeFile(path.join(inside, 'in-use.json'), dead);
    await writeFile(claimOn(dead), follower);
    await writeFile(claimOn(follower), textOf(process.ppid, hostname(), 'last'));
    await expect(withFolder(root, 'pulling', async () => 'in', impatient)).rejects.toThrow(FolderBusyError);
    expect(await readFile(path.join(inside, 'in-use.json'), 'utf8')).toBe(dead);
    await writeFile(claimOn(follower), textOf(2 ** 30, hostname(), 'last'));
    expect(await withFolder(root, 'pulling', async () => 'in', impatient)).toBe('in');
    expect(await readdir(inside)).toEqual(['.gitignore']);
    // What somebody left behind who died right after is swept.
    await writeFile(claimOn(dead), follower);
    await utimes(claimOn(dead), 1, 1);
    expect(await withFolder(root, 'pulling', async () => 'in', impatient)).toBe('in');
    expect(await readdir(inside)).toEqual(['.gitignore']);
  });

  it('is left by whoever is dead, silent or torn, and by nobody else', async () => {
    await using folder = await contentFolder();
    const { root } = folder;
    const file = path.join(root, '.lql', 'in-use.json');
    await mkdir(path.dirname(file), { recursive: true });
    const held = async (text: string, secondsAgo: number): Promise<boolean> => {
      await writeFile(file, text);
      const then = new Date(Date.now() - secondsAgo * 1000);
      await utimes(file, then, then);
      return withFolder(root, 'pulling', async () => false, impatient).catch(() => true);
    };
    const holder = (pid: number, host: string): string => textOf(pid, host, 'x');
    const alive = process.ppid;
    expect(await held(holder(alive, hostname()), 60)).toBe(true);
    expect(await held(holder(alive, hostname()), 700)).toBe(false);
    expect(await held(holder(2 ** 30, hostname()), 0)).toBe(false);
    // In a container every run has the same number: what this process did not write itself is left by one before it.
    expect(await held(holder(process.pid, hostname()), 0)).toBe(false);
    await withFolder(root, 'deploying', async () => {
      expect(await folderHolder(root)).toMatchObject({ pid: process.pid, work: 'deploying' });
      await expect(withFolder(root, 'pulling', async () => 'in', impatient)).rejects.toThrow(FolderBusyError);
    });
    expect(await held(holder(alive, 'elsewhere'), 60)).toBe(true);
    expect(await held(holder(2 ** 30, 'elsewhere'), 60)).toBe(true);
    expect(await held(holder(alive, 'elsewhere'), 130)).toBe(false);
    expect(await held('', 1)).toBe(true);
    expect(await held('{"pid":', 20)).toBe(false);
  });

  it('is waited for when its holder died before it could say who it is', async () => {
    await using folder = await contentFolder();
    const file = path.join(folder.root, '.lql', 'in-use.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, '');
    expect(await withFolder(folder.root, 'pulling', async () => 'in')).toBe('in');
  });

  it('is given back when the work fails', async () => {
    await using folder = await contentFolder();
    await expect(withFolder(folder.root, 'pulling', () => Promise.reject(new Error('full disk')))).rejects.toThrow(
      'full disk',
    );
    expect(await withFolder(folder.root, 'pulling', async () => 'in', impatient)).toBe('in');
  });

  it('is neither deployed from nor pulled into by a second one, and notes made meanwhile stay', async () => {
    const acme = inProcessAccount();
    const client = acme.client();
    const queryText = '{ source { SVC_CFG_AWS_S3 } return distinct { ARN } }';
    await client.call(endpoints.queries.create, { body: { queryId: 'Acme_A', queryText } });
    await using folder = await contentFolder({ 'queries/b.yaml': `queryId: Acme_B\nqueryText: "${queryText}"\n` });
    const options = { ...acme.options(folder.root, client), ...impatient };
    const early = await compareFolder(options);
    const plan = planDeployment(early, options, { prune: false, overwrite: new Set(), only: undefined });
    const everything = { only: undefined, take: new Set<string>() };
    await withFolder(folder.root, 'deploying', async () => {
      await expect(pullContent(early, options, everything)).rejects.toBeInstanceOf(FolderBusyError);
      await expect(deployPlan(plan, options)).rejects.toBeInstanceOf(FolderBusyError);
      await adoptInSync(early, options);
    });
    expect(await readdir(path.join(folder.root, 'queries'))).toEqual(['b.yaml']);
    expect((await client.call(endpoints.queries.list)).data.some(({ queryId }) => queryId === 'Acme_B')).toBe(false);

    // Two windows looked at the same time; the second one's look is old by now.
    expect((await pullContent(early, options, everything)).pulled).toHaveLength(1);
    const late = await pullContent(early, options, everything);
    expect([late.pulled, late.left.map(({ message }) => message)]).toEqual([
      [],
      [expect.stringContaining('another window, synchronised it meanwhile')],
    ]);
    await adoptInSync(early, options);
    expect(await readFile(path.join(folder.root, 'lql.lock'), 'utf8')).toContain('query Acme_A');
  });
});
