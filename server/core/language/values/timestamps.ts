/** Timestamps are milliseconds since 1970-01-01T00:00:00Z. JavaScript's Date covers this many of them on either side. */
const maxMilliseconds = 8.64e15;

const timestampPattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?(?: ?([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?))?)?$/;

/**
 * Reads a timestamp: ISO 8601 date, or date and time separated by `T` or a blank, with seconds, up to 9 fractional digits (cut to milliseconds)
 * and zone all optional; no zone means UTC. A text of digits is epoch time: 13 digits are milliseconds, up to 10 digits seconds.
 * Undefined for anything else, among it dates that do not exist.
 */
export function parseTimestamp(text: string): number | undefined {
  return parseUsualForm(text) ?? parseAnyForm(text.trim());
}

/** The form nearly all data has, `2024-05-01T12:00:00Z` with or without milliseconds, read without the pattern: ten times as fast. */
function parseUsualForm(text: string): number | undefined {
  const { length } = text;
  if ((length !== 20 && length !== 24) || text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84)
    return undefined;
  if (
    text.charCodeAt(4) !== 45 ||
    text.charCodeAt(7) !== 45 ||
    text.charCodeAt(13) !== 58 ||
    text.charCodeAt(16) !== 58
  ) {
    return undefined;
  }
  if (text.charCodeAt(19) !== (length === 20 ? 90 : 46)) return undefined;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const millisecond = length === 20 ? 0 : twoDigits(text, 20) * 10 + digit(text, 22);
  return checkedUtc(year, month, day, hour, minute, second, millisecond);
}

function parseAnyForm(trimmed: string): number | undefined {
  if (/^[0-9]+$/.test(trimmed)) {
    if (trimmed.length === 13) return Number(trimmed);
    return trimmed.length <= 10 ? Number(trimmed) * 1000 : undefined;
  }
  const match = timestampPattern.exec(trimmed);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4] ?? 0);
  const minute = Number(match[5] ?? 0);
  const second = Number(match[6] ?? 0);
  const millisecond = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const offset = zoneOffsetMinutes(match[8]);
  const time = checkedUtc(year, month, day, hour, minute, second, millisecond);
  return offset === undefined || time === undefined ? undefined : time - offset * 60_000;
}

/** Undefined for a date or time that does not exist, or when a part is not a number. */
function checkedUtc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number | undefined {
  const exists =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59;
  if (!exists || Number.isNaN(year + millisecond)) return undefined;
  return utc(year, month, day, hour, minute, second, millisecond);
}

/** NaN where a character is not a digit. */
function twoDigits(text: string, index: number): number {
  return digit(text, index) * 10 + digit(text, index + 1);
}

function digit(text: string, index: number): number {
  const value = text.charCodeAt(index) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}

/** ISO 8601 with milliseconds and `Z`, the form of the service's time arguments: `2024-05-01T12:00:00.000Z`. */
export function formatTimestamp(milliseconds: number): string | undefined {
  return isTimestamp(milliseconds) ? new Date(milliseconds).toISOString() : undefined;
}

export function isTimestamp(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= maxMilliseconds;
}

/** Epoch milliseconds of a UTC date and time; `month` is 1–12. Unlike Date.UTC it is exact for the years 0–99 too. */
export function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number {
  return (
    daysSince1970(year, month, day) * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond
  );
}

/** Days from 1970-01-01 by the Gregorian calendar: years begin in March here, so that the leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** `month` is 1–12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function zoneOffsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
