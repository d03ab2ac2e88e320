/** Least-significant-digit radix sort of positions 0…count-1 by 32-bit words, the first word weighing least. Stable. */
export function* radixSort(count: number, words: readonly Uint32Array[]): Generator<undefined, Uint32Array> {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let next = new Uint32Array(count);
  const counts = new Uint32Array(65_536);
  for (const word of words) {
    for (const shift of [0, 16]) {
      counts.fill(0);
      for (let i = 0; i < count; i++) {
        const digit = ((word[i] ?? 0) >>> shift) & 0xffff;
        counts[digit] = (counts[digit] ?? 0) + 1;
      }
      // A digit that all rows share moves nothing.
      if (counts[((word[0] ?? 0) >>> shift) & 0xffff] === count) continue;
      let sum = 0;
      for (let digit = 0; digit < 65_536; digit++) {
        const here = counts[digit] ?? 0;
        counts[digit] = sum;
        sum += here;
      }
      for (let i = 0; i < count; i++) {
        const position = order[i] ?? 0;
        const digit = ((word[position] ?? 0) >>> shift) & 0xffff;
        const at = counts[digit] ?? 0;
        next[at] = position;
        counts[digit] = at + 1;
      }
      [order, next] = [next, order];
      yield;
    }
  }
  return order;
}

export function pick(rows: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = rows[order[i] ?? 0] ?? 0;
  return picked;
}

/** Rows whose short keys are equal are compared in full. Nulls share one key and are left as they are. */
export function fixTies(
  sorted: Uint32Array,
  order: Uint32Array,
  low: Uint32Array,
  high: Uint32Array,
  compare: (a: number, b: number) => number,
  descending: boolean,
  isNull: (row: number) => boolean,
): void {
  const sameKey = (a: number, b: number): boolean => {
    const x = order[a] ?? 0;
    const y = order[b] ?? 0;
    return low[x] === low[y] && high[x] === high[y];
  };
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sameKey(start, end)) end++;
    if (end - start > 1) {
      const run = Array.from(sorted.subarray(start, end));
      const nulls = run.filter(isNull);
      const rest = nulls.length === 0 ? run : run.filter((row) => !isNull(row));
      rest.sort(descending ? (a, b) => compare(b, a) : compare);
      sorted.set(rest, start);
      sorted.set(nulls, start + rest.length);
    }
    start = end;
  }
}
