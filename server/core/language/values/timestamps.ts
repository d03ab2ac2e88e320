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
  const trimmed = text.trim();
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
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = zoneOffsetMinutes(match[8]);
  if (offset === undefined) return undefined;
  return utc(year, month, day, hour, minute, second, millisecond) - offset * 60_000;
}

/** ISO 8601 with milliseconds and `Z`, the form of the service's time arguments: `2024-05-01T12:00:00.000Z`. */
export function formatTimestamp(milliseconds: number): string | undefined {
  return isTimestamp(milliseconds) ? new Date(milliseconds).toISOString() : undefined;
}

export function isTimestamp(milliseconds: number): boolean {
  return Math.abs(milliseconds) <= maxMilliseconds;
}

/** Epoch milliseconds of a UTC date and time; `month` is 1–12. Unlike Date.UTC it does not read the years 0–99 as 1900–1999. */
export function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  millisecond: number,
): number {
  if (year > 99) return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second, millisecond);
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
