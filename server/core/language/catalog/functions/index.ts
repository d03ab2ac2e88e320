import type { FunctionDefinition } from '../function-definition.ts';
import { abs } from './abs.ts';
import { addDays } from './add_days.ts';
import { addHours } from './add_hours.ts';
import { addMillis } from './add_millis.ts';
import { addMinutes } from './add_minutes.ts';
import { addMonths } from './add_months.ts';
import { addSeconds } from './add_seconds.ts';
import { addYears } from './add_years.ts';
import { anyInArray } from './any_in_array.ts';
import { arraySize } from './array_size.ts';
import { arrayToRows } from './array_to_rows.ts';
import { arrayToRowsNonEmpty } from './array_to_rows_non_empty.ts';
import { charIndex } from './char_index.ts';
import { coalesce } from './coalesce.ts';
import { contains } from './contains.ts';
import { currentTimestamp } from './current_timestamp.ts';
import { currentTimestampMs } from './current_timestamp_ms.ts';
import { currentTimestampSec } from './current_timestamp_sec.ts';
import { dayOfMonth } from './day_of_month.ts';
import { dayOfWeek } from './day_of_week.ts';
import { dayOfYear } from './day_of_year.ts';
import { dayPart } from './day_part.ts';
import { diffDays } from './diff_days.ts';
import { diffHours } from './diff_hours.ts';
import { diffMillis } from './diff_millis.ts';
import { diffMinutes } from './diff_minutes.ts';
import { diffMonths } from './diff_months.ts';
import { diffSeconds } from './diff_seconds.ts';
import { diffYears } from './diff_years.ts';
import { endsWith } from './ends_with.ts';
import { epochMs } from './epoch_ms.ts';
import { epochSec } from './epoch_sec.ts';
import { hourPart } from './hour_part.ts';
import { ipAddress } from './ip_address.ts';
import { ipContains } from './ip_contains.ts';
import { ipFamily } from './ip_family.ts';
import { ipHighNetmaskBits } from './ip_high_netmask_bits.ts';
import { isArray } from './is_array.ts';
import { isObject } from './is_object.ts';
import { keyExists } from './key_exists.ts';
import { left } from './left.ts';
import { length } from './length.ts';
import { lower } from './lower.ts';
import { ltrim } from './ltrim.ts';
import { minutePart } from './minute_part.ts';
import { monthPart } from './month_part.ts';
import { msToTimestamp } from './ms_to_timestamp.ts';
import { quarterPart } from './quarter_part.ts';
import { right } from './right.ts';
import { rtrim } from './rtrim.ts';
import { secToTimestamp } from './sec_to_timestamp.ts';
import { secondPart } from './second_part.ts';
import { startsWith } from './starts_with.ts';
import { substring } from './substring.ts';
import { toBoolean } from './to_boolean.ts';
import { toDouble } from './to_double.ts';
import { toJson } from './to_json.ts';
import { toTimestamp } from './to_timestamp.ts';
import { trim } from './trim.ts';
import { tryToNumber } from './try_to_number.ts';
import { upper } from './upper.ts';
import { valueExists } from './value_exists.ts';
import { yearPart } from './year_part.ts';

const definitions: readonly FunctionDefinition[] = [
  abs,
  addDays,
  addHours,
  addMillis,
  addMinutes,
  addMonths,
  addSeconds,
  addYears,
  anyInArray,
  arraySize,
  arrayToRows,
  arrayToRowsNonEmpty,
  charIndex,
  coalesce,
  contains,
  currentTimestamp,
  currentTimestampMs,
  currentTimestampSec,
  dayOfMonth,
  dayOfWeek,
  dayOfYear,
  dayPart,
  diffDays,
  diffHours,
  diffMillis,
  diffMinutes,
  diffMonths,
  diffSeconds,
  diffYears,
  endsWith,
  epochMs,
  epochSec,
  hourPart,
  ipAddress,
  ipContains,
  ipFamily,
  ipHighNetmaskBits,
  isArray,
  isObject,
  keyExists,
  left,
  length,
  lower,
  ltrim,
  minutePart,
  monthPart,
  msToTimestamp,
  quarterPart,
  right,
  rtrim,
  secToTimestamp,
  secondPart,
  startsWith,
  substring,
  toBoolean,
  toDouble,
  toJson,
  toTimestamp,
  trim,
  tryToNumber,
  upper,
  valueExists,
  yearPart,
];

/** Every function of the language by its lower-case name, in alphabetical order. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
);

/** The function a call names; names compare without case. */
export function findFunction(name: string): FunctionDefinition | undefined {
  return functions.get(name.toLowerCase());
}
