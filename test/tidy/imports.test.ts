import path from 'node:path';
import { expect, test } from 'vitest';
import { everywhere, siblingFolders, walls, zoneOf } from './import-table.ts';
import { importsOf, listFiles, readSource } from './sources.ts';

const files = listFiles('server/**/*.ts', 'client/**/*.ts').filter((file) => !file.endsWith('.d.ts'));

test('every source file belongs to a zone of the import table', () => {
  expect(files.filter((file) => !zoneOf(file) && !everywhere.includes(file))).toEqual([]);
});

test('modules import only what the import table allows', () => {
  const violations: string[] = [];
  for (const file of files) {
    for (const imported of importsOf(readSource(file))) {
      const reason = whyForbidden(file, imported.specifier, imported.isTypeOnly);
      if (reason) violations.push(`${file}:${imported.line} imports ${imported.specifier}: ${reason}`);
    }
  }
  expect(violations).toEqual([]);
});

test('no module needs itself in a circle', () => {
  // An expression is checked by the parts that it consists of, and these hold expressions again.
  const recursions = [
    'server/core/language/semantics/check-expression.ts > server/core/language/semantics/check-call.ts',
  ];
  const needs = new Map(
    files.map((file) => {
      const code = importsOf(readSource(file)).filter(
        ({ specifier, isTypeOnly }) => specifier.startsWith('.') && !isTypeOnly,
      );
      return [file, code.map(({ specifier }) => resolve(file, specifier))] as const;
    }),
  );
  expect(circlesOf(needs).filter((circle) => !recursions.includes(circle))).toEqual([]);
  expect(
    circlesOf(
      new Map([
        ['a', ['b']],
        ['b', ['c', 'd']],
        ['c', ['b']],
        ['d', []],
      ]),
    ),
  ).toEqual(['b > c']);
});

test('the checks see what they must refuse', () => {
  expect(whyForbidden('server/core/text/a.ts', 'node:fs', true)).toContain('package');
  expect(whyForbidden('server/core/language/a.ts', '../engine/b.ts', true)).toContain('server/core/engine');
  expect(whyForbidden('server/core/language/a.ts', '../resources/b.ts', true)).toContain('server/core/resources');
  expect(whyForbidden('server/core/results/a.ts', '../engine/b.ts', true)).toContain('server/core/engine');
  expect(whyForbidden('server/lsp/a.ts', '../api/http.ts', false)).toContain('server/api');
  expect(whyForbidden('server/lsp/a.ts', 'node:http', false)).toContain('package');
  expect(whyForbidden('server/lsp/a.ts', 'node:fs/promises', false)).toBeUndefined();
  expect(whyForbidden('server/lsp/a.ts', '../core/language/lint/lint.ts', false)).toContain('door');
  expect(whyForbidden('server/lsp/a.ts', '../core/language/lint/lint.ts', true)).toBeUndefined();
  expect(whyForbidden('server/platform/a.ts', '../api/client.ts', true)).toContain('server/api');
  expect(whyForbidden('server/cli/a.ts', '../platform/app.ts', false)).toContain('door');
  expect(whyForbidden('client/extension.ts', './features/x/a.ts', false)).toContain('index.ts');
  expect(whyForbidden('client/features/x/a.ts', '../y/b.ts', false)).toContain('sibling');
  expect(whyForbidden('client/webview/x/a.ts', '../../../server/core/results/row-store.ts', true)).toContain('results');
  expect(whyForbidden('client/protocol/a.ts', '../../server/core/results/view.ts', false)).toContain('types');
  expect(whyForbidden('client/features/x/a.ts', '../../protocol/results.ts', true)).toBeUndefined();
  const found = importsOf(
    "import type {\n  A,\n} from './a.ts';\nexport * from './b.ts';\nconst c = await import('./c.ts');",
  );
  expect(found.map(({ specifier, isTypeOnly }) => [specifier, isTypeOnly])).toEqual([
    ['./a.ts', true],
    ['./b.ts', false],
    ['./c.ts', false],
  ]);
});

function whyForbidden(file: string, specifier: string, isTypeOnly: boolean): string | undefined {
  const zone = zoneOf(file);
  if (!zone) return undefined;
  if (zone.typesOnly && !isTypeOnly && !isSameZone(file, specifier)) return `${zone.path} may import types only`;
  if (!specifier.startsWith('.')) {
    const name = packageName(specifier);
    const isAllowed = zone.packages.includes(name) || (name.startsWith('node:') && zone.packages.includes('node:'));
    return isAllowed ? undefined : `${zone.path} may not use the package ${name}`;
  }
  const target = resolve(file, specifier);
  if (file === 'client/extension.ts' && /^client\/features\/[^/]+\/(?!index\.ts$)/.test(target)) {
    return 'a feature is reached by its index.ts';
  }
  for (const { folder, inside, doors } of walls) {
    if (isTypeOnly || file.startsWith(inside) || !target.startsWith(folder)) continue;
    if (!doors.some((door) => target.startsWith(door))) return `${folder} has other doors for code`;
  }
  for (const folder of siblingFolders) {
    const [own, other] = [file, target].map((it) =>
      it.startsWith(folder) ? it.slice(folder.length).split('/')[0] : '',
    );
    if (own && other && own !== other && other !== 'shared' && !other.endsWith('.ts')) return 'it is a sibling';
  }
  if (target.startsWith(zone.path) || everywhere.includes(target)) return undefined;
  if (isTypeOnly && zone.mayTypes?.some((prefix) => target.startsWith(prefix))) return undefined;
  if (zone.may.some((prefix) => target.startsWith(prefix))) return undefined;
  return `${zone.path} may not import ${path.posix.dirname(target)}`;
}

/** Each circle once, as the way around it. */
function circlesOf(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const way: string[] = [];
  const done = new Set<string>();
  const visit = (file: string): void => {
    if (way.includes(file)) circles.push(way.slice(way.indexOf(file)).join(' > '));
    else if (!done.has(file)) {
      way.push(file);
      for (const needed of needs.get(file) ?? []) visit(needed);
      way.pop();
      done.add(file);
    }
  };
  for (const file of needs.keys()) visit(file);
  return circles;
}

function isSameZone(file: string, specifier: string): boolean {
  return specifier.startsWith('.') && zoneOf(file) === zoneOf(resolve(file, specifier));
}

function resolve(file: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}
