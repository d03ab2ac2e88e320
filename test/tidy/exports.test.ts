// What is exported is imported: an export that nobody needs is either dead or reaches further than it has to.
import path from 'node:path';
import { expect, test } from 'vitest';
import { blankComments, importsOf, listFiles, readSource } from './sources.ts';

const sources = new Map(
  listFiles('server/**/*.ts', 'client/**/*.ts', 'test/**/*.ts', 'test/**/*.mts', 'scripts/*.ts', 'scripts/*.mjs')
    .filter((file) => !file.endsWith('.d.ts'))
    .map((file) => [file, blankComments(readSource(file))] as const),
);

// What its callers are cannot be seen here: VS Code calls these by name.
const entryPoints = ['client/extension.ts'];

interface Export {
  readonly file: string;
  readonly name: string;
  readonly importers: readonly string[];
  /** How often the module itself names it, besides where it is declared. */
  readonly ownUses: number;
}

// That features are activated has a test of its own, which says so in those words.
const isActivation = ({ file, name }: Export) =>
  /^client\/features\/[^/]+\/index\.ts$/.test(file) && /^activate/.test(name);

const exported = exportsOf(sources).filter((each) => /^(?:client|server)\//.test(each.file) && !isActivation(each));

test('functions and values that are exported are imported', () => {
  expect(exported.filter(({ importers }) => importers.length === 0).map(describe)).toEqual([]);
});

test('nothing is shipped for the tests alone', () => {
  const forTests = exported.filter(
    ({ importers, ownUses }) => ownUses === 0 && importers.every((file) => file.startsWith('test/')),
  );
  expect(forTests.map(describe)).toEqual([]);
});

test('the check finds exports and their importers', () => {
  const found = exportsOf(
    new Map([
      [
        'a/a.ts',
        'export function one() {}\nexport const two = one();\nexport const three = 3;\nexport const four = 4;',
      ],
      [
        'a/b.ts',
        "import {\n  one,\n} from './a.ts';\nexport { two as due } from './a.ts';\nimport { three } from './c.ts';",
      ],
      ['a/c.ts', "const { four } = await import('./a.ts');\nexport * from './d.ts';"],
      ['a/d.ts', 'export const five = 5;'],
      ['a/e.ts', "import { five } from './c.ts';"],
    ]),
  );
  expect(found.map(({ name, importers, ownUses }) => [name, importers, ownUses])).toEqual([
    ['one', ['a/b.ts'], 1],
    ['two', ['a/b.ts'], 0],
    ['three', [], 0],
    ['four', ['a/c.ts'], 0],
    ['five', ['a/e.ts'], 0],
  ]);
});

function exportsOf(files: ReadonlyMap<string, string>): Export[] {
  const named = new Map<string, Map<string, string[]>>();
  const note = (target: string, name: string, importer: string) => {
    const names = named.get(target) ?? new Map<string, string[]>();
    named.set(target, names.set(name, [...(names.get(name) ?? []), importer]));
  };
  for (const [file, code] of files) {
    for (const { specifier, names } of importsOf(code)) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      for (const name of names) note(target, name, file);
    }
  }
  // What passes everything on is asked for what lies behind it.
  for (const [file, code] of files) {
    for (const [, specifier = ''] of code.matchAll(/^export \* from '([^']+)'/gm)) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      for (const [name, importers] of named.get(file) ?? [])
        for (const importer of importers) note(target, name, importer);
    }
  }
  return [...files].flatMap(([file, code]) => {
    if (entryPoints.includes(file)) return [];
    const declared = code.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm);
    return [...declared].map(([, name = '']) => {
      const names = named.get(file);
      // A module that is imported as a whole is taken to be used as a whole where the importer writes the name.
      const whole = (names?.get('*') ?? []).filter((importer) =>
        new RegExp(`\\b${name}\\b`).test(files.get(importer) ?? ''),
      );
      const ownUses = [...code.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length - 1;
      return { file, name, importers: [...new Set([...(names?.get(name) ?? []), ...whole])], ownUses };
    });
  });
}

function describe({ file, name }: Export): string {
  return `${file}: ${name}`;
}
