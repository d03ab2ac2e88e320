import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repoRoot } from '../../harness/paths.ts';

// `npm run new` in a copy of the files that it edits.
const edited = [
  'scripts/new.mjs',
  'scripts/project.mjs',
  'package.json',
  'server/core/language/lint/rules/index.ts',
  'server/core/language/catalog/functions/index.ts',
  'server/api/endpoints/index.ts',
  'server/api/endpoints/policies.ts',
];
let copy: string;

beforeEach(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'lql-new-'));
  for (const file of edited) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(repoRoot, file), path.join(copy, file));
  }
  // The generators need the whole repository; here it is enough to see that they are run.
  const leaveTrace = "import { writeFileSync } from 'node:fs';\nwriteFileSync('generated', 'yes');\n";
  writeFileSync(path.join(copy, 'scripts/generate.mjs'), leaveTrace);
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(path.join(copy, file), 'utf8');

function begin(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(copy, 'scripts/new.mjs'), ...args], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

/** The names that a list file imports and lists. */
function listed(file: string): { readonly imported: readonly string[]; readonly entries: readonly string[] } {
  const text = read(file);
  const names = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
  return { imported: names(/^import \{ (\w+) \} from '\.\//gm), entries: names(/^ {2}(\w+),$/gm) };
}

describe('npm run new', () => {
  it.each([
    ['rule', 'some-new-rule', 'server/core/language/lint/rules', 'someNewRule'],
    ['function', 'some_new_function', 'server/core/language/catalog/functions', 'someNewFunction'],
  ])('%s %s writes the file and lists it', (kind, name, folder, variable) => {
    const { status, said } = begin(kind, name);
    expect([status, said]).toEqual([0, expect.stringContaining('fails until')]);
    expect(read(`${folder}/${name}.ts`)).toContain(`export const ${variable} = define`);
    expect(read('generated')).toBe('yes');
    const { imported, entries } = listed(`${folder}/index.ts`);
    expect([imported.filter((each) => each === variable), entries.filter((each) => each === variable)]).toEqual([
      [variable],
      [variable],
    ]);
    expect(begin(kind, name)).toMatchObject({ status: 1, said: expect.stringContaining('exists already') });
  });

  it('endpoint adds to its family, or begins one', () => {
    expect(begin('endpoint', 'policies.clone').status).toBe(0);
    expect(read('server/api/endpoints/policies.ts')).toContain("id: 'policies.clone'");
    expect(begin('endpoint', 'something.list').status).toBe(0);
    expect(read('server/api/endpoints/something.ts')).toContain("id: 'something.list'");
    expect(read('server/api/endpoints/index.ts')).toMatch(/import \{ something \}[\s\S]*^ {2}something,$/m);
  });

  it('command contributes and registers it', () => {
    expect(begin('command', 'doSomething', 'Do Something').status).toBe(0);
    const manifest: { contributes: { commands: { command: string; title: string }[] } } = JSON.parse(
      read('package.json'),
    );
    expect(manifest.contributes.commands).toContainEqual({
      command: 'lql.doSomething',
      title: 'Do Something',
      category: 'LQL',
    });
    expect(read('client/features/do-something/index.ts')).toContain("register('lql.doSomething'");
  });

  it.each([
    [[], 'Usage'],
    [['rule', 'Bad Name'], 'kebab-case'],
    [['function', 'CamelCase'], 'lower case'],
    [['endpoint', 'nofamily'], 'family and operation'],
    [['command', 'doSomething'], 'Say the title'],
  ])('refuses %j and says how', (args, message) => {
    expect(begin(...args)).toMatchObject({ status: 1, said: expect.stringContaining(message) });
  });
});
