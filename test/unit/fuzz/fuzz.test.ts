import { expect, test } from 'vitest';
import { loadSeeds, makeInput, shortest } from '../../fuzz/inputs.ts';
import { createChecks } from '../../fuzz/requests.ts';
import { propertyRuns, propertyTimeout } from '../../generators/runs.ts';

// A short stretch of `npm run fuzz`, with another seed each time; a failure names the seed and the document that repeat it.
test('mutated documents go through the whole language unharmed', { timeout: propertyTimeout() }, () => {
  const { numRuns, seed = (Math.random() * 0x7fffffff) | 0 } = propertyRuns(500);
  const seeds = loadSeeds(seed);
  const checks = createChecks();
  for (let index = 0; index < numRuns; index++) {
    const text = makeInput(seed, index, seeds);
    expect(text.length).toBeGreaterThanOrEqual(shortest);
    try {
      checks.run(text, index);
    } catch (error) {
      throw new Error(`npm run fuzz -- --seed ${seed} --only ${index}`, { cause: error });
    }
  }
});

test('the same seed and number make the same document', () => {
  const seeds = loadSeeds(7);
  expect(loadSeeds(7)).toEqual(seeds);
  for (let index = 0; index < 50; index++) expect(makeInput(7, index, seeds)).toBe(makeInput(7, index, seeds));
  expect(new Set(Array.from({ length: 50 }, (_, index) => makeInput(7, index, seeds))).size).toBeGreaterThan(45);
});
