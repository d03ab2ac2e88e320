// Packs the extension, and makes sure that exactly what belongs into it is in it.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { kb, packageBudget } from './build-budgets.mjs';
import { root } from './project.mjs';

const documents = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'language-configuration.json'];

/** Writes out/lql-studio.vsix and answers with what is wrong with it, as sentences. */
export async function packageExtension(bundles) {
  const problems = [];
  const expected = new Set([
    ...documents,
    ...(await contributedFiles()),
    ...(await pictures()),
    'dist/THIRD-PARTY-NOTICES.txt',
  ]);
  for (const { files } of bundles) {
    for (const place of files.keys()) if (!place.endsWith('.map')) expected.add(`dist/${place}`);
  }
  const found = new Set(await listFiles({ cwd: root, packageManager: PackageManager.None }));
  for (const file of found) {
    if (!expected.has(file) && !file.startsWith('examples/')) {
      problems.push(`${file} would be packaged but does not belong there. Exclude it in .vscodeignore.`);
    }
  }
  for (const file of expected) {
    if (!found.has(file))
      problems.push(`${file} is missing from the package. Create it, or include it in .vscodeignore.`);
  }
  const packagePath = path.join(root, 'out', 'lql-studio.vsix');
  await mkdir(path.dirname(packagePath), { recursive: true });
  runVsce([
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    packagePath,
  ]);
  const { size } = await stat(packagePath);
  console.log(`  out/lql-studio.vsix  ${kb(size)}, ${found.size} files`);
  if (size > packageBudget) problems.push(`The package is too big: ${kb(size)}, the budget is ${kb(packageBudget)}.`);
  return problems;
}

// As a program and not through its API, which prints at length also when all is well.
function runVsce(args) {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const result = spawnSync(process.execPath, [vsce, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (result.status !== 0) throw new Error(`vsce ${args[0]} failed:\n${result.stdout}${result.stderr}`);
}

/** The pictures of the README, which travel with it. */
async function pictures() {
  const text = await readFile(path.join(root, 'README.md'), 'utf8');
  return [...text.matchAll(/!\[[^\]]*\]\((?!https?:)([^)\s]+)\)|<img[^>]*\bsrc="(?!https?:)([^"]+)"/g)].map(
    (match) => match[1] ?? match[2],
  );
}

/** The files that the manifest names: icons, grammars, walkthrough pages. */
async function contributedFiles() {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const files = new Set();
  const visit = (value) => {
    if (typeof value === 'string') {
      // The manifest names files of ours by `./…`; scope names such as `source.json` only look like files.
      if (/^\.\/[\w@./-]+\.(json|svg|png|md|woff2?)$/.test(value)) files.add(path.posix.normalize(value));
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit({ contributes: manifest.contributes, icon: manifest.icon });
  return files;
}
