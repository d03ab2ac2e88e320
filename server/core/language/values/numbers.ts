/**
 * Numbers of the language: JavaScript numbers for decimals and for integers up to 2^53, bigint for larger integers. The two never overlap:
 * an integer that a number holds exactly is always a number, so equal values have one representation.
 */
export type LqlNumber = number | bigint;

/** The one representation of an integer. */
export function normalizeInteger(value: bigint): LqlNumber {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
