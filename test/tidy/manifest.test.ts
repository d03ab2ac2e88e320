// The manifest and the code say the same: a command that is offered exists, a setting that is shown is read.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../harness/paths.ts';
import { zones } from './import-table.ts';
import { blankComments, listFiles, readSource } from './sources.ts';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly icon?: string;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category?: string }[];
    readonly keybindings?: readonly { readonly command: string }[];
    readonly menus?: Readonly<Record<string, readonly { readonly command?: string }[]>>;
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    }[];
    readonly [point: string]: unknown;
  };
}

const manifest: Manifest = JSON.parse(readSource('package.json'));
const code = listFiles('client/**/*.ts')
  .map((file) => blankComments(readSource(file)))
  .join('\n');
const contributed = manifest.contributes.commands.map(({ command }) => command);
const registered = all(/\bregister(?:Command|TextEditorCommand)?(?:<[^(]*>)?\(\s*'(lql\.\w+)'/g);
const properties = Object.assign({}, ...manifest.contributes.configuration.map((part) => part.properties)) as Record<
  string,
  Record<string, unknown>
>;

// The language client reads this one itself, by its name.
const readByLibraries = ['lql.trace.server'];

test('every command in the manifest is registered, once', () => {
  expect(missingFrom(registered, contributed)).toEqual([]);
  expect(duplicates(registered)).toEqual([]);
  expect(duplicates(contributed)).toEqual([]);
});

test('every registered command is in the manifest or called by our own code', () => {
  const called = all(/(?:\bcommand:|\bexecuteCommand\(|\bcommand\s*=)\s*'(lql\.\w+)'/g);
  expect(missingFrom([...contributed, ...called], registered)).toEqual([]);
  expect(missingFrom(registered, called)).toEqual([]);
});

test('menus and keybindings name commands of the manifest', () => {
  const { keybindings = [], menus = {} } = manifest.contributes;
  const named = [...keybindings, ...Object.values(menus).flat()].flatMap(({ command }) => (command ? [command] : []));
  expect(missingFrom(contributed, named)).toEqual([]);
});

test('command titles are short, in one category, and named lql.verbNoun', () => {
  const odd = manifest.contributes.commands.filter(
    ({ command, title, category }) =>
      !/^lql\.[a-z]+(?:[A-Z][a-z0-9]*)*$/.test(command) || category !== 'LQL' || !/^[A-Z].{0,50}[^.]$/.test(title),
  );
  expect(odd).toEqual([]);
});

test('every feature is activated', () => {
  const features = listFiles('client/features/*/index.ts').map((file) => file.replace('client/', './'));
  const extension = readSource('client/extension.ts');
  expect(features.filter((file) => !extension.includes(`'${file}'`))).toEqual([]);
});

test('every setting in the manifest is read, and every setting read is in the manifest', () => {
  const read = all(/\bkey:\s*'(lql\.\w+\.\w+)'/g);
  expect(missingFrom([...read, ...readByLibraries], Object.keys(properties))).toEqual([]);
  expect(missingFrom(Object.keys(properties), read)).toEqual([]);
});

test('settings have the same default in the manifest as in the code', () => {
  const differing = [
    ...code.matchAll(/\bkey:\s*'(lql\.\w+\.\w+)',\s*fallback:\s*('[^']*'|true|false|-?\d[\d_]*)/g),
  ].flatMap(([, key = '', fallback = '']) => {
    const value: unknown = fallback.startsWith("'") ? fallback.slice(1, -1) : JSON.parse(fallback.replaceAll('_', ''));
    const declared = properties[key]?.['default'];
    return declared === value ? [] : [`${key}: ${JSON.stringify(declared)} in the manifest, ${fallback} in the code`];
  });
  expect(differing).toEqual([]);
});

test('settings say what they do', () => {
  const silent = Object.entries(properties).filter(
    ([, property]) => !property['description'] && !property['markdownDescription'],
  );
  expect(silent.map(([key]) => key)).toEqual([]);
});

test('context keys in conditions are set by the code', () => {
  const constants = new Map([...code.matchAll(/\bconst (\w+) = '(lql\.\w+)';/g)].map(([, name, key]) => [name, key]));
  const set = all(/'setContext',\s*('lql\.\w+'|\w+)/g).map((key) => constants.get(key) ?? key.replaceAll("'", ''));
  const conditions = JSON.stringify([manifest.contributes]).match(/"(?:when|enablement)":"(?:[^"\\]|\\.)*"/g) ?? [];
  const used = conditions.flatMap(
    (condition) => condition.replaceAll(/\bview == lql\.\w+/g, '').match(/\blql\.\w+\b/g) ?? [],
  );
  expect(missingFrom(set, used)).toEqual([]);
});

test('panels that come back after a restart wake the extension', () => {
  const restored = all(/\bregisterWebviewPanelSerializer\(\s*'(lql\.\w+)'/g);
  const events = manifest.activationEvents.map((event) => event.replace(/^onWebviewPanel:/, ''));
  expect(missingFrom(events, restored)).toEqual([]);
});

test('files that the manifest names exist', () => {
  const named = JSON.stringify([manifest.contributes, manifest.icon]).match(
    /"\.?\/?[\w@./-]+\.(?:json|svg|png|md|woff2?)"/g,
  );
  const missing = (named ?? [])
    .map((text) => JSON.parse(text) as string)
    // Scope names of grammars end like files do.
    .filter((file) => file.includes('/'))
    .filter((file) => !existsSync(path.join(repoRoot, file)));
  expect(missing).toEqual([]);
});

test('packages are pinned exactly, and each that ships has its reason in ADR 0001', () => {
  const versions = Object.entries({ ...manifest.devDependencies, ...manifest.optionalDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const rows = readSource('docs/adr/0001-record-decisions.md').match(/^\| .+ \|$/gm) ?? [];
  const reasoned = rows.flatMap((row) => row.split('|')[1]?.trim().split(', ') ?? []);
  const used = zones
    .flatMap(({ packages }) => packages)
    .filter((name) => name !== 'vscode' && !name.startsWith('node:'));
  expect(missingFrom(reasoned, used)).toEqual([]);
  expect(missingFrom([...used, 'Package', '---'], reasoned)).toEqual([]);
});

test('decisions have numbers of their own, and the one of their file', () => {
  const files = listFiles('docs/adr/*.md').filter((file) => !file.endsWith('0000-template.md'));
  const numbers = files.map((file) => path.basename(file).slice(0, 4));
  expect(duplicates(numbers)).toEqual([]);
  expect(files.filter((file, index) => !readSource(file).startsWith(`# ${numbers[index]}. `))).toEqual([]);
  const status = /^Status: (?:proposed|accepted|superseded by \d{4}) · Date: \d{4}-\d\d-\d\d$/m;
  expect(files.filter((file) => !status.test(readSource(file)))).toEqual([]);
});

function all(pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].flatMap((match) => match[1] ?? []);
}

function missingFrom(known: readonly string[], wanted: readonly string[]): string[] {
  return [...new Set(wanted)].filter((item) => !known.includes(item)).sort();
}

function duplicates(items: readonly string[]): string[] {
  return items.filter((item, index) => items.indexOf(item) !== index);
}
