/**
 * How often a property is tried: the count of `npm test`, multiplied for the deep run (`DEEP=1`; another number multiplies by it). A seed
 * given as SEED is used instead of a random one, so that a failure can be repeated.
 */
export function propertyRuns(ordinary = 500): { readonly numRuns: number; readonly seed?: number } {
  const deep = process.env['DEEP'];
  const factor = deep === undefined || deep === '' || deep === '0' ? 1 : deep === '1' ? 20 : Number(deep);
  const seed = process.env['SEED'];
  return { numRuns: ordinary * factor, ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
