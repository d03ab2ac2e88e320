import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../../../server/core/content/compare.ts';
import type { ContentFields, RemoteObject } from '../../../../server/core/content/content-object.ts';
import {
  commonText,
  conflictsIn,
  hasMarkers,
  mergedText,
  mergeSides,
  mergeTexts,
  textWithMarkers,
  undecided,
} from '../../../../server/core/content/merge.ts';

// Few different lines, so that texts have lines in common and lines that occur twice.
const line = fc.constantFrom('a\n', 'b\n', 'c\n', 'd\n', '\n', 'x: 1\r\n');
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom('', 'end'))
  .map(([lines, last]) => lines.join('') + last);
const never = (): readonly string[] => {
  throw new Error('nothing had to be decided');
};

describe('mergeTexts', () => {
  it('gives each of the three texts again', () => {
    fc.assert(
      fc.property(text, text, text, (base, local, remote) => {
        const hunks = mergeTexts(base, local, remote);
        expect(hunks.flatMap((hunk) => hunk.base).join('')).toBe(base);
        expect(hunks.flatMap((hunk) => hunk.local).join('')).toBe(local);
        expect(hunks.flatMap((hunk) => hunk.remote).join('')).toBe(remote);
      }),
    );
  });

  it('takes the change of the only side that has one, and the same change of both', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(mergedText(mergeTexts(base, other, base), never)).toBe(other);
        expect(mergedText(mergeTexts(base, base, other), never)).toBe(other);
        expect(mergedText(mergeTexts(base, other, other), never)).toBe(other);
      }),
    );
  });

  it('finds the same conflicts whichever side is called local', () => {
    fc.assert(
      fc.property(text, text, text, (base, local, remote) => {
        const one = mergeTexts(base, local, remote);
        const other = mergeTexts(base, remote, local);
        const sides = { local: 'remote', remote: 'local', same: 'same', both: 'both', conflict: 'conflict' } as const;
        expect(other.map(({ kind }) => sides[kind])).toEqual(one.map(({ kind }) => kind));
      }),
    );
  });

  it('merges what was changed in different places', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
    const place = fc.integer({ min: 0, max: 11 });
    fc.assert(
      fc.property(place, place, (here, there) => {
        fc.pre(Math.abs(here - there) > 1);
        const changed = (...at: readonly number[]) =>
          lines.map((it, index) => (at.includes(index) ? `changed ${index}\n` : it)).join('');
        const hunks = mergeTexts(lines.join(''), changed(here), changed(there));
        expect(conflictsIn(hunks)).toBe(0);
        expect(mergedText(hunks, never)).toBe(changed(here, there));
      }),
    );
  });
});

describe('markers', () => {
  it('stand in the text exactly when something has to be decided', () => {
    fc.assert(
      fc.property(text, text, text, (base, local, remote) => {
        const hunks = mergeTexts(base, local, remote);
        const marked = textWithMarkers(hunks, { local: 'policy.yaml', remote: 'the account' });
        expect(hasMarkers(marked)).toBe(conflictsIn(hunks) > 0);
        expect(marked.split(/^=======\r?$/m).length - 1).toBe(conflictsIn(hunks));
      }),
    );
  });

  it('use the line ends of the file', () => {
    const hunks = mergeTexts('a: 1\r\n', 'a: 2\r\n', 'a: 3');
    expect(textWithMarkers(hunks, { local: 'f', remote: 'r' })).toBe(
      '<<<<<<< f\r\na: 2\r\n||||||| when both were the same\r\na: 1\r\n=======\r\na: 3\r\n>>>>>>> r\r\n',
    );
  });
});

describe('undecided', () => {
  // Lines that occur once: where a line stands twice, nobody can tell which of the two was kept.
  const unique = fc
    .uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 3, maxLength: 12 })
    .map((numbers) => numbers.map((number) => `${number}\n`));
  const edit = fc.array(fc.tuple(fc.nat(30), fc.constantFrom('replace', 'insert', 'remove')), { maxLength: 4 });
  const edited = (lines: readonly string[], edits: readonly (readonly [number, string])[], mark: string): string => {
    const next = [...lines];
    for (const [number, [at, how]] of edits.entries()) {
      const index = at % (next.length + 1);
      next.splice(index, how === 'insert' ? 0 : 1, ...(how === 'remove' ? [] : [`${mark}${number}\n`]));
    }
    return next.join('');
  };

  it('counts the places that say what was there before, and none that was decided', () => {
    fc.assert(
      fc.property(unique, edit, edit, (lines, here, there) => {
        const hunks = mergeTexts(lines.join(''), edited(lines, here, 'l'), edited(lines, there, 'r'));
        const count = conflictsIn(hunks);
        expect(
          undecided(
            hunks,
            mergedText(hunks, (hunk) => hunk.base),
          ),
        ).toBe(count);
        expect(
          undecided(
            hunks,
            mergedText(hunks, (hunk) => hunk.local),
          ),
        ).toBe(0);
        expect(
          undecided(
            hunks,
            mergedText(hunks, (hunk) => hunk.remote),
          ),
        ).toBe(0);
        // Each side may have removed what the other kept: both together are then what was there before.
        const again = hunks.filter(
          ({ kind, base, local, remote }) => kind === 'conflict' && [...local, ...remote].join('') === base.join(''),
        );
        const together = mergedText(hunks, (hunk) => [...hunk.local, ...hunk.remote]);
        expect(undecided(hunks, together)).toBe(again.length);
      }),
    );
  });
});

it('commonText leaves a conflict for every difference', () => {
  fc.assert(
    fc.property(text, text, (here, there) => {
      const hunks = mergeTexts(commonText(here, there), here, there);
      for (const { kind } of hunks) expect(['same', 'conflict', 'local', 'remote']).toContain(kind);
      expect(hunks.some(({ kind }) => kind !== 'same')).toBe(here !== there);
      // What is not in common was added by one side or by both; nothing was taken away.
      expect(hunks.filter(({ kind }) => kind !== 'same').flatMap(({ base }) => base)).toEqual([]);
    }),
  );
});

describe('mergeSides', () => {
  const fieldNames = ['title', 'severity', 'description', 'remediation', 'limit'] as const;
  const fields = fc.record(
    {
      title: fc.constantFrom('a', 'b', 'c'),
      severity: fc.constantFrom('high', 'low'),
      description: fc.constantFrom('d', 'e'),
      remediation: fc.constantFrom('r', 's'),
      limit: fc.constantFrom(10, 20),
    },
    { requiredKeys: [] },
  );
  const object = (given: ContentFields) => ({ kind: 'policy', id: '$account-a-1', fields: given }) as const;
  const remoteOf = (given: ContentFields): RemoteObject => ({
    ...object(given),
    remoteId: 'acme-a-1',
    vendorOwned: false,
    updateTime: undefined,
    updateUser: undefined,
  });

  it('leaves the fields to decide, and takes what one side alone changed into all three', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, local, remote) => {
        const sides = mergeSides(
          compare(object({}), {
            base: object(base),
            local: object(local),
            remote: remoteOf(remote),
            wasSynchronised: true,
          }),
        );
        if (!sides) throw new Error('both sides are there');
        for (const field of fieldNames) {
          // A limit that is not written is the default, which is none of these.
          const [before, here, there] = [base[field], local[field], remote[field]];
          const merged = [sides.base, sides.local, sides.remote].map((side) => side?.fields[field]);
          if (here !== there && before !== here && before !== there) {
            expect(sides.conflicts).toContain(field);
            expect(merged).toEqual([before, here, there]);
          } else if (here !== there) {
            const winner = before === here ? there : here;
            expect(merged).toEqual([winner, winner, winner]);
            expect(sides.merged).toContainEqual({ field, from: before === here ? 'remote' : 'local' });
          }
        }
      }),
    );
  });

  it('has nothing to merge where one side is missing', () => {
    const only = { base: object({ title: 'a' }), remote: undefined, wasSynchronised: true };
    expect(mergeSides(compare(object({}), { ...only, local: object({ title: 'b' }) }))).toBeUndefined();
  });
});
