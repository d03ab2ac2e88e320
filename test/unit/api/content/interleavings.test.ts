import { describe, expect, it } from 'vitest';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { emptyTally, runSchedule, type Tally } from '../../core/content/support/interleavings.ts';
import { createSchedulePlatform } from './support/schedule-platform.ts';

const schedules = process.env['DEEP'] === '1' ? Number(process.env['SCHEDULES'] ?? 100_000) : 200;
const firstSeed = Number(process.env['SEED'] ?? 1);

describe('two editors, the console and pulls on the local platform, in any order', { timeout: 7_200_000 }, () => {
  it('overwrite nothing that the re-read could have shown, whatever fails, and the platform shows what was written', async () => {
    const total = emptyTally();
    const failures: string[] = [];
    const platform = await createSchedulePlatform();
    const tell = (count: number): void =>
      console.log(
        `${count} interleavings on the local platform (seeds ${firstSeed} to ${firstSeed + count - 1}): ` +
          `${total.writes} writes of editors, ${total.foreign} foreign writes between re-read and write; ` +
          `lost outside the one-request gap: ${total.outside}, inside it: ${total.inside}; killed ${total.killed}, failed ${total.failed}`,
      );
    for (let count = 1; count <= schedules && failures.length < 10; count++) {
      const seed = firstSeed + count - 1;
      const faults = seed % 2 === 0 ? 0.15 : 0;
      const { tally, problems, world } = await runSchedule(platform.reset(), seed, { faults, rounds: 2 });
      const shown = [...(await platform.look())].map(([key, object]) => `${key} ${meaningOf(object)}`).sort();
      const written = [...world.objects].map(([key, it]) => `${key} ${meaningOf(it)}`).sort();
      failures.push(...problems);
      if (shown.join('\n') !== written.join('\n'))
        failures.push(`seed ${seed}: the platform shows\n${shown.join('\n')}\nand written was\n${written.join('\n')}`);
      for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
      if (count === schedules || count % 10_000 === 0) tell(count);
    }
    expect(failures).toEqual([]);
    expect([total.outside, total.wide]).toEqual([0, 0]);
    expect(total.writes).toBeGreaterThan(schedules);
  });
});
