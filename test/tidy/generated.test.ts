import { expect, test } from 'vitest';
import { findGenerators, runGenerator } from '../../scripts/generate.mjs';

// Each generator compares what it would write with what is there and names what is stale.
test('generated files are fresh', { timeout: 60_000 }, () => {
  const stale = findGenerators().flatMap((file) => {
    const { code, output } = runGenerator(file, ['--check']);
    return code === 0 ? [] : [`${file} --check: ${output.trim()}`];
  });
  expect(stale).toEqual([]);
});
