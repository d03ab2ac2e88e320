import { expect, it } from 'vitest';
import { createRateLimits } from '../../../../server/api/transport/rate-limits.ts';

function virtualClock() {
  let elapsed = 0;
  return {
    get elapsed() {
      return elapsed;
    },
    monotonic: () => elapsed,
    wall: () => 1_900_000_000_000 + elapsed,
    async sleep(milliseconds: number) {
      elapsed += milliseconds;
    },
  };
}

it('several calls wait together until all of them can be made, and take nothing by waiting', async () => {
  const clock = virtualClock();
  const limits = createRateLimits({ clock, limit: 10 });
  for (let call = 0; call < 8; call++) {
    (await limits.acquire('PATCH Queries', { priority: 'person' })).end(undefined);
    await clock.sleep(1_000);
  }
  expect(await limits.whenFree('PATCH Queries', 2)).toBe(false);
  expect(clock.elapsed).toBe(8_000);
  expect(await limits.whenFree('PATCH Queries', 5)).toBe(true);
  // The third of the calls that were made frees its place one hour after it ended.
  expect(clock.elapsed).toBe(3_600_000 + 2_000);
  expect(limits.state()[0]?.remaining).toBe(5);
  const turns = await Promise.all(
    Array.from({ length: 5 }, () => limits.acquire('PATCH Queries', { priority: 'person', maxWaitMilliseconds: 0 })),
  );
  expect(turns).toHaveLength(5);
});

it('more calls than the limit allows wait for the whole of it, and a cancelled wait ends', async () => {
  const clock = virtualClock();
  const limits = createRateLimits({ clock, limit: 3 });
  (await limits.acquire('x', { priority: 'person' })).end(undefined);
  expect(await limits.whenFree('x', 8)).toBe(true);
  expect(limits.state()[0]?.remaining).toBe(3);
  const controller = new AbortController();
  controller.abort();
  await expect(limits.whenFree('x', 1, controller.signal)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});
