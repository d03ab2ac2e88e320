import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createSchedule, lookInterval, type Timers } from '../../../../server/platform/alerting/schedule.ts';
import type { PlatformOptions } from '../../../../server/platform/settings.ts';
import { signIn } from '../signed-in.ts';
import { createVirtualTimers, type VirtualTimers } from '../virtual-timers.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('a schedule', () => {
  test('looks every minute, and never after its end', async () => {
    const virtual = createVirtualTimers();
    const looks: number[] = [];
    const begun = virtual.time;
    const schedule = createSchedule(
      async () => void looks.push((virtual.time - begun) / minute),
      virtual.timers,
      () => {},
    );
    await virtual.pass(5 * minute);
    expect(looks).toEqual([]);
    schedule.start();
    await virtual.pass(lookInterval - 1);
    expect(looks).toEqual([]);
    await virtual.pass(1);
    await virtual.pass(2 * minute);
    expect(looks).toEqual([6, 7, 8]);
    await schedule.stop();
    expect(virtual.waiting()).toBe(0);
  });

  test('goes on after a look that failed, and tells of it', async () => {
    const virtual = createVirtualTimers();
    const report = vi.fn();
    const schedule = createSchedule(() => Promise.reject(new Error('no room')), virtual.timers, report);
    schedule.start();
    await virtual.pass(2 * minute);
    expect(report.mock.calls.map(([error]) => (error as Error).message)).toEqual(['no room', 'no room']);
    await schedule.stop();
  });

  test('is at its end only when the look under way is', async () => {
    const virtual = createVirtualTimers();
    const look = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const timers: Timers = {
      after(_, action) {
        action();
        return () => {};
      },
    };
    const schedule = createSchedule(
      () => {
        begun.resolve();
        return look.promise;
      },
      timers,
      () => {},
    );
    schedule.start();
    await begun.promise;
    let ended = false;
    const stop = schedule.stop().then(() => {
      ended = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    look.resolve();
    await stop;
    expect(virtual.waiting()).toBe(0);
  });
});

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const logins =
  "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'ConsoleLogin' } return { INSERT_ID, EVENT_TIME } }";
const everyMinute =
  "{ source { SVC_HA_DNS_REQUESTS } filter { HOSTNAME = 'telemetry.pkg-mirror.example' } return { MID, RECORD_CREATED_TIME } }";
const policy = {
  policyId: 'logins',
  queryId: 'Logins',
  title: 'Logins',
  enabled: true,
  description: 'd',
  remediation: 'r',
  severity: 'high',
  alertEnabled: true,
};

/** A platform whose policies run by timers alone: nobody looks at alerts. */
async function scheduled(virtual: VirtualTimers, options: PlatformOptions = {}) {
  const platform = await signIn({ timers: virtual.timers, ...options }, virtual);
  platform.app.schedule.start();
  await platform.call('POST', '/Queries', { queryId: 'Logins', queryText: logins });
  return platform;
}

type Platform = Awaited<ReturnType<typeof scheduled>>;

/** Alerts of a policy of the person's as they lie in the state, without looking at them by an operation. */
function alerts({ app }: Platform, account = 'harborline', policyId = 'harborline-logins') {
  return Object.values(app.store.open(account).state.alerts).filter((alert) => alert.policyId === policyId);
}

describe('policies', () => {
  test('run by themselves: the first time within a minute, then every hour over the time since', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await platform.call('POST', '/Policies', policy);
    await virtual.pass(minute);
    expect(alerts(platform)).toHaveLength(1);
    const evaluated = () => platform.app.store.open('harborline').state.evaluations['harborline-logins']?.evaluatedAt;
    const first = evaluated();
    expect(first).toBe(virtual.time);
    await virtual.pass(hour - minute);
    expect(evaluated()).toBe(first);
    await virtual.pass(minute);
    expect(evaluated()).toBe((first ?? 0) + hour);
    await platform.app.close();
  });

  test('run once a day where evalFrequency says Daily', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await platform.call('POST', '/Policies', { ...policy, evalFrequency: 'Daily' });
    await virtual.pass(minute);
    const evaluated = () => platform.app.store.open('harborline').state.evaluations['harborline-logins']?.evaluatedAt;
    const first = evaluated();
    await virtual.pass(24 * hour - minute);
    expect(evaluated()).toBe(first);
    await virtual.pass(minute);
    expect(evaluated()).toBe((first ?? 0) + 24 * hour);
    await platform.app.close();
  });

  test('raise new alerts as new events come in, without a finding twice', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await platform.call('POST', '/Queries', { queryId: 'Beacons', queryText: everyMinute });
    await platform.call('POST', '/Policies', { ...policy, policyId: 'beacons', queryId: 'Beacons' });
    await virtual.pass(13 * hour);
    const found = alerts(platform, 'harborline', 'harborline-beacons').flatMap((alert) => alert.events);
    expect(alerts(platform, 'harborline', 'harborline-beacons').length).toBeGreaterThan(1);
    expect(new Set(found.map((event) => JSON.stringify(event))).size).toBe(found.length);
    await platform.app.close();
  });

  test('of an account that nobody used do not run', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await virtual.pass(2 * minute);
    expect(Object.keys(platform.app.store.open('harborline').state.alerts).length).toBeGreaterThan(0);
    expect(platform.app.store.used().map((account) => account.name)).toEqual(['harborline']);
    await platform.call('GET', '/Policies', undefined, { 'Account-Name': 'harborline-labs' });
    await virtual.pass(minute);
    expect(Object.keys(platform.app.store.open('harborline-labs').state.alerts).length).toBeGreaterThan(0);
    await platform.app.close();
  });

  test('go on after a restart where they stopped', async () => {
    const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'platform-schedule-'));
    folders.push(dataFolder);
    const virtual = createVirtualTimers();
    const first = await scheduled(virtual, { dataFolder });
    await first.call('POST', '/Policies', policy);
    await virtual.pass(minute);
    const [alert] = alerts(first);
    await first.app.close();
    await virtual.pass(10 * minute);
    const second = await signIn({ timers: virtual.timers, dataFolder }, virtual);
    second.app.schedule.start();
    await virtual.pass(hour);
    expect(alerts(second)[0]).toEqual(alert);
    const state = second.app.store.open('harborline').state.evaluations['harborline-logins'];
    expect(virtual.time - (state?.evaluatedAt ?? 0)).toBeLessThan(hour);
    await second.app.close();
  });

  test('that are deleted or switched off while they run leave nothing behind', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await platform.call('POST', '/Policies', policy);
    const look = platform.call('POST', '/Alerts/search', {});
    await platform.call('DELETE', '/Policies/harborline-logins');
    await look;
    expect(alerts(platform)).toEqual([]);
    expect(Object.keys(platform.app.store.open('harborline').state.evaluations)).not.toContain('harborline-logins');
    await platform.app.close();
  });

  test('under way when the platform ends write nothing any more', async () => {
    const virtual = createVirtualTimers();
    const platform = await scheduled(virtual);
    await platform.call('POST', '/Policies', policy);
    const pass = virtual.pass(minute);
    const closing = platform.app.close();
    await closing;
    const state = JSON.stringify(platform.app.store.open('harborline').state.alerts);
    await Promise.race([pass, new Promise((resolve) => setTimeout(resolve, 50))]);
    expect(JSON.stringify(platform.app.store.open('harborline').state.alerts)).toBe(state);
    expect(alerts(platform)).toEqual([]);
  });
});
