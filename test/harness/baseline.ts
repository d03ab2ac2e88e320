/**
 * Baselines: expected output that is easier to read in a file of its own than in a test. They lie under test/baselines and
 * are part of the sources: read the difference before committing it. `UPDATE_BASELINES=1` rewrites them.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { repoRoot } from './paths.ts';

const folder = path.join(repoRoot, 'test', 'baselines');

/**
 * Compares with test/baselines/NAME (name with extension, folders allowed). A missing baseline is a failure, too: a test
 * that writes what it then compares with could not fail.
 */
export function expectBaseline(name: string, actual: string): void {
  const file = path.join(folder, name);
  const text = actual.endsWith('\n') ? actual : `${actual}\n`;
  if (process.env['UPDATE_BASELINES'] === '1') {
    mkdirSync(path.dirname(file), { recursive: true });
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
    return;
  }
  if (!existsSync(file)) {
    throw new Error(`The baseline ${name} does not exist. Create it with UPDATE_BASELINES=1, read it, and commit it.`);
  }
  expect(text, `baseline ${name} (UPDATE_BASELINES=1 rewrites it)`).toBe(readFileSync(file, 'utf8'));
}
