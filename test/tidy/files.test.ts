import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../harness/paths.ts';
import { findInCode, listFiles, readSource } from './sources.ts';

const written = listFiles('*.ts', '*.mts', '*.mjs', '*.css', '*.md', '*.yaml', '*.sh', '*.lql', '*.json');
const code = listFiles('*.ts', '*.mts', '*.mjs');
const shipped = listFiles('server/**/*.ts', 'client/**/*.ts');
const self = 'test/tidy/';

test('no source file has more than 700 lines', () => {
  const files = listFiles('*.ts', '*.mts', '*.mjs', '*.css');
  const long = files.map((file) => [file, readSource(file).split('\n').length - 1] as const);
  expect(long.filter(([, lines]) => lines > 700)).toEqual([]);
});

test('file names are kebab-case, functions as the language spells them', () => {
  const misnamed = code.filter((file) => {
    if (file.startsWith('server/core/language/catalog/functions/')) return false;
    return !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|property|config|d))*\.m?[jt]s$/.test(path.posix.basename(file));
  });
  expect(misnamed).toEqual([]);
});

test('nothing is called utils, helpers or misc', () => {
  expect(listFiles().filter((file) => /(?:^|[/-])(?:utils?|helpers?|misc|common)(?:[./-]|$)/.test(file))).toEqual([]);
});

test('there are no default exports but where a tool asks for one', () => {
  const files = code.filter((file) => !/\.config\.m?ts$/.test(file));
  expect(findInCode(files, /^export default\b/m)).toEqual([]);
});

test('nothing is left open: no markers of work to do, no tests switched off, no silenced checks', () => {
  const files = code.filter((file) => !file.startsWith(self));
  const leftovers = files.flatMap((file) => {
    const lines = readSource(file).split('\n');
    const pattern =
      /\b(?:TODO|FIXME|XXX)\b|@ts-(?:ignore|expect-error|nocheck)|\b(?:it|test|describe|suite)\.(?:only|skip|todo)\b|: any(?:\[\])?\s*(?:[;,)=|&>]|$)|\bas any(?=\s*[;,)\].]|$)|<any>|biome-ignore-all|not implemented/;
    return lines.flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
  });
  expect(leftovers).toEqual([]);
});

test('nothing shipped runs text as code or markup, trusts markdown, or lowers the guard of TLS', () => {
  const dangerous =
    /\binnerHTML\b|\bouterHTML\b|\binsertAdjacentHTML\b|\bdocument\.write|\bcreateContextualFragment\b|\bDOMParser\b|\beval\(|\bnew Function\(|isTrusted:\s*true|isTrusted\s*=\s*true|supportHtml:\s*true|supportHtml\s*=\s*true|rejectUnauthorized|NODE_TLS_REJECT/;
  expect(findInCode(shipped, dangerous)).toEqual([]);
});

test('no file names this machine or a package registry', () => {
  // The folder of the repository and what lies beside it, the home folder, and addresses that a lock file would carry.
  // (`/root` is a home folder too, but one that sample data may well speak of.)
  const home = homedir() === '/root' ? [] : [homedir()];
  const places = [repoRoot, path.join(repoRoot, '..', 'shared'), '../shared', ...home];
  const registry = /https?:\/\/[^\s"']*\b(?:registry|packages?)\.[a-z]+|"resolved":/;
  const allowed = ['test/harness/paths.ts'];
  const violations = written
    .filter((file) => !file.startsWith(self) && !allowed.includes(file))
    .flatMap((file) => {
      const source = readSource(file);
      const found = [...places.filter((place) => source.includes(`${place}/`)), ...(registry.exec(source) ?? [])];
      return found.map((text) => `${file}: ${text}`);
    });
  expect(violations).toEqual([]);
});
