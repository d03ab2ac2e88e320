import { describe, expect, it } from 'vitest';
import type { ContentKind } from '../../../../../server/core/content/content-object.ts';
import {
  defaultLayout,
  foldedPath,
  idOfPath,
  pathOfObject,
} from '../../../../../server/core/content/files/file-names.ts';

const kinds: readonly ContentKind[] = ['query', 'policy', 'alertProfile', 'exception'];
const nothing = (): boolean => false;
const path = (kind: ContentKind, id: string): string => pathOfObject(kind, id, defaultLayout, nothing);

function relative(kind: ContentKind, file: string): string {
  return file.slice(defaultLayout[kind].length + 1).replace(/\.yaml$/, '');
}

/** Numbers between 0 and 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('names of files', () => {
  it('are what a person expects for usual ids', () => {
    expect(path('query', 'Acme_Custom_OpenBuckets')).toBe('queries/Acme_Custom_OpenBuckets.yaml');
    expect(path('policy', '$account-buckets-1')).toBe('policies/buckets-1.yaml');
    expect(path('policy', 'lacework-global-39')).toBe('policies/~lacework-global-39.yaml');
    expect(path('alertProfile', 'Acme_S3')).toBe('alert-profiles/Acme_S3.yaml');
    expect(path('exception', '$account-buckets-1/dev accounts')).toBe('exceptions/buckets-1/dev%20accounts.yaml');
  });

  it('never are names that Windows keeps, hidden files, or paths out of the folder', () => {
    expect(path('query', 'con')).toBe('queries/%63on.yaml');
    expect(path('query', 'Lpt1.x')).toBe('queries/%4Cpt1.x.yaml');
    expect(path('query', '../../x')).toBe('queries/%2E.%2F..%2Fx.yaml');
    expect(path('query', '.hidden.')).toBe('queries/%2Ehidden%2E.yaml');
    expect(path('query', '')).toBe('queries/%.yaml');
    const long = path('query', 'x'.repeat(1000));
    expect(Math.max(...long.split('/').map((part) => part.length))).toBeLessThan(255);
    expect(idOfPath('query', relative('query', long))).toBe('x'.repeat(1000));
  });

  const count = process.env['DEEP'] === '1' ? 1_000_000 : 100_000;
  it(`lead from ${count.toLocaleString('en')} ids to as many files and back`, { timeout: 300_000 }, () => {
    const seed = 20_311_204;
    const random = generator(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const parts = [
      ...[
        'a',
        'A',
        'b',
        'B',
        'con',
        'CON',
        'aux',
        'nul',
        'LPT1',
        'com9',
        '.',
        '..',
        '/',
        '\\',
        ':',
        '*',
        '?',
        '"',
        '<',
        '>',
        '|',
      ],
      ...[
        'é',
        'e\u0301',
        'É',
        'ß',
        'ẞ',
        'SS',
        'İ',
        'ı',
        'K',
        'Å',
        'Å',
        '~',
        '%',
        '%41',
        '%u0041',
        '$account-',
        ' ',
        '_',
        '-',
        '0',
      ],
      ...['\uD800', '\uDC00', '😀', '\u0000', '\n', 'x'.repeat(90), '~/~', '~1', '.yaml'],
    ];
    const taken = new Map<string, string>();
    const seen = new Set<string>();
    const wrong: string[] = [];
    while (seen.size < count) {
      const kind = pick(kinds);
      let id = kind === 'exception' ? '$account-p-1/' : '';
      const length = 1 + Math.floor(random() * 8);
      for (let index = 0; index < length; index++) id += pick(parts);
      const key = `${kind}\n${id}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const file = pathOfObject(kind, id, defaultLayout, (folded) => taken.has(folded));
      const folded = foldedPath(file);
      if (taken.has(folded) || foldedPath(file.normalize('NFD')) !== folded) wrong.push(`${key} shares ${file}`);
      taken.set(folded, key);
      if (idOfPath(kind, relative(kind, file)) !== id) wrong.push(`${key} became ${file}`);
      if (!/^[A-Za-z0-9_.%~/-]+$/.test(file)) wrong.push(`${key} has characters that are not for all: ${file}`);
      for (const part of file.split('/')) {
        if (
          part.length > 200 ||
          /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(part) ||
          /[. ]$/.test(part) ||
          part.startsWith('.')
        )
          wrong.push(`${key} has a part that is not for all: ${part}`);
      }
      if (wrong.length > 3) break;
    }
    expect(wrong).toEqual([]);
    console.log(`ids to files and back: ${seen.size.toLocaleString('en')}, seed ${seed}, 0 wrong`);
  });
});
