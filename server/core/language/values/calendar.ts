import { daysInMonth, isTimestamp, utc } from './timestamps.ts';

/** Units of the ADD_ and DIFF_ functions. */
export type TimeUnit = 'years' | 'months' | 'days' | 'hours' | 'minutes' | 'seconds' | 'millis';

const unitMilliseconds = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, millis: 1 } as const;

/**
 * Adds whole units (a fraction is rounded) to a timestamp in UTC. Years and months keep the day of the month, or end on the last day of a
 * shorter month. Undefined when the result lies outside the years a timestamp can name.
 */
export function addUnits(timestamp: number, count: number, unit: TimeUnit): number | undefined {
  const whole = Math.round(count);
  const result =
    unit === 'years'
      ? addMonths(timestamp, whole * 12)
      : unit === 'months'
        ? addMonths(timestamp, whole)
        : timestamp + whole * unitMilliseconds[unit];
  return result !== undefined && isTimestamp(result) ? result : undefined;
}

function addMonths(timestamp: number, count: number): number | undefined {
  const date = new Date(timestamp);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + count;
  const year = Math.floor(months / 12);
  if (Math.abs(year) > 300_000) return undefined;
  const month = months - year * 12 + 1;
  const day = Math.min(date.getUTCDate(), daysInMonth(year, month));
  return utc(
    year,
    month,
    day,
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
    date.getUTCMilliseconds(),
  );
}

/** How many boundaries of the unit (in UTC) lie between two timestamps; negative when `to` is earlier. */
export function diffUnits(from: number, to: number, unit: TimeUnit): number {
  switch (unit) {
    case 'years':
      return new Date(to).getUTCFullYear() - new Date(from).getUTCFullYear();
    case 'months':
      return monthNumber(to) - monthNumber(from);
    default: {
      const size = unitMilliseconds[unit];
      return Math.floor(to / size) - Math.floor(from / size);
    }
  }
}

function monthNumber(timestamp: number): number {
  const date = new Date(timestamp);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** 1 for the first of January. */
export function dayOfYearAt(timestamp: number): number {
  const year = new Date(timestamp).getUTCFullYear();
  return diffUnits(utc(year, 1, 1, 0, 0, 0, 0), timestamp, 'days') + 1;
}

/** 1 for Monday to 7 for Sunday, as ISO 8601 counts. */
export function dayOfWeekAt(timestamp: number): number {
  return new Date(timestamp).getUTCDay() || 7;
}
