/** Names longer than this are never compared by distance: the rows of the table below are allocated once, for this width. */
const maxLength = 160;

let previous = new Uint16Array(maxLength + 2);
let current = new Uint16Array(maxLength + 2);
let beforePrevious = new Uint16Array(maxLength + 2);

/**
 * Edit distance (insert, delete, replace, swap of neighbours) of two strings, or `limit + 1` as soon as it is known to exceed `limit`.
 * Costs O(length × limit); common ends are skipped first because names of one family share long prefixes.
 */
export function boundedDistance(a: string, b: string, limit: number): number {
  const tooFar = limit + 1;
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > limit || a.length > maxLength || b.length > maxLength) return tooFar;
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  const rows = endA - start;
  const columns = endB - start;
  if (rows === 0 || columns === 0) return Math.min(rows + columns, tooFar);
  for (let j = 0; j <= columns; j++) previous[j] = j;
  for (let i = 1; i <= rows; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(columns, i + limit);
    current[0] = i;
    if (from > 1) current[from - 1] = tooFar;
    let best = from === 1 ? i : tooFar;
    const codeA = a.charCodeAt(start + i - 1);
    const codeBeforeA = i > 1 ? a.charCodeAt(start + i - 2) : -1;
    for (let j = from; j <= to; j++) {
      const codeB = b.charCodeAt(start + j - 1);
      const above = j > i + limit - 1 ? tooFar : (previous[j] ?? tooFar);
      let value = Math.min(
        (previous[j - 1] ?? tooFar) + (codeA === codeB ? 0 : 1),
        above + 1,
        (current[j - 1] ?? tooFar) + 1,
      );
      if (j > 1 && codeA === b.charCodeAt(start + j - 2) && codeBeforeA === codeB) {
        value = Math.min(value, (beforePrevious[j - 2] ?? tooFar) + 1);
      }
      current[j] = value;
      if (value < best) best = value;
    }
    if (best > limit) return tooFar;
    const recycled = beforePrevious;
    beforePrevious = previous;
    previous = current;
    current = recycled;
  }
  return Math.min(previous[columns] ?? tooFar, tooFar);
}

/** How many edits a slip of the keyboard may take: none in names too short to tell, four in the long names of datasources. */
export function distanceLimit(length: number): number {
  if (length <= 2) return 0;
  if (length <= 5) return 1;
  if (length <= 9) return 2;
  return length <= 20 ? 3 : 4;
}

/**
 * The candidates most like `wanted`, best first: one that differs in case alone comes first and alone; then by edit distance.
 * Meant for lists of up to some hundred names; the index of a catalog (`suggestDatasources`) serves the thousands.
 */
export function nearestNames(wanted: string, candidates: Iterable<string>, count = 3): readonly string[] {
  const lower = wanted.toLowerCase();
  const limit = distanceLimit(lower.length);
  const found: { name: string; distance: number }[] = [];
  for (const name of candidates) {
    const candidate = name.toLowerCase();
    if (candidate === lower) return [name];
    const distance = boundedDistance(lower, candidate, limit);
    if (distance <= limit) found.push({ name, distance });
  }
  found.sort((x, y) => x.distance - y.distance || (x.name < y.name ? -1 : 1));
  // A name much farther away than the best one is no help beside it.
  const best = found[0]?.distance ?? 0;
  return found
    .filter((entry) => entry.distance <= best + 1)
    .slice(0, count)
    .map((entry) => entry.name);
}
