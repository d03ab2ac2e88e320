// Loaded by the extension host (extensionTestsPath): runs every suite beside it, and writes the counts for the runner.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 20_000, reporter: 'spec', forbidOnly: true });
  for (const name of readdirSync(__dirname).sort()) {
    if (name.endsWith('.test.js')) mocha.addFile(path.join(__dirname, name));
  }
  const stats = await new Promise<Mocha.Stats>((resolve, reject) => {
    const runner = mocha.run(() => (runner.stats ? resolve(runner.stats) : reject(new Error('mocha gave no counts'))));
  });
  const file = process.env['LQL_TEST_RESULTS'];
  if (file) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(stats));
  }
  if (stats.tests === 0) throw new Error('There is no integration test.');
  if (stats.failures > 0) throw new Error(`${stats.failures} of ${stats.tests} tests failed`);
}
