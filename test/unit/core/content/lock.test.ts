import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentKinds } from '../../../../server/core/content/content-object.ts';
import { type LockEntry, lockKey, parseLock, printLock } from '../../../../server/core/content/lock.ts';

const word = fc.string({ unit: 'binary', maxLength: 12 });
const entry: fc.Arbitrary<LockEntry> = fc.record({
  kind: fc.constantFrom(...contentKinds),
  id: word.filter((id) => id !== ''),
  account: word.filter((id) => id !== ''),
  remoteId: word.filter((id) => id !== ''),
  hash: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/), { nil: undefined }),
  updateTime: fc.option(fc.constant('2031-04-02T08:00:00.000Z'), { nil: undefined }),
});
const lockOf = (entries: readonly LockEntry[]) => new Map(entries.map((it) => [lockKey(it, it.account), it]));
const bucket: LockEntry = {
  kind: 'policy',
  id: '$account-buckets-1',
  account: 'acme.example.net',
  remoteId: 'acme-buckets-1',
  hash: 'ab',
  updateTime: undefined,
};

describe('lql.lock', () => {
  it('reads what it prints, whatever the ids are, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const lock = lockOf(entries);
        const text = printLock(lock);
        expect(parseLock(text)).toEqual(new Map([...parseLock(text)]));
        expect([...parseLock(text).values()].sort(byKey)).toEqual([...lock.values()].sort(byKey));
        expect(printLock(lockOf([...lock.values()].reverse()))).toBe(text);
        expect(text.split('\n')).toHaveLength(lock.size + 2);
      }),
    );
  });

  it('is one line an object and account', () => {
    expect(printLock(lockOf([bucket])).split('\n')[1]).toBe(
      'policy $account-buckets-1 acme.example.net acme-buckets-1 ab -',
    );
  });

  it('knows no content where two branches disagree', () => {
    const merged = `${printLock(lockOf([bucket]))}=======\n${printLock(lockOf([{ ...bucket, hash: 'cd' }]))}>>>>>>> other\n`;
    expect([...parseLock(merged).values()]).toEqual([{ ...bucket, hash: undefined }]);
  });
});

function byKey(a: LockEntry, b: LockEntry): number {
  return lockKey(a, a.account) < lockKey(b, b.account) ? -1 : 1;
}
