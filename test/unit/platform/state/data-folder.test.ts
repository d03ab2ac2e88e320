import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataFolderError, inDataFolder, makeFolder } from '../../../../server/platform/state/data-folder.ts';
import { lockFolder } from '../../../../server/platform/state/folder-lock.ts';
import { signIn } from '../signed-in.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'platform-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusal = (data: string): string => {
  try {
    lockFolder(data);
  } catch (error) {
    if (error instanceof DataFolderError) return error.message;
    throw error;
  }
  throw new Error('It was taken.');
};

describe('a data folder', () => {
  test('is made with those above it', () => {
    const deep = path.join(folder, 'a', 'b', 'c');
    makeFolder(deep);
    makeFolder(deep);
    expect(existsSync(deep)).toBe(true);
  });

  test('that is a file, lies below one, or is a circle of links is refused with the reason', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    expect(refusal(file)).toBe(
      `The data folder '${file}' cannot be used: it is a file. Name a folder that you may write to.`,
    );
    expect(refusal(path.join(file, 'below'))).toContain('a part of its path is a file');
    const circle = path.join(folder, 'circle');
    symlinkSync(circle, circle);
    expect(refusal(circle)).toContain('its links lead in a circle');
    expect(refusal(path.join(folder, 'x'.repeat(300)))).toContain('its name is too long');
  });

  test('in which a file stands where the state belongs is refused', async () => {
    writeFileSync(path.join(folder, 'state'), '');
    await expect(signIn({ dataFolder: folder })).rejects.toThrow(DataFolderError);
  });

  test('in which a folder stands where the lock belongs is refused', () => {
    mkdirSync(path.join(folder, 'platform.lock'));
    expect(refusal(folder)).toContain('a folder stands where a file of the platform belongs');
  });

  // The system's own recursive making of folders never returns here.
  test.runIf(existsSync('/proc/self'))('that cannot be made where it is wanted is refused, not tried for ever', () => {
    expect(refusal('/proc/x')).toContain('no folder can be made there');
    expect(refusal('/proc/x/y/z')).toContain('no folder can be made there');
  });

  test.each([
    ['EACCES', 'you may not write there'],
    ['EROFS', 'its disk is read-only'],
    ['ENOSPC', 'its disk is full'],
    ['EIO', 'the system says EIO'],
  ])('%s is told as %s', (code, reason) => {
    const fail = (): never => {
      throw Object.assign(new Error('raw'), { code });
    };
    expect(() => inDataFolder('/d', fail)).toThrow(
      `The data folder '/d' cannot be used: ${reason}. Name a folder that you may write to.`,
    );
  });

  test('lets mistakes of the program through as they are', () => {
    expect(() => inDataFolder('/d', () => (undefined as unknown as string).length)).toThrow(TypeError);
  });
});

// A device whose disk is always full stands where the platform is about to write.
describe.runIf(existsSync('/dev/full'))('on a full disk', () => {
  const queryText = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';

  test.each([
    ['the state', 'harborline.json'],
    ['the audit log', 'harborline.audit.ndjson'],
  ])('a change whose write to %s fails is refused, and neither seen nor kept', async (_, name) => {
    const platform = await signIn({ dataFolder: folder });
    const { call, app } = platform;
    const state = path.join(folder, 'state');
    expect((await call('POST', '/Queries', { queryId: 'Kept', queryText })).status).toBe(201);
    const target = path.join(state, name === 'harborline.json' ? `${name}.${process.pid}.new` : name);
    const before = name === 'harborline.json' ? undefined : readFileSync(target, 'utf8');
    rmSync(target, { force: true });
    symlinkSync('/dev/full', target);
    const refused = await call('POST', '/Queries', { queryId: 'Refused', queryText });
    expect(refused.status).toBe(503);
    expect(refused.body.message).toContain('its disk is full');
    expect((await call('GET', '/Queries/Refused')).status).toBe(404);
    expect((await call('PATCH', '/Queries/Kept', { queryText: `${queryText} ` })).status).toBe(
      name === 'harborline.json' ? 200 : 503,
    );
    rmSync(target, { force: true });
    if (before !== undefined) writeFileSync(target, before);
    expect((await call('POST', '/Queries', { queryId: 'Later', queryText })).status).toBe(201);
    const events = (await call('GET', '/AuditLogs')).body.data.map(
      (entry: { eventDescription: string }) => entry.eventDescription,
    );
    expect(events.filter((text: string) => text.includes('Refused'))).toEqual([]);
    await app.close();
    const again = await signIn({ dataFolder: folder });
    const ids = (await again.call('GET', '/Queries')).body.data.map((query: { queryId: string }) => query.queryId);
    expect(ids).toEqual(expect.arrayContaining(['Kept', 'Later']));
    expect(ids).not.toContain('Refused');
    const logged = (await again.call('GET', '/AuditLogs')).body.data.map(
      (entry: { eventDescription: string }) => entry.eventDescription,
    );
    expect(logged).toEqual(events);
  });
});

test('the name of the file that holds the account id is no account', async () => {
  await expect(signIn({ account: 'account' })).rejects.toThrow(/taken by a file of the platform/);
});
