// Begins a new piece in the place where it belongs, listed where it has to be listed. What is left to do, a check names.
//
//   npm run new -- rule kebab-case-id
//   npm run new -- function name_as_in_the_language
//   npm run new -- endpoint family.name            e.g. policies.clone
//   npm run new -- command verbNoun "Its Title"
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectEnv, projectNode, root, SetupError } from './project.mjs';

const language = 'server/core/language';
const kinds = { rule: newRule, function: newFunction, endpoint: newEndpoint, command: newCommand };

try {
  const [kind = '', name = '', ...rest] = process.argv.slice(2);
  const create = kinds[kind];
  if (!create || !name) throw new SetupError(`Usage: npm run new -- ${Object.keys(kinds).join('|')} <name>`);
  create(name, ...rest);
  regenerate();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function newRule(id) {
  mustMatch(id, /^[a-z]+(-[a-z0-9]+)+$/, 'A rule id is kebab-case, of two words or more: like-without-wildcard');
  const name = camelCase(id);
  write(
    `${language}/lint/rules/${id}.ts`,
    `import { defineRule } from '../rule.ts';

export const ${name} = defineRule({
  id: '${id}',
  title: '',
  why: '',
  whatToDo: '',
  bad: '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
  good: '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
  severity: 'warning',
  visit: {},
});
`,
  );
  list(`${language}/lint/rules/index.ts`, name, `./${id}.ts`);
  next('Fill it in; `vitest run test/unit/core/language/lint` fails until the rule reports its bad example.');
}

function newFunction(name) {
  mustMatch(name, /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'A function is named as in the language, in lower case: array_size');
  const variable = camelCase(name);
  write(
    `${language}/catalog/functions/${name}.ts`,
    `import { defineFunction } from '../function-definition.ts';

export const ${variable} = defineFunction({
  name: '${name}',
  category: 'string',
  summary: '',
  parameters: [{ name: 'text', type: 'string', acceptsJson: true, description: '' }],
  returns: 'string',
  nulls: 'Null when an argument is null.',
  // One or more, and each is run: { expression: "${name}('a')", value: 'what it gives' }
  examples: [],
  evaluate: ([text]) => text,
});
`,
  );
  list(`${language}/catalog/functions/index.ts`, variable, `./${name}.ts`);
  next(
    'Fill it in; `vitest run test/unit/core/language/catalog` fails until it is documented and its examples come true.',
  );
}

function newEndpoint(id) {
  mustMatch(id, /^[a-z][a-zA-Z]*\.[a-z][a-zA-Z]*$/, 'An endpoint is named by family and operation: policies.clone');
  const [family, name] = id.split('.');
  const file = `server/api/endpoints/${kebabCase(family)}.ts`;
  const definition = `  ${name}: defineEndpoint({
    id: '${id}',
    summary: '',
    method: 'GET',
    path: '/${family[0].toUpperCase()}${family.slice(1)}',
    response: envelope(Type.Unknown()),
  }),
`;
  if (existsSync(path.join(root, file))) {
    edit(file, (text) => text.replace(/^\};\s*$/m, `${definition}};\n`));
  } else {
    write(
      file,
      `import { Type } from 'typebox';
import { envelope } from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const ${family} = {
${definition}};
`,
    );
    edit('server/api/endpoints/index.ts', (text) => {
      return addImport(text, `import { ${family} } from './${kebabCase(family)}.ts';\n`).replace(
        /^\};$/m,
        `  ${family},\n};`,
      );
    });
  }
  next('Fill it in; `tsc -b server/platform` fails until the local platform has a handler for it.');
}

function newCommand(name, title) {
  mustMatch(name, /^[a-z]+([A-Z][a-z0-9]*)+$/, 'A command is named verbNoun: runQuery');
  if (!title) throw new SetupError('Say the title, too: npm run new -- command runQuery "Run Query"');
  const feature = kebabCase(name);
  const activate = `activate${name[0].toUpperCase()}${name.slice(1)}`;
  write(
    `client/features/${feature}/index.ts`,
    `import type { Services } from '../../infrastructure/services.ts';

export function ${activate}({ commands }: Services): void {
  commands.register('lql.${name}', () => undefined);
}
`,
  );
  edit('package.json', (text) =>
    text.replace(
      /("commands": \[\n)/,
      `$1      {
        "command": "lql.${name}",
        "title": ${JSON.stringify(title)},
        "category": "LQL"
      },
`,
    ),
  );
  next(
    `Activate the feature in client/extension.ts (or move the command into the feature it belongs to); \`npm test -- --only tidy\` fails until then.`,
  );
}

// Pages and schemas list the new piece at once, so that the check that fails is the one that says what to write.
function regenerate() {
  const args = [path.join(root, 'scripts', 'generate.mjs')];
  const { status } = spawnSync(projectNode(), args, { cwd: root, env: projectEnv(), stdio: ['ignore', 'ignore', 2] });
  if (status !== 0)
    throw new SetupError('The generated files could not be written (see above). Run `npm run generate`.');
}

/** Adds an import and an entry to a list that is sorted by name. */
function list(file, name, specifier) {
  edit(file, (text) => {
    const imported = addImport(text, `import { ${name} } from '${specifier}';\n`);
    const entries = [...imported.matchAll(/^ {2}(\w+),\n/gm)];
    const before = entries.find((match) => match[1] > name);
    const last = entries.at(-1);
    const at = before ? before.index : last.index + last[0].length;
    return `${imported.slice(0, at)}  ${name},\n${imported.slice(at)}`;
  });
}

function addImport(text, line) {
  const specifierOf = (statement) => /'([^']+)'/.exec(statement)[1];
  const imports = [...text.matchAll(/^import \{[^}]*\} from '\.\/[^']+';\n/gm)];
  const after = imports.findLast((match) => specifierOf(match[0]) < specifierOf(line)) ?? imports[0];
  const place = after.index + after[0].length;
  return text.slice(0, place) + line + text.slice(place);
}

function write(file, text) {
  const target = path.join(root, file);
  if (existsSync(target)) throw new SetupError(`${file} exists already.`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(`+ ${file}`);
}

function edit(file, change) {
  const target = path.join(root, file);
  const text = readFileSync(target, 'utf8');
  const changed = change(text);
  if (changed === text)
    throw new SetupError(`${file} has another shape than this script expects; add the entry by hand.`);
  writeFileSync(target, changed);
  console.log(`~ ${file}`);
}

function next(text) {
  console.log(text);
}

function mustMatch(name, pattern, message) {
  if (!pattern.test(name)) throw new SetupError(`${message}. This is ${JSON.stringify(name)}.`);
}

function camelCase(name) {
  return name.replace(/[-_]([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function kebabCase(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
