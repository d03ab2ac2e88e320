import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../../server/platform/state/folder-lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'platform-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A number that no process has. */
const nobody = 2 ** 30;

function leave(at: string, text: string, secondsAgo = 0): string {
  mkdirSync(at, { recursive: true });
  const file = path.join(at, 'platform.lock');
  writeFileSync(file, text);
  const then = new Date(Date.now() - secondsAgo * 1000);
  utimesSync(file, then, then);
  return file;
}

const starters = 4;
const races = 100;

describe('the lock of a data folder', () => {
  test.each([
    ['a dead process', JSON.stringify({ pid: nobody }), 0],
    ['a process that died before it could say who it is', '{"pid":', 60],
    ['nobody', undefined, 0],
  ])('left by %s is taken by one of several starters', async (_, text, secondsAgo) => {
    for (let race = 0; race < races; race++)
      if (text !== undefined) leave(path.join(folder, String(race)), text, secondsAgo);
    const script = path.join(import.meta.dirname, 'support', 'take-folders.ts');
    const children = Array.from({ length: starters }, () =>
      fork(script, [folder, String(races)], { execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'] }),
    );
    try {
      await Promise.all(children.map((child) => once(child, 'message')));
      const results = children.map((child) => once(child, 'message'));
      for (const child of children) child.send(Date.now() + 50);
      const holders = Array<number>(races).fill(0);
      for (const [got] of await Promise.all(results))
        for (const race of got as number[]) holders[race] = (holders[race] ?? 0) + 1;
      expect(holders.filter((count) => count !== 1)).toEqual([]);
      for (let race = 0; race < races; race++)
        expect(readdirSync(path.join(folder, String(race)))).toEqual(['platform.lock']);
    } finally {
      for (const child of children) child.kill();
    }
  });

  test('is left by whoever is dead or torn, and by nobody else', () => {
    const isTaken = (text: string, secondsAgo: number): boolean => {
      leave(folder, text, secondsAgo);
      const lock = lockFolder(folder);
      if (lock.kind === 'taken') lock.release();
      return lock.kind === 'taken';
    };
    expect(isTaken(JSON.stringify({ pid: process.ppid }), 60)).toBe(false);
    expect(isTaken(JSON.stringify({ pid: nobody }), 0)).toBe(true);
    // In a container every run has the same number: what this process did not write itself is left by one before it.
    expect(isTaken(JSON.stringify({ pid: process.pid }), 0)).toBe(true);
    expect(isTaken('', 1)).toBe(false);
    expect(isTaken('', 4)).toBe(true);
    expect(isTaken('{"pid":', 4)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken by whoever follows one that died taking it, and by nobody beside one that lives', () => {
    const file = leave(folder, JSON.stringify({ pid: nobody }));
    const claimOn = (found: string, pid: number): string => {
      const unique = `${readFileSync(found, 'utf8')}\n${statSync(found).mtimeMs}`;
      const claim = `${file}.${createHash('sha256').update(unique).digest('hex').slice(0, 24)}.taking`;
      writeFileSync(claim, JSON.stringify({ pid }));
      return claim;
    };
    const last = claimOn(claimOn(file, nobody), process.ppid);
    const before = readdirSync(folder).sort();
    expect(before).toHaveLength(3);
    expect(lockFolder(folder).kind).toBe('busy');
    expect(readdirSync(folder).sort()).toEqual(before);
    // Its number is another process's by now.
    utimesSync(last, 1, 1);
    expect(lockFolder(folder)).toMatchObject({ kind: 'taken' });
    expect(readdirSync(folder)).toEqual(['platform.lock']);
  });

  test('keeps no claim of somebody who died right after the lock was gone', () => {
    leave(folder, '');
    rmSync(path.join(folder, 'platform.lock'));
    writeFileSync(path.join(folder, 'platform.lock.0.taking'), JSON.stringify({ pid: nobody }));
    writeFileSync(path.join(folder, 'platform.lock.1.taking'), JSON.stringify({ pid: process.ppid }));
    expect(lockFolder(folder).kind).toBe('taken');
    expect(readdirSync(folder).sort()).toEqual(['platform.lock', 'platform.lock.1.taking']);
  });

  test('is cleared as it was seen, and not once somebody else has it', () => {
    const file = leave(folder, JSON.stringify({ pid: process.ppid }), 60);
    const seen = lockFolder(folder);
    if (seen.kind !== 'busy') throw new Error('It was taken.');
    expect(seen.age).toBeGreaterThan(59_000);
    leave(folder, JSON.stringify({ pid: process.ppid }), 59);
    seen.clear();
    expect(readdirSync(folder)).toEqual(['platform.lock']);
    const again = lockFolder(folder);
    if (again.kind !== 'busy') throw new Error('It was taken.');
    again.clear();
    expect(readdirSync(folder)).toEqual([]);
    expect(lockFolder(folder).kind).toBe('taken');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  test('is neither announced nor released by one that was taken for dead', () => {
    const holder = { pid: process.pid, url: 'http://127.0.0.1:9', port: 9, keyId: 'k', secret: 's' };
    const lock = lockFolder(folder);
    if (lock.kind !== 'taken') throw new Error('It was not taken.');
    expect(lock.announce(holder)).toBe(true);
    const file = path.join(folder, 'platform.lock');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(holder);
    expect(statSync(file).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o600);
    const others = JSON.stringify({ pid: process.ppid });
    leave(folder, others);
    expect(lock.announce(holder)).toBe(false);
    lock.release();
    expect(readFileSync(file, 'utf8')).toBe(others);
    expect(readdirSync(folder)).toEqual(['platform.lock']);
  });
});
