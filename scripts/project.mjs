// What every script stands on: where the project is, which Node runs its tools, and that its packages are installed.
// Plain JavaScript without dependencies, for it must run on whatever Node (18 or newer) a machine has.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';

/** A failure whose message alone is worth showing: it says what is wrong, why, and what to do. */
export class SetupError extends Error {}

/** The Node that runs the project's tools: the npm package's, else the one that runs this script when it is new enough. */
export function projectNode() {
  const own = path.join(root, 'node_modules', '.bin', windows ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new SetupError(
    `The project's tools need Node 22.19 or newer; this is ${process.version}, and npm has no Node package for ` +
      `${process.platform} ${process.arch}. Install Node 24 and run this command again.`,
  );
}

/** The environment in which the tools run: the project's executables first on PATH, so that `node` is the right one. */
export function projectEnv(extra = {}) {
  const bin = path.join(root, 'node_modules', '.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`, ...extra };
}

/** Runs npm in a folder and throws SetupError when it fails. */
export function npm(args, cwd) {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const result = spawnSync('npm', [...args, ...quiet], { cwd, stdio: ['ignore', 2, 2], shell: windows });
  if (result.error) throw new SetupError(`npm cannot be started (${result.error.message}). Install npm and try again.`);
  if (result.status !== 0) {
    throw new SetupError(
      `\`npm ${args.join(' ')}\` failed in ${path.relative(root, cwd) || 'the project'}. See above.`,
    );
  }
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
    console.error(`Installed in ${((Date.now() - start) / 1000).toFixed(0)} s.`);
  });
  projectNode();
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
