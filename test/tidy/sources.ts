// The files of the repository as the tidy tests read them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from '../harness/paths.ts';

/** Tracked files and new ones that git does not ignore, as paths below the repository, sorted. */
export function listFiles(...patterns: readonly string[]): string[] {
  // Without this word git wants a folder for `**`, and would leave out the files right below the first one.
  const specs = patterns.map((pattern) => (pattern.includes('**') ? `:(glob)${pattern}` : pattern));
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...specs];
  const output = execFileSync('git', args, { cwd: repoRoot, encoding: 'utf8', maxBuffer: 1 << 26 });
  const files = new Set(output.split('\0').filter((file) => file !== '' && existsSync(path.join(repoRoot, file))));
  return [...files].sort();
}

export function readSource(file: string): string {
  return readFileSync(path.join(repoRoot, file), 'utf8');
}

export interface Import {
  readonly specifier: string;
  readonly line: number;
  readonly isTypeOnly: boolean;
  /** The names that are taken, as the imported module calls them; `*` for all of it. */
  readonly names: readonly string[];
}

/** Every module that a file names in import, export … from and import(), type imports included. */
export function importsOf(source: string): Import[] {
  const found: Import[] = [];
  const statement =
    /^[ \t]*(?:import|export)\b([^'"`;]*?)\bfrom\s*['"]([^'"]+)['"]|^[ \t]*import\s*()['"]([^'"]+)['"]|\bimport\(\s*()['"]([^'"]+)['"]/gm;
  for (const match of source.matchAll(statement)) {
    const specifier = match[2] ?? match[4] ?? match[6];
    if (specifier === undefined) continue;
    const clause = match[1] ?? '*';
    const isTypeOnly = /^\s*type\b/.test(clause);
    found.push({ specifier, line: lineOf(source, match.index), isTypeOnly, names: namesIn(clause) });
  }
  return found;
}

function namesIn(clause: string): readonly string[] {
  const list = /\{([^}]*)\}/.exec(clause)?.[1];
  if (list === undefined) return ['*'];
  return list.split(',').flatMap((entry) => /^\s*(?:type\s+)?(\w+)/.exec(entry)?.[1] ?? []);
}

export function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

/** `file:line: text` of every match outside of comments. */
export function findInCode(files: readonly string[], pattern: RegExp): string[] {
  const global = new RegExp(pattern, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  return files.flatMap((file) => {
    const source = readSource(file);
    const code = blankComments(source);
    return [...code.matchAll(global)].map((match) => `${file}:${lineOf(code, match.index)}: ${match[0].trim()}`);
  });
}

/** The source with the characters of its comments replaced by blanks; strings are left alone. */
export function blankComments(source: string): string {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return source.replace(token, (text) => (text.startsWith('/') ? text.replace(/[^\n]/g, ' ') : text));
}
