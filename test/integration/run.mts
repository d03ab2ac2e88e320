// Runs out/integration (built from test/integration by `scripts/build.mjs --tests`) inside a real VS Code: the bed's, or
// with VSCODE=download the desktop one, which needs the network.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';

const root = path.resolve(import.meta.dirname, '..', '..');
const stage = mkdtempSync(path.join(os.tmpdir(), 'lql-integration-'));
// The tests edit files: they get a copy of the examples.
const workspace = path.join(stage, 'examples');
cpSync(path.join(root, 'examples'), workspace, { recursive: true });

const download = process.env['VSCODE'] === 'download';
const results = process.env['LQL_TEST_RESULTS'] ?? path.join(root, 'out', 'test', 'integration.json');
try {
  await runTests({
    ...(download ? {} : { vscodeExecutablePath: path.join(root, 'test', 'bed', 'bin', 'code') }),
    extensionDevelopmentPath: root,
    extensionTestsPath: path.join(root, 'out', 'integration', 'index.js'),
    launchArgs: [
      workspace,
      `--user-data-dir=${path.join(stage, 'user-data')}`,
      '--disable-extensions',
      '--disable-workspace-trust',
    ],
    extensionTestsEnv: { LQL_TEST_RESULTS: results, BED_ARTIFACTS: path.join(root, 'out', 'screenshots') },
  });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  rmSync(stage, { recursive: true, force: true, maxRetries: 5 });
}
