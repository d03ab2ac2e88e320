// Installs the real VS Code of the tests: code-server (VS Code as a server, from npm) and a Chromium to show its
// workbench in (from the distribution). Nothing is compiled and nothing but the package registries is asked.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exclusively, npm, SetupError } from '../../scripts/project.mjs';
import { replaceNativeModules } from './no-native.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const serverFolder = path.join(here, 'vscode-server');
const stamp = path.join(serverFolder, 'node_modules', '.bed-stamp');

/** The folder of code-server once it is installed; LQL_BED_SERVER names another one. */
export const codeServer = process.env.LQL_BED_SERVER ?? path.join(serverFolder, 'node_modules', 'code-server');

// What the workbench does not need to edit, highlight and run our files is taken away again: half of the disk space, and
// extensions that would otherwise start beside the one under test. (The workbench has a list of the declarative ones built
// in and would ask for their files in vain: those stay.)
const droppedExtensions = [
  'copilot',
  'debug-auto-launch',
  'debug-server-ready',
  'github',
  'grunt',
  'gulp',
  'jake',
  'mermaid-markdown-features',
  'microsoft-authentication',
  'ms-vscode.js-debug',
  'ms-vscode.js-debug-companion',
  'php-language-features',
  'terminal-suggest',
  'tunnel-forwarding',
];
// The workbench starts this one in the window itself, from a file that code-server's package leaves out, and complains in a
// notification. An empty one is started in its place.
const emptiedExtension = 'typescript-language-features';
const droppedPackages = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/windows-process-tree',
];

/** The Chromium (or Chrome) that shows the workbench: CHROMIUM, else the first one found; undefined when there is none. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const places = [
    ...names.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return places.find((place) => existsSync(place));
}

/** Makes sure that the bed can be used. Throws SetupError with what to install where it cannot be done here. */
export async function ensureBed() {
  if (process.platform === 'win32') {
    throw new SetupError(
      'The tests inside VS Code run on Linux and macOS. On Windows use VSCODE=download (desktop VS Code) or WSL.',
    );
  }
  ensureBrowser();
  if (!process.env.LQL_BED_SERVER && !isUpToDate()) {
    await exclusively('bed', () => {
      if (!isUpToDate()) installServer();
    });
  }
}

function ensureBrowser() {
  if (process.env.CHROMIUM && !existsSync(process.env.CHROMIUM)) {
    throw new SetupError(
      `CHROMIUM names ${process.env.CHROMIUM}, which does not exist. Set it to a Chromium or Chrome executable.`,
    );
  }
  // The fonts are looked for only together with the browser: a machine that has its own browser has its own fonts.
  if (findChromium()) return;
  const packages = ['chromium', 'fonts-dejavu-core'];
  const root = process.getuid?.() === 0;
  const prefix = root ? [] : ['sudo'];
  if (!runs('apt-get', ['--version']) || (!root && !runs('sudo', ['--version']))) {
    throw new SetupError(
      'The tests inside VS Code need Chromium or Chrome, and there is none on PATH. Install it (Debian: ' +
        `apt-get install ${packages.join(' ')}; macOS: brew install --cask google-chrome) or set CHROMIUM to its executable.`,
    );
  }
  console.error(`Installing ${packages.join(' and ')} (apt-get) …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => {
    const [command, ...rest] = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', 2] }).status === 0;
  };
  const install = () => apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
  apt('update', '-qq');
  if (!install() || !findChromium()) {
    throw new SetupError(
      `apt-get could not install ${packages.join(' and ')} (see above). Install a Chromium or Chrome by other means and ` +
        'set CHROMIUM to its executable.',
    );
  }
}

function runs(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function isUpToDate() {
  try {
    return readFileSync(stamp, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [
    'vscode-server/package.json',
    'vscode-server/package-lock.json',
    'install.mjs',
    'no-native.mjs',
  ]) {
    hash.update(readFileSync(path.join(here, file)));
  }
  return hash.digest('hex');
}

function installServer() {
  const start = Date.now();
  console.error('Installing VS Code for the tests (about a minute, once) …');
  npm(['ci'], serverFolder);
  const code = path.join(codeServer, 'lib', 'vscode');
  const manifest = path.join(code, 'package.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const name of droppedPackages) delete content.dependencies[name];
  writeFileSync(manifest, JSON.stringify(content, null, 2));
  // What code-server's own postinstall would do. `npm ci` refuses here: the shrinkwrap that is shipped misses a package.
  npm(['install', '--omit=dev'], code);
  const extensions = path.join(code, 'extensions');
  for (const name of droppedExtensions) rmSync(path.join(extensions, name), { recursive: true, force: true });
  const emptied = path.join(extensions, emptiedExtension);
  rmSync(emptied, { recursive: true, force: true });
  mkdirSync(path.join(emptied, 'dist', 'browser'), { recursive: true });
  writeFileSync(path.join(emptied, 'dist', 'browser', 'extension.js'), '');
  replaceNativeModules(path.join(code, 'node_modules'));
  writeFileSync(stamp, fingerprint());
  console.error(`VS Code installed in ${((Date.now() - start) / 1000).toFixed(0)} s.`);
}
