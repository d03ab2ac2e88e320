/** How much more a deep run does than `npm test`: 1 in an ordinary run, 20 with DEEP=1, another number with that. */
function factor(): number {
  const deep = process.env['DEEP'];
  if (deep === undefined || deep === '' || deep === '0') return 1;
  return deep === '1' ? 20 : Number(deep);
}

/**
 * How often a property is tried: the count of `npm test`, more in a deep run. A seed given as SEED is used instead of a random one, so that a
 * failure can be repeated.
 */
export function propertyRuns(ordinary = 500): { readonly numRuns: number; readonly seed?: number } {
  const seed = process.env['SEED'];
  return { numRuns: ordinary * factor(), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}

/** Milliseconds a property may take: an ordinary run takes a second or two, but the machine may be busy. */
export function propertyTimeout(): number {
  return 120_000 * factor();
}
