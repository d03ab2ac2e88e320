import { describe, expect, it } from 'vitest';
import { type ContentObject, contentKey } from '../../../../server/core/content/content-object.ts';
import { emptyTally, modelService, runSchedule, type Tally, textWith } from './support/interleavings.ts';
import { sabotages } from './support/sabotage.ts';

const schedules = process.env['DEEP'] === '1' ? 100_000 : 400;
const firstSeed = Number(process.env['SEED'] ?? 1);

const template = { name: 'T0', eventName: 'Event', description: 'd', subject: 's' };
const objects: readonly ContentObject[] = [
  { kind: 'query', id: 'Acme_A', fields: { queryText: textWith('a') } },
  { kind: 'query', id: 'Acme_B', fields: { queryText: textWith('b') } },
  { kind: 'alertProfile', id: 'Acme_P', fields: { extends: 'SVC_CFG_AWS', alerts: [template] } },
  policy('$account-p-1', 'Acme_A'),
  policy('$account-p-2', 'Acme_B'),
];

function policy(id: string, queryId: string): ContentObject {
  const fields = { queryId, title: id, severity: 'high', description: 'd', alertProfile: 'Acme_P.T0' };
  return { kind: 'policy', id, fields };
}

const initial = new Map(objects.map((object) => [contentKey(object), object]));

async function run(faults: number): Promise<Tally> {
  const total = emptyTally();
  for (let seed = firstSeed; seed < firstSeed + schedules; seed++) {
    const { tally, problems } = await runSchedule(modelService(initial), seed, { faults, rounds: 2 });
    expect(problems).toEqual([]);
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
  }
  return total;
}

describe('two editors, the console and pulls on one account, in any order', { timeout: 3_600_000 }, () => {
  it.each([
    ['where everything goes well', 0],
    ['where calls fail, answers are lost and editors die', 0.15],
  ] as const)('%s: nothing is overwritten that the re-read could have shown', async (_, faults) => {
    const total = await run(faults);
    expect([total.outside, total.wide]).toEqual([0, 0]);
    // The schedules are worth something: foreign writes do come in between.
    expect(total.writes).toBeGreaterThan(schedules);
    expect(total.foreign).toBeGreaterThan(schedules / 60);
    if (faults > 0) expect([total.killed > schedules / 60, total.failed > schedules / 60]).toEqual([true, true]);
    console.log(
      `${schedules} interleavings (seeds ${firstSeed} to ${firstSeed + schedules - 1}): ${total.writes} writes of editors, ` +
        `${total.foreign} foreign writes between re-read and write; lost outside the one-request gap: ${total.outside}, ` +
        `inside it: ${total.inside}; killed ${total.killed}, failed ${total.failed}`,
    );
  });
});

describe('the checker of the schedules', () => {
  it.each(Object.entries(sabotages))('notices when %s', async (_, sabotage) => {
    const noticed: string[] = [];
    let seed = 0;
    for (; seed < 400 && noticed.length === 0; seed++) {
      const faults = seed % 2 === 0 ? 0.15 : 0;
      const { problems } = await runSchedule(modelService(initial), seed, { faults, rounds: 2, sabotage });
      noticed.push(...problems);
    }
    expect(noticed.length, `${seed} schedules`).toBeGreaterThan(0);
  });
});
