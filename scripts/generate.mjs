// Runs every generator: `npm run generate` writes the generated files, `-- --check` fails when one is not fresh. A
// generator is a file scripts/generate-*.ts; it understands `--check` itself, names what is stale, and exits with 1 then.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { projectEnv, projectNode, root } from './project.mjs';

/** The generators there are, as paths below the repository. */
export function findGenerators() {
  const files = readdirSync(path.join(root, 'scripts')).sort();
  return files.filter((name) => /^generate-.*\.(ts|mts|mjs)$/.test(name)).map((name) => `scripts/${name}`);
}

/** Runs one generator; answers with its exit code and what it printed. */
export function runGenerator(file, args = []) {
  const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
  const options = { cwd: root, env: projectEnv(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  const result = spawnSync(projectNode(), [...flags, file, ...args], options);
  return { code: result.status ?? 1, output: `${result.stdout}${result.stderr}` };
}

if (process.argv[1] === path.join(root, 'scripts', 'generate.mjs')) {
  for (const file of findGenerators()) {
    const { code, output } = runGenerator(file, process.argv.slice(2));
    process.stdout.write(output);
    if (code !== 0) {
      console.error(`${file} failed.`);
      process.exitCode = 1;
    }
  }
}
