// Brings a clone to the state in which everything else works. Safe to run at any time; takes milliseconds when there is
// nothing to do.
//
//   node scripts/setup.mjs          the project: its packages, among them the Node that the tools need
//   node scripts/setup.mjs --bed    also the real VS Code of the tests (test/bed)
import { ensureBed } from '../test/bed/install.mjs';
import { ensureProject, SetupError } from './project.mjs';

try {
  await ensureProject();
  if (process.argv.includes('--bed')) await ensureBed();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
