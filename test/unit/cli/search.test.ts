import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { startPlatform } from '../../../server/platform/index.ts';
import { createMemoryIo, type MemoryIoOptions, temporaryFolder } from './support/memory-io.ts';

async function search(args: readonly string[], options: MemoryIoOptions = {}) {
  const io = createMemoryIo(options);
  const code = await runCli(['search', ...args], io);
  const rows = args.includes('ndjson') && code !== 2 ? io.out.split('\n').filter((line) => line !== '') : [];
  return { code, out: io.out, error: io.error, rows: rows.map((line): Record<string, unknown> => JSON.parse(line)) };
}

describe('search on the local platform', () => {
  it('finds what the filters say, with the fields asked for', async () => {
    const all = await search(['machines', '--output', 'ndjson', '--range', 'last 3 days']);
    expect([all.code, all.rows.length > 3]).toEqual([0, true]);
    const name = String(all.rows[0]?.['hostname']);
    const where = ['--where', `hostname in ${name},nobody`, '--returns', 'mid,hostname'];
    const one = await search(['machines', '--output', 'ndjson', '--range', 'last 3 days', ...where]);
    expect([...new Set(one.rows.map(({ hostname }) => hostname))]).toEqual([name]);
    expect(Object.keys(one.rows[0] ?? {}).sort()).toEqual(['hostname', 'mid']);
    expect(one.error).toMatch(/^\d+ rows? · .*Z to .*Z · local platform\n$/);
  });

  it('searches more than seven days piece by piece, and no row twice', async () => {
    await using home = await temporaryFolder();
    const platform = await startPlatform({ vendorPrefix: 'LW' });
    try {
      const env = { LW_API_SERVER_URL: platform.url, LW_API_KEY: platform.keyId, LW_API_SECRET: platform.secret };
      const options = { homeDirectory: home.path, env };
      const args = ['user-logins', '--profile', 'default', '--output', 'ndjson', '--range'];
      const long = await search([...args, 'last 30 days'], options);
      const short = await search([...args, 'last 7 days'], options);
      expect([long.code, short.code]).toEqual([0, 0]);
      expect(long.rows.length).toBeGreaterThan(short.rows.length);
      expect(new Set(long.rows.map((row) => JSON.stringify(row))).size).toBe(long.rows.length);
    } finally {
      await platform.stop();
    }
  });

  it('stops at the limit', async () => {
    const limited = await search(['processes', '--limit', '3', '--output', 'ndjson', '--range', 'last 7 days']);
    expect([limited.code, limited.rows.length]).toEqual([0, 3]);
  });

  it('keeps what was read when a later page fails, says so, and ends with 1', async () => {
    await using home = await temporaryFolder();
    const platform = await startPlatform({ vendorPrefix: 'LW' });
    try {
      const path = '/api/v2/Activities/UserLogins/search';
      // The first window is answered, the second is not.
      platform.app.faults.add({ match: `POST ${path}`, delay: 1 });
      platform.app.faults.add({ match: `POST ${path}`, times: 99, action: { kind: 'status', status: 403 } });
      const env = { LW_API_SERVER_URL: platform.url, LW_API_KEY: platform.keyId, LW_API_SECRET: platform.secret };
      const args = ['user-logins', '--profile', 'default', '--output', 'ndjson', '--range', 'last 10 days'];
      const cut = await search(args, { homeDirectory: home.path, env });
      expect([cut.code, cut.rows.length > 0]).toEqual([1, true]);
      expect(cut.error).toContain('The result is not complete. The service refuses this request (403)');
    } finally {
      await platform.stop();
    }
  });

  it.each([
    ['alerts'],
    ['events'],
    ['cloud-activities'],
    ['compliance-evaluations', '--dataset', 'AwsCompliance'],
    ['inventory', '--csp', 'AWS'],
  ])('searches %s', async (...args) => {
    const { code, rows } = await search([...args, '--output', 'ndjson', '--limit', '2', '--range', 'last 7 days']);
    expect([code, rows.length]).toEqual([0, 2]);
  });

  it('says so when nothing is found', async () => {
    const { code, out, error } = await search(['audit-logs', '--output', 'json']);
    expect([code, out, error]).toEqual([0, '[]\n', expect.stringContaining('0 rows')]);
  });

  it.each<readonly [readonly string[], number, string]>([
    [[], 2, 'Name one thing to search: changed-files'],
    [['nothing'], 2, 'Name one thing to search'],
    [['machines', 'users'], 2, 'Name one thing to search'],
    [['machines', '--where', 'hostname is x'], 2, 'no expression'],
    [['machines', '--range', 'last banana'], 2, 'is not a time'],
    [['machines', '--limit', '0'], 2, '--limit'],
    [['inventory', '--csp', 'Mars'], 1, 'csp'],
    [['compliance-evaluations'], 1, 'dataset'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await search(args);
    expect([refused.code, refused.error]).toEqual([code, expect.stringContaining(message)]);
  });
});
