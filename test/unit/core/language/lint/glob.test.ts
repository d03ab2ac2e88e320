import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../../../server/core/language/lint/glob.ts';

describe('matchesGlob', () => {
  it.each([
    ['drafts/a.lql', 'drafts/**', true],
    ['drafts/x/a.lql', 'drafts/**', true],
    ['drafts/a.lql', 'drafts/', true],
    ['other/drafts/a.lql', 'drafts/**', false],
    ['other/drafts/a.lql', '**/drafts/**', true],
    ['drafts/a.lql', '**/drafts/**', true],
    ['a/b/c.lql', '*.lql', true],
    ['c.lql', '*.lql', true],
    ['c.yaml', '*.lql', false],
    ['a/b/c.lql', 'a/*.lql', false],
    ['a/c.lql', 'a/*.lql', true],
    ['a/c.lql', '/a/?.lql', true],
    ['a/cc.lql', '/a/?.lql', false],
    ['a/c.yml', 'a/*.{yaml,yml}', true],
    ['a/c.json', 'a/*.{yaml,yml}', false],
    ['a/b/z/c.lql', 'a/**/c.lql', true],
    ['a/c.lql', 'a/**/c.lql', true],
    ['a/bc.lql', 'a/**/c.lql', false],
    ['SVC_CFG_AWS_S3', '*_CFG_*', true],
    ['SVC_HE_FILES', '*_CFG_*', false],
    ['a.b', 'a+b', false],
  ])('%s fits %s: %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected);
  });

  it('takes hostile patterns in bounded time', () => {
    expect(matchesGlob('a'.repeat(2_000), `${'*a'.repeat(200)}b`)).toBe(false);
    expect(matchesGlob('x', '{a,b}'.repeat(50))).toBe(false);
  });
});
