// `npm run test:deep`: the unit tests with their full counts, every figure they print shown. Takes long; the seeds of a
// failing property are printed by it and replay.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..', '..');
const report = path.join(root, 'out', 'test', 'deep.json');
/** Milliseconds a single test may take at full counts. */
const testTimeout = 3_600_000;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

mkdirSync(path.dirname(report), { recursive: true });
const started = performance.now();
const { status } = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project=unit',
    `--testTimeout=${testTimeout}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, DEEP: '1' } },
);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Report;
console.log(`Full counts took ${((performance.now() - started) / 60_000).toFixed(1)} minutes.`);
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
process.exitCode = status ?? 1;
