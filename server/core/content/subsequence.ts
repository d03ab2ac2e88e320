/** Above this many pairs no more is looked for than equal beginnings and ends. */
const maxPairs = 4_000_000;

/** For each line or word of `a` its counterpart in `b`, ascending: a longest common subsequence. */
export function longestSubsequence(a: readonly string[], b: readonly string[]): readonly (number | undefined)[] {
  const found: (number | undefined)[] = a.map(() => undefined);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) found[start] = start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) found[--endA] = --endB;
  const [height, width] = [endA - start, endB - start];
  if (height === 0 || width === 0 || height * width > maxPairs) return found;
  const lengths = new Uint16Array((height + 1) * (width + 1));
  const at = (i: number, j: number): number => lengths[i * (width + 1) + j] ?? 0;
  for (let i = height - 1; i >= 0; i--) {
    for (let j = width - 1; j >= 0; j--) {
      lengths[i * (width + 1) + j] =
        a[start + i] === b[start + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  for (let i = 0, j = 0; i < height && j < width; ) {
    if (a[start + i] === b[start + j]) found[start + i++] = start + j++;
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}
