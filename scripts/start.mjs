// `npm start`: builds the extension and opens it in a VS Code with a profile of its own (out/profile; the person's
// settings are not touched) and the examples: the installed `code` when there is one, else a VS Code for the browser.
//
//   npm start
//   npm start -- --browser      the one for the browser even where `code` is installed
//   npm start -- --check        without a person: runs the first example, prints rows, leaves out/first-run.png
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureBed } from '../test/bed/install.mjs';
import { ensureProject, projectEnv, projectNode, root, SetupError } from './project.mjs';

const windows = process.platform === 'win32';
const oldestCode = [1, 107];
const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(args) {
  const unknown = args.find((arg) => !['--check', '--browser'].includes(arg));
  if (unknown) throw new SetupError(`npm start does not know ${unknown}. Options: --check, --browser`);
  await ensureProject();
  const built = await run(['scripts/build.mjs', '--package']);
  if (built !== 0) throw new SetupError('The extension could not be built; see above.');
  if (args.includes('--check')) {
    await ensureBed();
    return run([...flags, 'test/bed/first-run.ts']);
  }
  if (!args.includes('--browser') && openInstalled()) return 0;
  await ensureBed();
  return run([...flags, 'test/bed/serve.ts']);
}

/** Opens the installed VS Code; false when there is none that can be used. */
function openInstalled() {
  const version = code(['--version'], 'pipe');
  if (version.status !== 0) return false;
  const [major = 0, minor = 0] = version.stdout.split('.').map(Number);
  if (major < oldestCode[0] || (major === oldestCode[0] && minor < oldestCode[1])) {
    console.error(
      `The installed VS Code is ${major}.${minor}; LQL Studio needs ${oldestCode.join('.')}. Using one for the browser.`,
    );
    return false;
  }
  const own = path.join(root, 'out', 'profile');
  const profile = ['--user-data-dir', path.join(own, 'user-data'), '--extensions-dir', path.join(own, 'extensions')];
  const extension = path.join(root, 'out', 'lql-studio.vsix');
  if (code([...profile, '--force', '--install-extension', extension], 'inherit').status !== 0) return false;
  if (code([...profile, '--new-window', path.join(root, 'examples')], 'inherit').status !== 0) return false;
  console.log('VS Code is open with the examples. Open a query and press Ctrl+Enter (⌘ Enter) to run it.');
  return true;
}

function code(args, output) {
  return spawnSync('code', args, {
    encoding: 'utf8',
    shell: windows,
    stdio: ['ignore', output, output === 'pipe' ? 'ignore' : output],
  });
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(projectNode(), args, { cwd: root, env: projectEnv(), stdio: ['ignore', 'inherit', 'inherit'] });
    // Ctrl-C at the keyboard reaches the child as well, other signals do not. It ends by itself and decides the exit code.
    const stay = () => undefined;
    const pass = () => child.kill('SIGTERM');
    process.on('SIGINT', stay);
    process.on('SIGTERM', pass);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.once('exit', (status) => {
      process.off('SIGINT', stay);
      process.off('SIGTERM', pass);
      resolve(status ?? 1);
    });
  });
}
