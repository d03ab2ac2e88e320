import { defineConfig } from 'vitest/config';

// Three projects, told apart by folder. `vitest run test/unit/core` runs a part; `--project ui` one project.
// The machine may have two cores and several people: workers are capped, and the user-interface tests run one after the
// other: two windows at a time take a quarter less, but each loses keys to the other's load.
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/property-seed.ts'],
          include: ['test/unit/**/*.test.ts'],
          environment: 'node',
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'tidy',
          include: ['test/tidy/**/*.test.ts'],
          environment: 'node',
          sequence: { groupOrder: 0 },
          testTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'ui',
          include: ['test/ui/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          // A busy machine drops keys, and VS Code shows no more than three notifications in 0.8 s.
          retry: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
