import { expect, test, vi } from 'vitest';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { createRangeMemory } = await import('../../../../../client/features/run-query/ranges.ts');

test('the window of the last run is known in the next session too', () => {
  const values = new Map<string, unknown>();
  const state = {
    get: (key: string, fallback?: unknown) => values.get(key) ?? fallback,
    update: async (key: string, value: unknown) => void values.set(key, JSON.parse(JSON.stringify(value))),
  };
  const session = () =>
    createRangeMemory(
      state as unknown as Parameters<typeof createRangeMemory>[0],
      { onDidMove: () => ({ dispose: () => undefined }) } as unknown as Parameters<typeof createRangeMemory>[1],
    );
  expect(session().lastWindow).toBeUndefined();
  const window = { startTime: 1_900_000_000_123, endTime: 1_900_000_086_523, label: 'last 24 hours' };
  session().setLastWindow(window);
  expect(session().lastWindow).toEqual(window);
});
