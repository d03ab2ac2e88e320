// Makes everything that is shipped: `dist/` from the sources, and with --package the extension's file.
//
//   node scripts/build.mjs              dist/, minified, size budgets checked
//   node scripts/build.mjs --dev        dist/, readable
//   node scripts/build.mjs --tests      also out/integration/, the tests that run inside VS Code
//   node scripts/build.mjs --sizes      prints what the code read at start consists of
//   node scripts/build.mjs --package    also out/lql-studio.vsix, its list of files checked
//
// Code that is not needed at once is loaded later simply by `await import('./other.ts')`: what only dynamic imports reach
// becomes a chunk of its own under dist/chunks/, which is read when the import runs. Nothing has to be registered, and a
// module is never in two chunks of one bundle, so its state exists once. (esbuild splits ECMAScript modules only, and VS
// Code loads CommonJS: the bundles are split as ECMAScript modules first and turned into CommonJS afterwards. A package is not imported dynamically itself, but by a
// module of ours that imports it statically: of a CommonJS package only `default` would come through.)
//
// A program that people start with a Node of their own (`node dist/cli.js`) gets a first file in old JavaScript, which
// refuses a Node that is too old in one line, turns the compile cache on, and loads the bundle.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { checkBudgets, printSizes } from './build-budgets.mjs';
import { noticesOf, packagesOf } from './build-licences.mjs';
import { packageExtension } from './build-package.mjs';
import { root } from './project.mjs';

/** The bundles that run in Node. `program`: people start it themselves, so it gets the first file described above. */
const nodeBundles = [
  { name: 'extension', entry: 'client/extension.ts', external: ['vscode'] },
  { name: 'server', entry: 'server/lsp/main.ts', program: true },
  { name: 'platform', entry: 'server/platform/main.ts', program: true },
  { name: 'cli', entry: 'server/cli/main.ts', program: true },
];
const nodeTarget = 'node22.19';
// The Chromium of the oldest VS Code that `engines.vscode` allows.
const webviewTarget = 'chrome142';

/**
 * Bundles everything in memory.
 * @returns {Promise<{ bundles: { name: string, files: Map<string, Uint8Array | string>, atStart: string[], metafile: import('esbuild').Metafile }[] }>}
 *   `files` by path below dist/; `atStart` names those that are read before any dynamic import.
 */
export async function bundleAll({ dev = false } = {}) {
  const bundles = await Promise.all([
    ...nodeBundles.map((bundle) => bundleNode(bundle, dev)),
    ...(await webviews()).map((view) => bundleWebview(view, dev)),
  ]);
  return { bundles };
}

/** Bundles the tests that run inside VS Code. */
async function bundleIntegrationTests() {
  const folder = path.join(root, 'test', 'integration');
  const suites = (await readdir(folder)).filter((name) => name.endsWith('.test.ts') || name === 'index.ts');
  await rm(path.join(root, 'out', 'integration'), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: suites.map((name) => `test/integration/${name}`),
    outdir: 'out/integration',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: nodeTarget,
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

const ownModulesOnly = {
  name: 'dynamic imports name modules of ours',
  setup(builder) {
    builder.onResolve({ filter: /^[^.]/ }, ({ kind, path: specifier, importer }) => {
      if (kind !== 'dynamic-import' || specifier.startsWith('node:') || importer.includes('node_modules'))
        return undefined;
      const text = `import('${specifier}') would lose the names that the package exports. Import a module of ours dynamically, and the package statically in it.`;
      return { errors: [{ text }] };
    });
  },
};

async function bundleNode({ name, entry, external = [], program = false }, dev) {
  const main = program ? `${name}-main` : name;
  const result = await build({
    absWorkingDir: root,
    entryPoints: { [main]: entry },
    outdir: 'dist',
    chunkNames: `chunks/${name}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: nodeTarget,
    // Packages that ship both forms are taken as ECMAScript modules: only those can be split and shaken.
    mainFields: ['module', 'main'],
    external,
    plugins: [ownModulesOnly],
    minify: !dev,
    legalComments: 'none',
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const dist = path.join(root, 'dist');
  const files = new Map();
  for (const output of result.outputFiles) {
    const place = path.relative(dist, output.path).split(path.sep).join('/');
    const { code, map } = await transform(output.text, {
      format: 'cjs',
      platform: 'node',
      target: nodeTarget,
      minify: !dev,
      sourcemap: 'external',
      sourcesContent: false,
      sourcefile: output.path,
      legalComments: 'none',
    });
    files.set(place, code);
    files.set(`${place}.map`, map);
  }
  const atStart = closure(result.metafile, `dist/${main}.js`);
  if (program) files.set(`${name}.js`, firstFile(main));
  return { name, files, atStart, metafile: result.metafile };
}

async function bundleWebview(view, dev) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: { [view]: `client/webview/${view}/main.ts` },
    outdir: 'dist/webview',
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: webviewTarget,
    minify: !dev,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const dist = path.join(root, 'dist');
  const files = new Map();
  for (const output of result.outputFiles)
    files.set(path.relative(dist, output.path).split(path.sep).join('/'), output.text);
  const atStart = [...files.keys()].filter((place) => !place.endsWith('.map'));
  return { name: `webview/${view}`, files, atStart, metafile: result.metafile };
}

async function webviews() {
  const folder = path.join(root, 'client', 'webview');
  const found = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && (await readdir(path.join(folder, entry.name))).includes('main.ts'))
      found.push(entry.name);
  }
  return found.sort();
}

/** The outputs that loading `entry` reads at once: static imports, and theirs. */
function closure(metafile, entry) {
  const seen = new Set();
  const visit = (output) => {
    if (seen.has(output)) return;
    seen.add(output);
    for (const imported of metafile.outputs[output]?.imports ?? []) {
      if (imported.kind === 'import-statement' && !imported.external) visit(imported.path);
    }
  };
  visit(entry);
  return [...seen].map((output) => output.slice('dist/'.length));
}

// Old JavaScript on purpose: this file is all that a Node which is too old has to understand. The compile cache lies in the
// person's own cache folder, because code is loaded from it and the temporary folder is everybody's.
function firstFile(main) {
  return `'use strict';
var version = process.versions.node.split('.');
if (Number(version[0]) < 22 || (Number(version[0]) === 22 && Number(version[1]) < 19)) {
  process.stderr.write('LQL Studio needs Node 22.19 or newer; this is ' + process.version + '.\\n');
  process.exit(2);
}
try {
  var os = require('os');
  var path = require('path');
  var base = process.env.XDG_CACHE_HOME || (process.platform === 'win32' && process.env.LOCALAPPDATA) || path.join(os.homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  require('module').enableCompileCache(process.env.NODE_COMPILE_CACHE || path.join(base, 'lql-studio', 'compile'));
} catch (error) {
  // Without a cache the start takes a little longer; nothing else changes.
}
require('./${main}.js');
`;
}

// A file is replaced in one step, and only when it changed, and what is not made any more goes last: a program that is
// running from dist/ meanwhile never finds half of it.
async function writeBundles(bundles) {
  const dist = path.join(root, 'dist');
  const written = new Set(['THIRD-PARTY-NOTICES.txt']);
  for (const { files } of bundles) {
    for (const [place, content] of files) {
      written.add(place);
      await replaceFile(path.join(dist, place), content);
    }
  }
  await replaceFile(
    path.join(dist, 'THIRD-PARTY-NOTICES.txt'),
    noticesOf(packagesOf(bundles.map((bundle) => bundle.metafile))),
  );
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !written.has(path.relative(dist, file).split(path.sep).join('/')))
      await rm(file, { force: true });
  }
}

async function replaceFile(file, content) {
  if (existsSync(file) && (await readFile(file, 'utf8')) === content) return;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}

async function main(args) {
  const known = new Set(['--dev', '--tests', '--sizes', '--package']);
  const unknown = args.find((arg) => !known.has(arg));
  if (unknown) throw new Error(`build: unknown option ${unknown}. Options: ${[...known].join(' ')}`);
  const start = Date.now();
  const dev = args.includes('--dev');
  const { bundles } = await bundleAll({ dev });
  const problems = dev ? [] : checkBudgets(bundles);
  if (args.includes('--sizes')) printSizes(bundles);
  await writeBundles(bundles);
  if (args.includes('--tests')) await bundleIntegrationTests();
  if (args.includes('--package')) problems.push(...packageExtension(bundles));
  console.log(`Built in ${((Date.now() - start) / 1000).toFixed(1)} s.`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (process.argv[1] === path.join(import.meta.dirname, 'build.mjs')) {
  await main(process.argv.slice(2)).catch((error) => {
    // esbuild has printed what is wrong in the sources, with file and line.
    console.error(error.errors ? 'The build failed; see above.' : error);
    process.exitCode = 1;
  });
}
