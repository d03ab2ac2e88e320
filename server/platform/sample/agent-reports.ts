import { column, defaultRelationship, type SampleColumn, type SampleRow } from './datasource.ts';
import { batchStart } from './processes.ts';
import { batchLength, day, historyDays, minute, second } from './time.ts';
import type { World } from './world.ts';

export const batchTimes: readonly SampleColumn[] = [
  column('BATCH_START_TIME', 'Timestamp', 'Start of the hour the agent reported on'),
  column('BATCH_END_TIME', 'Timestamp', 'End of the hour the agent reported on'),
];

export const reported: readonly SampleColumn[] = [
  ...batchTimes,
  column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
  column('MID', 'Number', 'Id of the machine'),
];

export const toMachine = defaultRelationship('SVC_HE_MACHINES', 'ONE', 'The machine', ['MID', 'MID']);

/** The hourly batches in which an entity that is reported once a day appears, oldest first; the last ended within the past hour. */
export function* dailyReports(world: World): Iterable<{ readonly start: number; readonly end: number }> {
  for (let age = historyDays - 1; age >= 0; age--) {
    const start = batchStart(world, world.anchor - age * day - minute);
    yield { start, end: start + batchLength };
  }
}

export function reportTimes(batch: { readonly start: number; readonly end: number }, offset = 0): SampleRow {
  return {
    BATCH_START_TIME: batch.start,
    BATCH_END_TIME: batch.end,
    RECORD_CREATED_TIME: batch.start + 9 * minute + (offset % 1500) * second,
  };
}

/** The batch in which an agent reports what it saw at `time`. */
export function batch(
  world: World,
  time: number,
): { readonly BATCH_START_TIME: number; readonly BATCH_END_TIME: number } {
  const start = batchStart(world, time);
  return { BATCH_START_TIME: start, BATCH_END_TIME: start + batchLength };
}
