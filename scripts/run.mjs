// Runs a TypeScript program of the repository with the project's Node: `node scripts/run.mjs FILE.ts ARGUMENTS`.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureProject, projectEnv, projectNode, root, SetupError } from './project.mjs';

try {
  await ensureProject();
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new SetupError('Name the program: node scripts/run.mjs FILE.ts ARGUMENTS');
  const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--expose-gc'];
  const child = spawn(projectNode(), [...flags, path.join(root, file), ...args], {
    stdio: 'inherit',
    env: projectEnv(),
  });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
