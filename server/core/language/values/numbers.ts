/**
 * Numbers of the language: JavaScript numbers for decimals and for integers up to 2^53, bigint for larger integers. The two never overlap:
 * an integer that a number holds exactly is always a number, so equal integers have one representation.
 */
export type LqlNumber = number | bigint;

/** Integers stay exact up to 38 digits, as in the service's decimal type; larger ones become doubles, which also bounds their memory. */
const maxDigits = 38;
const largestInteger = 10n ** BigInt(maxDigits);

/** The one representation of an integer. */
export function normalizeInteger(value: bigint): LqlNumber {
  if (value >= -9007199254740991n && value <= 9007199254740991n) return Number(value);
  return value > -largestInteger && value < largestInteger ? value : Number(value);
}

/**
 * Reads a decimal number: optional sign, digits with an optional point, optional exponent, blanks around. Integers are exact.
 * Undefined when the text is anything else (hexadecimal, `Infinity`, an empty text).
 */
export function parseNumber(text: string): LqlNumber | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  if (Number.isSafeInteger(value) && trimmed.length <= 15) return value === 0 ? 0 : value;
  if (/^[+-]?\d+$/.test(trimmed) && trimmed.length <= maxDigits + 1) {
    return normalizeInteger(BigInt(trimmed.startsWith('+') ? trimmed.slice(1) : trimmed));
  }
  return finite(value);
}

/** The text of a number without an exponent for integers; decimals as JavaScript writes them, the shortest text that reads back equal. */
export function numberText(value: LqlNumber): string {
  if (typeof value === 'bigint') return value.toString();
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
}

/** Negative, zero or positive. Exact between the two representations. */
export function compareNumbers(a: LqlNumber, b: LqlNumber): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function add(a: LqlNumber, b: LqlNumber): LqlNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum) || !Number.isInteger(a) || !Number.isInteger(b)) return finite(sum);
  }
  return exactly(a, b, (x, y) => x + y) ?? finite(Number(a) + Number(b));
}

export function subtract(a: LqlNumber, b: LqlNumber): LqlNumber | undefined {
  return add(a, negate(b));
}

export function multiply(a: LqlNumber, b: LqlNumber): LqlNumber | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product) || !Number.isInteger(a) || !Number.isInteger(b)) return finite(product);
  }
  return exactly(a, b, (x, y) => x * y) ?? finite(Number(a) * Number(b));
}

/** The quotient: an exact integer where there is one, else a decimal. Division by zero has no value. */
export function divide(a: LqlNumber, b: LqlNumber): LqlNumber | undefined {
  if (isZero(b)) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return finite(a / b);
  return exactly(a, b, (x, y) => (x % y === 0n ? x / y : undefined)) ?? finite(Number(a) / Number(b));
}

/** The remainder, with the sign of the dividend; none for a divisor of zero. */
export function modulo(a: LqlNumber, b: LqlNumber): LqlNumber | undefined {
  if (isZero(b)) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return finite(a % b);
  return exactly(a, b, (x, y) => x % y) ?? finite(Number(a) % Number(b));
}

export function negate(value: LqlNumber): LqlNumber {
  return isZero(value) ? 0 : -value;
}

export function absolute(value: LqlNumber): LqlNumber {
  return value < 0 ? negate(value) : value;
}

/** A text that two numbers share exactly when they are equal. */
export function numberKey(value: LqlNumber): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return BigInt(value).toString();
  return value === 0 ? '0' : String(value);
}

function isZero(value: LqlNumber): boolean {
  return value === 0 || value === 0n;
}

/** Integer arithmetic without loss; undefined when an operand is not an integer or the operation has no integer result. */
function exactly(
  a: LqlNumber,
  b: LqlNumber,
  operation: (x: bigint, y: bigint) => bigint | undefined,
): LqlNumber | undefined {
  if (!isInteger(a) || !isInteger(b)) return undefined;
  const result = operation(BigInt(a), BigInt(b));
  if (result === undefined) return undefined;
  const number = normalizeInteger(result);
  return number === Number.POSITIVE_INFINITY || number === Number.NEGATIVE_INFINITY ? undefined : number;
}

function isInteger(value: LqlNumber): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** Infinity and NaN are no values of the language; minus zero is zero; a whole number keeps the one representation of integers. */
function finite(value: number): LqlNumber | undefined {
  if (!Number.isFinite(value)) return undefined;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return normalizeInteger(BigInt(value));
}
