import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimits, type RateLimits } from '../../../../server/api/transport/rate-limits.ts';
import { createVirtualClock, type VirtualClock } from '../support/virtual-clock.ts';

const hour = 3_600_000;
const headers = (entries: Readonly<Record<string, string>>) => ({
  status: 200,
  headers: new Map(Object.entries(entries)),
});
const plain = headers({});

function setUp(limit = 480, reserve = 0.1): { clock: VirtualClock; limits: RateLimits } {
  const clock = createVirtualClock();
  return { clock, limits: createRateLimits({ clock, limit, reserve }) };
}

async function use(
  limits: RateLimits,
  count: number,
  answer: Parameters<Awaited<ReturnType<RateLimits['acquire']>>['end']>[0] = plain,
) {
  for (let call = 0; call < count; call++) (await limits.acquire('GET Queries', { priority: 'person' })).end(answer);
}

const delay = fc.integer({ min: 1, max: 2_000 });
const only = (limits: RateLimits) => limits.state()[0];

describe('createRateLimits', () => {
  it('lets the whole limit through, then says when the next call is allowed', async () => {
    const { clock, limits } = setUp();
    await use(limits, 480);
    expect(only(limits)).toMatchObject({ remaining: 0, resetsAt: clock.wall() + hour, queued: 0 });
    await expect(limits.acquire('GET Queries', { priority: 'person' })).rejects.toMatchObject({
      failure: { kind: 'rate-limited', functionality: 'GET Queries', resetsInSeconds: 3600 },
    });
    expect((await limits.acquire('PATCH Queries', { priority: 'person' })) !== undefined).toBe(true);
    await clock.advance(hour);
    expect(only(limits)).toMatchObject({ remaining: 480, resetsAt: undefined });
    await use(limits, 480);
  });

  it('keeps the reserve for the person, who also goes first', async () => {
    const { clock, limits } = setUp(10, 0.2);
    const order: string[] = [];
    for (let call = 0; call < 8; call++) (await limits.acquire('f', { priority: 'background' })).end(plain);
    void limits.acquire('f', { priority: 'background' }).then((turn) => {
      order.push('background');
      turn.end(plain);
    });
    await clock.advance(0);
    expect(order).toEqual([]);
    (await limits.acquire('f', { priority: 'person' })).end(plain);
    (await limits.acquire('f', { priority: 'person' })).end(plain);
    void limits.acquire('f', { priority: 'person', maxWaitMilliseconds: 2 * hour }).then((turn) => {
      order.push('person');
      turn.end(plain);
    });
    expect(only(limits)).toMatchObject({ queued: 2 });
    await clock.advance(hour);
    expect(order).toEqual(['person', 'background']);
    expect(only(limits)).toMatchObject({ queued: 0 });
  });

  it('lets a waiting call be cancelled', async () => {
    const { clock, limits } = setUp(1, 0);
    await use(limits, 1);
    const controller = new AbortController();
    const waiting = limits.acquire('GET Queries', { priority: 'background', signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
    await clock.advance(hour);
    expect(only(limits)).toMatchObject({ queued: 0, remaining: 1 });
  });

  it('learns from the headers what others used, and does not forget it before the reset', async () => {
    const { clock, limits } = setUp();
    await use(limits, 1, headers({ 'ratelimit-limit': '480', 'ratelimit-remaining': '5', 'ratelimit-reset': '600' }));
    expect(only(limits)).toMatchObject({ remaining: 5 });
    await clock.advance(599_000);
    expect(only(limits)).toMatchObject({ remaining: 5 });
    await clock.advance(2_000);
    expect(only(limits)).toMatchObject({ remaining: 479 });
  });

  it('counts no call twice, whatever the order in which calls arrive and answers come, and every call of others once', async () => {
    const limit = 60;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: delay, there: delay, back: delay, others: fc.integer({ min: 0, max: 2 }) }), {
          maxLength: 20,
        }),
        async (calls) => {
          const { clock, limits } = setUp(limit, 0);
          let taken = 0;
          let [own, refusals] = [0, 0];
          const running: Promise<void>[] = [];
          for (const { pause, there, back, others } of calls) {
            const call = async (): Promise<void> => {
              const turn = await limits.acquire('f', { priority: 'person', maxWaitMilliseconds: 10 * hour });
              await clock.sleep(there);
              // Others call through a mirror of their own.
              taken += others;
              own++;
              if (++taken > limit) refusals++;
              const answer = headers({
                'ratelimit-limit': `${limit}`,
                'ratelimit-remaining': `${limit - taken}`,
                'ratelimit-reset': '3600',
              });
              await clock.sleep(back);
              turn.end(answer);
              const { remaining = 0 } = only(limits) ?? {};
              expect(remaining).toBeGreaterThanOrEqual(limit - taken - (calls.length - own));
            };
            running.push(call());
            await clock.advance(pause);
          }
          await clock.advance(60_000);
          await Promise.all(running);
          expect(refusals).toBe(0);
          if (calls.length > 0) expect(only(limits)).toMatchObject({ remaining: limit - taken });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('takes over another limit', async () => {
    const { limits } = setUp();
    await use(limits, 1, headers({ 'ratelimit-limit': '120', 'ratelimit-remaining': '119' }));
    expect(only(limits)).toMatchObject({ limit: 120, remaining: 119 });
  });

  it.each(['999999999999999', '-5', 'soon', '1e99', ''])(
    'stays within an hour whatever a refusal says about its reset: %s',
    async (reset) => {
      const { clock, limits } = setUp();
      await use(limits, 1, { status: 429, headers: new Map([['ratelimit-reset', reset]]) });
      const resetsAt = only(limits)?.resetsAt ?? 0;
      expect(resetsAt - clock.wall()).toBeGreaterThanOrEqual(1_000);
      expect(resetsAt - clock.wall()).toBeLessThanOrEqual(hour);
      await clock.advance(hour + 1);
      expect(only(limits)).toMatchObject({ remaining: 480 });
    },
  );

  it('bears a service that names a huge limit and says that none of it is left', async () => {
    for (const status of [200, 429]) {
      const { clock, limits } = setUp();
      const told = { 'ratelimit-limit': '1000000', 'ratelimit-remaining': '0', 'ratelimit-reset': '60' };
      await use(limits, 1, { status, headers: new Map(Object.entries(told)) });
      expect(only(limits)).toMatchObject({ limit: 1_000_000, remaining: 0, resetsAt: clock.wall() + 60_000 });
      await clock.advance(60_000);
      expect(only(limits)).toMatchObject({ remaining: 999_999, resetsAt: undefined });
    }
  });

  it('is kept across sessions, whatever the clock did meanwhile', async () => {
    const first = setUp(10, 0);
    await use(first.limits, 4);
    await first.clock.advance(hour / 2);
    await use(first.limits, 3);
    const saved = JSON.parse(JSON.stringify(first.limits.save()));
    const second = setUp(10, 0);
    second.clock.setWall(hour / 2);
    second.limits.restore(saved);
    expect(only(second.limits)).toMatchObject({ remaining: 3 });
    await second.clock.advance(hour / 2);
    expect(only(second.limits)).toMatchObject({ remaining: 7 });
    const setBack = setUp(10, 0);
    setBack.clock.setWall(-24 * hour);
    setBack.limits.restore(saved);
    await setBack.clock.advance(hour + 1);
    expect(only(setBack.limits)).toMatchObject({ remaining: 10 });
  });

  it('never causes a refusal in workloads of ten thousand calls, by a rolling window or a refilled bucket', async () => {
    const seed = 20_310_402;
    const random = seeded(seed);
    let refusals = 0;
    let calls = 0;
    for (const service of ['window', 'bucket'] as const) {
      const { clock, limits } = setUp(480, 0.1);
      const allow = createService(service, clock);
      const running: Promise<void>[] = [];
      for (let call = 0; call < 5_000; call++) {
        const priority = random() < 0.3 ? 'person' : 'background';
        running.push(
          limits.acquire('f', { priority, maxWaitMilliseconds: Number.POSITIVE_INFINITY }).then(async (turn) => {
            await clock.sleep(random() * 2_000);
            calls++;
            if (!allow()) refusals++;
            await clock.sleep(random() * 2_000);
            turn.end(plain);
          }),
        );
        if (random() < 0.02) await clock.advance(random() * 120_000);
      }
      await clock.advance(20 * hour);
      await Promise.all(running);
    }
    console.info(`rate limits: ${calls} calls, ${refusals} refusals, seed ${seed}`);
    expect([calls, refusals]).toEqual([10_000, 0]);
  });

  it('never lets more than the limit begin within an hour', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 * hour }), fc.boolean()), { maxLength: 60 }),
        async (limit, steps) => {
          const { clock, limits } = setUp(limit, 0.1);
          const starts: number[] = [];
          const running: Promise<unknown>[] = [];
          for (const [pause, person] of steps) {
            const acquired = limits
              .acquire('f', {
                priority: person ? 'person' : 'background',
                maxWaitMilliseconds: Number.POSITIVE_INFINITY,
              })
              .then((turn) => {
                starts.push(clock.monotonic());
                turn.end(plain);
              });
            running.push(acquired);
            // Whole milliseconds: sums of fractions would miss the hour by less than a nanosecond.
            await clock.advance(Math.round(pause / 40));
          }
          await clock.advance(70 * hour);
          expect(starts).toHaveLength(running.length);
          for (let index = limit; index < starts.length; index++) {
            expect((starts[index] ?? 0) - (starts[index - limit] ?? 0)).toBeGreaterThanOrEqual(hour);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** The service's own accounting, in the two forms it might have. */
function createService(kind: 'window' | 'bucket', clock: VirtualClock): () => boolean {
  if (kind === 'window') {
    const times: number[] = [];
    return () => {
      while (times.length > 0 && (times[0] ?? 0) <= clock.monotonic() - hour) times.shift();
      if (times.length >= 480) return false;
      times.push(clock.monotonic());
      return true;
    };
  }
  let tokens = 480;
  let last = clock.monotonic();
  return () => {
    tokens = Math.min(480, tokens + ((clock.monotonic() - last) * 480) / hour);
    last = clock.monotonic();
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
