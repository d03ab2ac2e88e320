// Runs every test: `npm test`. Does all set-up by itself.
//
//   npm test                            everything
//   npm test -- --only unit,tidy        some stages (setup and what they need always run)
//   npm test -- --skip ui               all but some
//   npm run test:deep                   the full counts of property, fuzz and interleaving tests, figures printed
//
// All stages run even when one fails. The last line is `N passed, N failed`; the exit code is 1 when anything failed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureBed } from '../test/bed/install.mjs';
import { ensureProject, projectEnv, projectNode, root, SetupError } from './project.mjs';

const out = path.join(root, 'out', 'test');
const noTypelessWarning = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

/** Each stage answers with its counts. `needs` names stages without which it cannot run. */
const stages = [
  { name: 'setup', always: true, run: () => asOne('setup', ensureProject) },
  { name: 'build', run: () => command('build', ['scripts/build.mjs', '--tests', '--package'], 300) },
  { name: 'types', run: () => command('types', [bin('tsc'), '-b'], 300) },
  { name: 'lint', run: () => command('lint', [bin('biome'), 'check', '--error-on-warnings'], 120) },
  { name: 'tidy', run: () => vitest('tidy', 300) },
  { name: 'unit', run: () => vitest('unit', 600) },
  { name: 'bed', run: () => asOne('bed', ensureBed) },
  { name: 'integration', needs: ['build', 'bed'], run: () => integration(300) },
  { name: 'ui', needs: ['build', 'bed'], run: () => vitest('ui', 1500) },
];

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const chosen = choose(args);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const results = new Map();
  for (const stage of stages) {
    if (!chosen.has(stage.name)) continue;
    const start = Date.now();
    console.log(`\n== ${stage.name}`);
    const broken = ['setup', ...(stage.needs ?? [])].find((name) => results.get(name)?.failed > 0);
    let result;
    if (broken && broken !== stage.name) {
      console.error(`${stage.name} cannot run, because ${broken} failed.`);
      result = { passed: 0, failed: 1, skipped: 0 };
    } else result = await stage.run();
    results.set(stage.name, { ...result, seconds: (Date.now() - start) / 1000 });
  }
  return report(results);
}

function choose(args) {
  const names = stages.map((stage) => stage.name);
  const list = (option) => {
    const index = args.indexOf(option);
    const values = index < 0 ? undefined : (args[index + 1] ?? '').split(',');
    const unknown = values?.find((value) => !names.includes(value));
    if (unknown !== undefined) throw new Error(`${option}: no stage "${unknown}". Stages: ${names.join(', ')}`);
    return values;
  };
  const only = list('--only') ?? names;
  const skip = list('--skip') ?? [];
  const chosen = new Set();
  const add = (name) => {
    for (const needed of stages.find((stage) => stage.name === name)?.needs ?? []) add(needed);
    chosen.add(name);
  };
  for (const stage of stages) if (stage.always) add(stage.name);
  for (const name of only) if (!skip.includes(name)) add(name);
  return chosen;
}

function report(results) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  console.log('');
  for (const [name, { passed, failed, skipped, seconds }] of results) {
    const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    console.log(`${failed > 0 ? '✗' : '✓'} ${name.padEnd(12)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${counts}`);
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
  return sum.failed > 0 ? 1 : 0;
}

/** A piece of set-up counts as one test. */
async function asOne(name, work) {
  try {
    await work();
    return { passed: 1, failed: 0, skipped: 0 };
  } catch (error) {
    console.error(error instanceof SetupError ? error.message : error);
    console.error(`${name} failed.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** A program that either succeeds or does not counts as one test. */
async function command(name, args, limitSeconds) {
  const code = await runNode(args, limitSeconds);
  if (code !== 0) console.error(`${name} failed.`);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

async function vitest(project, limitSeconds) {
  const folder = path.join(root, 'test', project);
  if (
    !existsSync(folder) ||
    !readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.test.ts'))
  ) {
    console.error(`There is no test in test/${project}.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const file = path.join(out, `${project}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const code = await runNode([bin('vitest'), 'run', '--project', project, ...reporters], limitSeconds);
  const counts = readJson(file);
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests = 0, numTodoTests = 0 } = counts;
  // A file that cannot be loaded, or an error outside of any test, fails the run without a failed test.
  const failed = code !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

async function integration(limitSeconds) {
  const file = path.join(out, 'integration.json');
  const args = [noTypelessWarning, 'test/integration/run.mts'];
  const code = await runNode(args, limitSeconds, { LQL_TEST_RESULTS: file, BED_TIMEOUT: String(limitSeconds - 20) });
  const counts = readJson(file);
  if (!counts) return { passed: 0, failed: 1, skipped: 0 };
  const failed = code !== 0 && counts.failures === 0 ? 1 : counts.failures;
  return { passed: counts.passes, failed, skipped: counts.pending };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Runs the project's Node and answers with its exit code; ends it with all that it started after the limit. */
function runNode(args, limitSeconds, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(projectNode(), args, {
      cwd: root,
      env: projectEnv({ ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env }),
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
    });
    const end = () => {
      try {
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    // The child is in a group of its own, so an interrupt at the keyboard has to be passed on.
    const interrupt = () => {
      end();
      process.exit(130);
    };
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    const timer = setTimeout(() => {
      console.error(`Ended after ${limitSeconds} s: ${args.join(' ')}`);
      end();
    }, limitSeconds * 1000);
    const done = (code) => {
      clearTimeout(timer);
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      done(1);
    });
    child.once('exit', (code) => done(code ?? 1));
  });
}
