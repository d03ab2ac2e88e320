/**
 * Moments as people and the service write them. Everything is UTC: a text without a zone is UTC too, as the service reads it.
 * Moments are numbers, milliseconds since 1970. Nothing here knows the time: `now` is handed in.
 */

export type TimeResult =
  | { readonly kind: 'time'; readonly time: number }
  /** `message` says what is wrong with the text and what to write instead. */
  | { readonly kind: 'invalid'; readonly message: string };

export const timeUnits = ['y', 'mon', 'w', 'd', 'h', 'm', 's'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/**
 * Reads one moment: the service's four formats and RFC 3339 (`2031-04-01`, `2031-04-01T08`, `2031-04-01T08:30:00Z`), milliseconds since
 * 1970, or relative to now as `now`, `-24h`, `+2d`, `-1w@w` (then back to the start of the unit; weeks start on Monday), `@d`.
 */
export function parseTime(text: string, now: number): TimeResult {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return invalid(`${trimmed.slice(0, maxLength)}…`, 'is too long for a time');
  if (trimmed === '') return { kind: 'invalid', message: `The time is empty. ${howToWrite}` };
  if (/^\d+$/.test(trimmed)) return parseEpoch(trimmed);
  const relative = parseRelative(trimmed.toLowerCase(), now);
  return relative ?? parseAbsolute(trimmed);
}

/** The service's own form: ISO 8601, milliseconds, `Z`. */
export function formatTime(time: number): string {
  return new Date(time).toISOString();
}

/** Whether a number is a moment that can be written: the years 0 to 9999 of our calendar. */
export function isTime(time: number): boolean {
  return Number.isFinite(time) && time >= firstTime && time <= lastTime;
}

/** The moment a number of units before or after another. Months and years keep the day where the month has it, else take its last. */
export function addUnits(time: number, count: number, unit: TimeUnit): number {
  const milliseconds = unitMilliseconds.get(unit);
  if (milliseconds !== undefined) return time + count * milliseconds;
  const date = new Date(time);
  const months = date.getUTCMonth() + (unit === 'y' ? 12 * count : count);
  const first = Date.UTC(date.getUTCFullYear(), months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), lastDay) - 1) * dayMilliseconds + modulo(time, dayMilliseconds);
}

/** The start of the unit that a moment lies in. */
export function startOfUnit(time: number, unit: TimeUnit): number {
  const date = new Date(time);
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1);
  if (unit === 'mon') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  // 1970 began on a Thursday, three days after a Monday.
  if (unit === 'w') return time - modulo(time + 3 * dayMilliseconds, 7 * dayMilliseconds);
  return time - modulo(time, unitMilliseconds.get(unit) ?? 1);
}

const maxLength = 80;
const dayMilliseconds = 86_400_000;
const firstTime = Date.parse('0000-01-01T00:00:00.000Z');
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const unitMilliseconds: ReadonlyMap<TimeUnit, number> = new Map([
  ['w', 7 * dayMilliseconds],
  ['d', dayMilliseconds],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
]);
const howToWrite = "Write for example '2026-01-31', '2026-01-31T08:30:00Z', '-24h', '-1w@w' or 'now'.";

function parseEpoch(digits: string): TimeResult {
  const time = Number(digits);
  if (digits.length >= 9 && digits.length <= 11) {
    return invalid(digits, 'has too few digits for milliseconds since 1970; if it means seconds, append 000');
  }
  if (digits.length < 9) return invalid(digits, 'is a number without a unit');
  return isTime(time) ? { kind: 'time', time } : invalid(digits, 'lies beyond the year 9999');
}

function parseRelative(text: string, now: number): TimeResult | undefined {
  if (text === 'now') return { kind: 'time', time: now };
  const match = /^([+-]?)(?:(\d{1,9})([a-z]{1,8}))?(?:@([a-z]{1,8}))?$/.exec(text);
  if (!match || (match[2] === undefined && match[4] === undefined)) return undefined;
  const [, sign, digits, unit, snap] = match;
  if (unit !== undefined && !isUnit(unit))
    return invalid(text, `has the unknown unit '${unit}'; units are ${timeUnits.join(', ')}`);
  if (snap !== undefined && !isUnit(snap))
    return invalid(text, `has the unknown unit '${snap}'; units are ${timeUnits.join(', ')}`);
  let time = now;
  if (unit !== undefined && digits !== undefined) time = addUnits(time, (sign === '-' ? -1 : 1) * Number(digits), unit);
  if (snap !== undefined && isTime(time)) time = startOfUnit(time, snap);
  return isTime(time) ? { kind: 'time', time } : invalid(text, 'lies outside the calendar');
}

function parseAbsolute(text: string): TimeResult {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?)? ?([Zz]|[+-]\d{2}:?\d{2})?$/.exec(
      text,
    );
  if (!match) return invalid(text, 'is not a time');
  const [, year = '', month = '', day = '', hour = '0', minute = '0', second = '0', fraction = '0', zone] = match;
  const fields = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, mon = 0, d = 0, h = 0, min = 0, s = 0] = fields;
  const date = new Date(0);
  date.setUTCFullYear(y, mon - 1, d);
  date.setUTCHours(h, min, s, Math.trunc(Number(`0.${fraction}`) * 1000));
  // Date rolls over what does not exist (31 April); a person who wrote that should be told.
  const exists =
    date.getUTCFullYear() === y &&
    date.getUTCMonth() === mon - 1 &&
    date.getUTCDate() === d &&
    h <= 23 &&
    min <= 59 &&
    s <= 59;
  if (!exists) return invalid(text, 'names a day or time that does not exist');
  const time = date.getTime() - zoneOffset(zone);
  return isTime(time) ? { kind: 'time', time } : invalid(text, 'lies outside the calendar');
}

function zoneOffset(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 3_600_000 + Number(zone.slice(-2)) * 60_000);
}

function isUnit(text: string): text is TimeUnit {
  return (timeUnits as readonly string[]).includes(text);
}

function invalid(text: string, problem: string): TimeResult {
  return { kind: 'invalid', message: `'${text}' ${problem}. ${howToWrite}` };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
