const steps = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
] as const;

/** `3 hours ago`; `time` is ISO 8601, `now` milliseconds since 1970. A time that cannot be read is shown as it is. */
export function since(time: string, now: number): string {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return time;
  let amount = Math.max(0, (now - then) / 1000);
  for (const [size, unit] of steps) {
    if (amount < size) {
      const count = Math.floor(amount);
      return unit === 'second' ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`;
    }
    amount /= size;
  }
  return time;
}
