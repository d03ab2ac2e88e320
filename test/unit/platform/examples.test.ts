import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { format } from '../../../server/core/language/format/format.ts';
import { toWireText } from '../../../server/core/language/format/wire.ts';
import { parseTimeRange } from '../../../server/core/resources/index.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const folder = path.join(import.meta.dirname, '../../../examples');
/** The text as the extension sends it: on one line, without comments. */
function wireText(text: string): string {
  const result = toWireText(text);
  if (result.kind !== 'ok') throw new Error(result.diagnostics[0]?.message);
  return result.text;
}

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.lql'))
  .sort();

describe('examples', () => {
  let platform: SignedIn;
  beforeAll(async () => {
    platform = await signIn();
  });

  test('there are at least twelve, numbered without gaps', () => {
    expect(files.length).toBeGreaterThanOrEqual(12);
    expect(files.map((name) => Number(name.slice(0, 2)))).toEqual(files.map((_, index) => index + 1));
  });

  test.each(files)('%s returns rows', async (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    const words = /^-- @range (.+)$/m.exec(text)?.[1] ?? 'last 24 hours';
    const range = parseTimeRange(words, platform.clock.time);
    if (range.kind !== 'range') throw new Error(range.message);
    const answer = await platform.execute(wireText(text), {
      arguments: [
        { name: 'StartTimeRange', value: new Date(range.range.start).toISOString() },
        { name: 'EndTimeRange', value: new Date(range.range.end).toISOString() },
      ],
    });
    expect(answer.body).not.toHaveProperty('message');
    expect(answer.status).toBe(200);
    expect(answer.body.data.length).toBeGreaterThan(0);
    expect(answer.body.data.length).toBeLessThan(200);
    // A column that is null in every row teaches nothing.
    for (const column of Object.keys(answer.body.data[0])) {
      expect(
        answer.body.data.some((row: Record<string, unknown>) => row[column] !== null),
        column,
      ).toBe(true);
    }
  });

  test.each(files)('%s is laid out by the formatter', (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    expect(format(text).text).toBe(text);
  });

  test('the hunt leads from the stolen key to the bucket', async () => {
    const run = async (number: string) => {
      const file = files.find((name) => name.startsWith(number)) ?? '';
      return (await platform.execute(wireText(readFileSync(path.join(folder, file), 'utf8')))).body.data;
    };
    const addresses = new Set((await run('10')).map((row: Record<string, unknown>) => row['SOURCE_ADDRESS']));
    expect([...addresses]).toEqual(['198.51.100.23']);
    const logins = await run('11');
    expect(logins.map((row: Record<string, unknown>) => row['MACHINE'])).toEqual(['bastion-01', 'orders-api-02']);
    expect(logins[1]['CAME_FROM']).toBe('10.20.0.12');
    const started = await run('12');
    const calling = await run('13');
    const programs = started.filter((row: Record<string, unknown>) => row['PID_HASH'] === calling[0]['PID_HASH']);
    expect(programs).toHaveLength(1);
    expect(typeof calling[0]['PID_HASH']).toBe('bigint');
    expect(calling.some((row: Record<string, unknown>) => Number(row['BYTES_SENT']) > 2 ** 32)).toBe(true);
    expect((await run('14')).some((row: Record<string, unknown>) => row['EVENT_NAME'] === 'PutBucketPolicy')).toBe(
      true,
    );
  });

  test('the README lists every example', () => {
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
    for (const name of files) expect(readme).toContain(`(${name})`);
  });
});
