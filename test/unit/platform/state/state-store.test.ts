import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../server/platform/state/account-state.ts';
import { createFolderStore, createMemoryStore } from '../../../../server/platform/state/state-store.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'platform-state-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const entry = (eventDescription: string): AuditEntry => ({
  createdTime: '2031-04-02T12:00:00.000Z',
  accountName: 'a',
  userName: 'u',
  eventName: 'Query',
  userAction: 'CREATE',
  eventDescription,
});

/** An id that every plain object answers to. */
const oddId = '__proto__';

const query = { queryId: 'Q', queryText: 't', owner: 'o', lastUpdateTime: '', lastUpdateUser: 'o' };

describe.each([
  ['in memory', () => createMemoryStore()],
  ['in a folder', () => createFolderStore(folder)],
] as const)('state %s', (_, create) => {
  test('is kept per account', () => {
    const store = create();
    store.open('one').state.queries['Q'] = query;
    store.open('one').commit(entry('first'), entry('second'));
    expect(store.open('one').state.queries['Q']).toEqual(query);
    expect(store.open('two').state.queries).toEqual({});
    expect(store.open('one').audit()).toHaveLength(2);
    expect(store.open('two').audit()).toHaveLength(0);
  });

  test('knows no id but those put in', () => {
    const { state } = create().open('one');
    for (const map of Object.values(state)) expect('constructor' in map || oddId in map).toBe(false);
    state.queries[oddId] = query;
    expect(({} as { queryId?: string }).queryId).toBeUndefined();
  });
});

describe('a folder', () => {
  test('gives back what was committed, ids that objects have anyway among it, and the account id', () => {
    const first = createFolderStore(folder);
    const account = first.open('one');
    account.state.queries[oddId] = query;
    account.commit(entry('made'));
    account.state.queries['Never'] = query;
    const second = createFolderStore(folder);
    expect(second.accountId).toBe(first.accountId);
    expect(Object.keys(second.open('one').state.queries)).toEqual([oddId]);
    expect(second.open('one').audit()).toEqual([entry('made')]);
  });

  test('is readable by its owner alone', () => {
    createFolderStore(folder).open('one').commit(entry('x'));
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o077, name).toBe(0);
  });

  test('drops a log line that was cut off and half-written files, and says what is damaged otherwise', () => {
    createFolderStore(folder).open('one').commit(entry('whole'));
    appendFileSync(path.join(folder, 'one.audit.ndjson'), '{"createdTime":"20');
    writeFileSync(path.join(folder, 'one.json.77.new'), '{"que');
    const store = createFolderStore(folder);
    expect(store.open('one').audit()).toEqual([entry('whole')]);
    store.open('one').commit(entry('next'));
    expect(createFolderStore(folder).open('one').audit()).toHaveLength(2);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
    writeFileSync(path.join(folder, 'two.json'), 'not json');
    expect(() => createFolderStore(folder).open('two')).toThrow(/two\.json is damaged/);
  });
});
