/** Milliseconds of a time written exactly as the service writes it, `yyyy-MM-ddTHH:mm:ss.SSSZ`; `undefined` for every other text. */
export function parseIsoTime(text: string): number | undefined {
  if (text.length !== 24 || text.charCodeAt(10) !== 84 || text.charCodeAt(23) !== 90) return undefined;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(13) !== 58) return undefined;
  if (text.charCodeAt(16) !== 58 || text.charCodeAt(19) !== 46) return undefined;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const millisecond = digits(text, 20, 3);
  // A field that is not a number makes the whole sum NaN. Year 0–99 would be read as 19xx by Date.UTC.
  if (!(month >= 1 && month <= 12 && day >= 1 && hour < 24 && minute < 60 && second < 60 && year >= 100))
    return undefined;
  if (!(day <= daysInMonth(year, month))) return undefined;
  const time = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  return Number.isNaN(time) ? undefined : time;
}

/** The inverse of `parseIsoTime`. */
export function formatIsoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function digits(text: string, start: number, count: number): number {
  let value = 0;
  for (let i = start; i < start + count; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
