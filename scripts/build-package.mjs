// Packs the extension. What belongs into it is listed here and copied into a folder of its own first: nothing else can
// get in, and vsce need not walk the repository.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { kb, packageBudget } from './build-budgets.mjs';
import { root } from './project.mjs';

const documents = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
const stage = path.join(root, 'out', 'package');

/** Writes out/lql-studio.vsix and answers with what is wrong with it, as sentences. */
export function packageExtension(bundles) {
  const files = [
    ...documents,
    ...contributedFiles(),
    ...pictures(),
    ...examples(),
    ...referencePages(),
    'dist/THIRD-PARTY-NOTICES.txt',
    ...bundles.flatMap((bundle) => [...bundle.files.keys()].filter(isShipped).map((place) => `dist/${place}`)),
  ];
  const missing = files.filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) return missing.map((file) => `${file} belongs into the package but does not exist.`);
  rmSync(stage, { recursive: true, force: true });
  for (const file of new Set(files)) {
    mkdirSync(path.dirname(path.join(stage, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(stage, file));
  }
  const packagePath = path.join(root, 'out', 'lql-studio.vsix');
  runVsce([
    'package',
    ...['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'],
    ...['--out', packagePath],
  ]);
  const { size } = statSync(packagePath);
  console.log(`  out/lql-studio.vsix  ${kb(size)}, ${files.length} files`);
  return size > packageBudget
    ? [
        `The package is too big: ${kb(size)}, the budget is ${kb(packageBudget)}. It may hold less, or smaller pictures.`,
      ]
    : [];
}

function isShipped(place) {
  return !place.endsWith('.map');
}

/** The files that the manifest names: icons, grammars, pages of the walkthrough. */
function contributedFiles() {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const files = new Set(manifest.icon ? [manifest.icon] : []);
  const visit = (value) => {
    if (typeof value === 'string') {
      // The manifest names files of ours by `./…`; scope names such as `source.json` only look like files.
      if (/^\.\/[\w@./-]+\.(json|svg|png|md|woff2?)$/.test(value)) files.add(path.posix.normalize(value));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(manifest.contributes);
  return [...files];
}

/** The page of each diagnostic, rule and function: codes in the editor link to them, with or without a network. */
function referencePages() {
  const folder = 'docs/reference';
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`);
}

/** The pictures of the README, which travel with it. */
function pictures() {
  const text = readFileSync(path.join(root, 'README.md'), 'utf8');
  const links = /!\[[^\]]*\]\((?!https?:)([^)\s]+)\)|<img[^>]*\bsrc="(?!https?:)([^"]+)"/g;
  return [...text.matchAll(links)].map((match) => match[1] ?? match[2]);
}

/** The sample workspace, without the caches that running the extension in it leaves behind. */
function examples() {
  return readdirSync(path.join(root, 'examples'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !/\/\.(lql|vscode)\//.test(file));
}

// As a program and not through its API, which prints at length also when all is well.
function runVsce(args) {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = { cwd: stage, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const result = spawnSync(process.execPath, [vsce, ...args], options);
  if (result.status !== 0) throw new Error(`vsce ${args[0]} failed:\n${result.stdout}${result.stderr}`);
}
