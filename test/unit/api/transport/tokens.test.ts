import { describe, expect, it } from 'vitest';
import { createSecret, reveal } from '../../../../server/api/transport/redact.ts';
import { createTokenSource, tokenLifetime } from '../../../../server/api/transport/tokens.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

function source(lifetimeSeconds = 3600, delay = 0) {
  const clock = createVirtualClock();
  let count = 0;
  let fail = false;
  const tokens = createTokenSource(async () => {
    count++;
    const name = `t${count}`;
    await clock.sleep(delay);
    if (fail) throw new Error('refused');
    return { token: createSecret(name), lifetimeSeconds };
  }, clock);
  return { clock, tokens, issued: () => count, failNext: (value: boolean) => (fail = value) };
}

describe('createTokenSource', () => {
  it('asks once for a thousand callers', async () => {
    const { clock, tokens, issued } = source(3600, 50);
    const all = Promise.all(Array.from({ length: 1000 }, () => tokens.get()));
    await clock.advance(100);
    expect(new Set((await all).map(reveal))).toEqual(new Set(['t1']));
    expect(issued()).toBe(1);
  });

  it('replaces the token ahead of its end, while the old one still serves', async () => {
    const { clock, tokens, issued } = source(3600, 50);
    const first = tokens.get();
    await clock.advance(50);
    expect(reveal(await first)).toBe('t1');
    await clock.advance(2_879_000);
    expect([reveal(await tokens.get()), issued()]).toEqual(['t1', 1]);
    await clock.advance(2_000);
    expect([reveal(await tokens.get()), issued()]).toEqual(['t1', 2]);
    await clock.advance(60);
    expect([reveal(await tokens.get()), issued()]).toEqual(['t2', 2]);
  });

  it('never hands out a token at its end, and keeps the old one when the replacement fails', async () => {
    const { clock, tokens, failNext } = source(100);
    await tokens.get();
    await clock.advance(85_000);
    failNext(true);
    expect(reveal(await tokens.get())).toBe('t1');
    await clock.advance(5_100);
    await expect(tokens.get()).rejects.toThrow('refused');
    failNext(false);
    expect(reveal(await tokens.get())).toMatch(/^t\d$/);
  });

  it('is not misled by a clock that is wrong by a day, or set meanwhile', async () => {
    const { clock, tokens, issued } = source(3600);
    clock.setWall(-86_400_000);
    await tokens.get();
    clock.setWall(86_400_000);
    await tokens.get();
    expect(issued()).toBe(1);
    await clock.advance(3_600_000);
    await tokens.get();
    expect(issued()).toBe(2);
  });

  it('forgets a refused token, but not the one that replaced it', async () => {
    const { tokens, issued } = source();
    const first = await tokens.get();
    tokens.invalidate(first);
    const second = await tokens.get();
    tokens.invalidate(first);
    expect(await tokens.get()).toBe(second);
    expect(issued()).toBe(2);
  });

  it('lets one caller give up without taking the token from the others', async () => {
    const { clock, tokens } = source(3600, 50);
    const controller = new AbortController();
    const impatient = tokens.get(controller.signal);
    const patient = tokens.get();
    controller.abort();
    await expect(impatient).rejects.toThrow();
    await clock.advance(60);
    expect(reveal(await patient)).toBe('t1');
  });
});

describe('tokenLifetime', () => {
  it('believes two times of the service before the clock here, and never more than was asked for', () => {
    const date = 'Wed, 02 Apr 2031 08:00:00 GMT';
    expect(tokenLifetime('2031-04-02T08:10:00.000Z', date, 3600)).toBe(600);
    expect(tokenLifetime('2031-04-02T10:00:00.000Z', date, 3600)).toBe(3600);
    expect(tokenLifetime('2031-04-02T07:00:00.000Z', date, 3600)).toBe(3600);
    expect(tokenLifetime('2031-04-02T08:10:00.000Z', undefined, 3600)).toBe(3600);
    expect(tokenLifetime('soon', date, 3600)).toBe(3600);
  });
});
