import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createSecretSearch } from '../../harness/secret-search.ts';

const secret = '_planted/secret+0123456789"abcdef';
const bytes = Buffer.from(secret);

function find(content: string | Buffer): readonly string[] {
  const search = createSecretSearch();
  search.protect('planted', secret);
  search.add('artefact', content);
  return search.finish().hits.map(({ form }) => form);
}

describe('a planted secret is found', () => {
  it.each<readonly [string, string | Buffer]>([
    ['raw', `a ${secret} b`],
    ['URL-encoded', `https://x.test/?k=${encodeURIComponent(secret)}`],
    ['JSON', JSON.stringify({ secret })],
    ['hexadecimal', `00${bytes.toString('hex')}`],
    ['hexadecimal', bytes.toString('hex').toUpperCase()],
    ['UTF-16', Buffer.concat([Buffer.alloc(8), Buffer.from(secret, 'utf16le')])],
    ...['', 'k', 'ke', 'key', 'key:'].flatMap((before) =>
      ['', 'a', 'af', 'aft'].flatMap((after): readonly (readonly [string, string])[] => [
        ['base64', Buffer.from(before + secret + after).toString('base64')],
        ['base64', Buffer.from(before + secret + after).toString('base64url')],
      ]),
    ),
    ['raw', gzipSync(`a ${secret} b`)],
  ])('%s: %s', (form, content) => {
    expect(find(content).join()).toContain(form);
  });

  it('in files, their names, and everything that shows of a value', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lql-secrets-'));
    try {
      mkdirSync(path.join(folder, 'deep', 'er'), { recursive: true });
      writeFileSync(path.join(folder, 'deep', 'er', 'state.db'), `\0\0${secret}\0`);
      writeFileSync(path.join(folder, encodeURIComponent(secret)), '');
      writeFileSync(path.join(folder, 'input'), secret);
      const search = createSecretSearch();
      search.protect('planted', secret);
      search.addFolder(folder, (file) => file.endsWith('input'));
      search.addValue('error', new Error('outer', { cause: new Error('inner', { cause: { secret } }) }));
      search.addValue('symbol', { [Symbol('hidden')]: secret });
      search.addValue('getter', Object.defineProperty({}, 'hidden', { get: () => secret, enumerable: false }));
      const { hits, artefacts } = search.finish();
      expect([...new Set(hits.map(({ place }) => path.basename(place)))].sort()).toEqual(
        [encodeURIComponent(secret), 'error', 'getter', 'state.db', 'symbol'].sort(),
      );
      expect(artefacts).toBeGreaterThan(6);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('what is no secret is not found', () => {
  expect(find(`${secret.slice(0, -1)} ${encodeURIComponent(secret).slice(1)}`)).toEqual([]);
});
