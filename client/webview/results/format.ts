/** Made once: without it every number costs as much as a row of the table. */
const counts = new Intl.NumberFormat();

/** `1,234` in the person's own way of writing numbers. */
export function formatCount(count: number): string {
  return counts.format(count);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `740 ms`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

let zone: 'utc' | 'local' = 'utc';

/** From now on windows are told in this zone. */
export function useTimeZone(next: 'utc' | 'local'): void {
  zone = next;
}

/** `2026-11-19 13:04 – 2026-11-20 13:04 UTC`, from ISO 8601 times; the date is not repeated within a day. */
export function formatWindow(start: string, end: string): string {
  const minute = (time: string): string => inZone(time).slice(0, 16).replace('T', ' ');
  const [first, last] = [minute(start), minute(end)];
  const short = first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last;
  return `${first} – ${short}${zone === 'utc' ? ' UTC' : ' local time'}`;
}

/** ISO 8601 as a clock of the zone would write it. */
function inZone(time: string): string {
  const date = new Date(time);
  return zone === 'utc' || Number.isNaN(date.getTime())
    ? time
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
}

/** Laying out a longer text would stop the view for seconds. */
const longestText = 100_000;

/** The text as far as it can be shown, and how much of it there is beyond that. */
export function cutText(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText)}…\n${formatCount(text.length - longestText)} more characters. Copy takes them all.`;
}
