import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlatformUnderTest, startLocalPlatform } from '../../harness/local-platform.ts';

let platform: PlatformUnderTest;
beforeAll(async () => {
  platform = await startLocalPlatform();
});
afterAll(() => platform?.stop());

test('answers on loopback, with a token and without', async () => {
  expect(new URL(platform.url).hostname).toBe('127.0.0.1');
  const { status } = await fetch(`${platform.url}/api/v2/Datasources`);
  expect(status).toBe(401);
  const response = await platform.send('GET', '/Datasources');
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: unknown[] };
  expect(data.length).toBeGreaterThanOrEqual(8);
});
