/** A small seeded generator: the same seed gives the same sample account on every machine and every run. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A uniform integer, both ends included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** `length` lower-case hexadecimal digits. */
  hex(length: number): string;
  /** `length` upper-case letters and digits, as cloud providers form their ids. */
  token(length: number): string;
  /** A positive 63-bit integer: exact as bigint, most of them beyond 2^53. */
  hash(): bigint;
}

/** sfc32 over four words mixed from the seed text. */
export function createRandom(seed: string): Random {
  let [a, b, c, d] = mixSeed(seed);
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) word();

  const next = (): number => word() / 4294967296;
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('Cannot pick from an empty list.');
    return item;
  };
  const letters = (length: number, alphabet: string): string => {
    let text = '';
    for (let index = 0; index < length; index++) text += alphabet.charAt(Math.floor(next() * alphabet.length));
    return text;
  };
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick,
    hex: (length) => letters(length, '0123456789abcdef'),
    token: (length) => letters(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
    hash: () => (BigInt(word() & 0x7fffffff) << 32n) | BigInt(word()),
  };
}

function mixSeed(seed: string): [number, number, number, number] {
  let h1 = 1779033703;
  let h2 = 3144134277;
  let h3 = 1013904242;
  let h4 = 2773480762;
  for (let index = 0; index < seed.length; index++) {
    const code = seed.charCodeAt(index);
    h1 = h2 ^ Math.imul(h1 ^ code, 597399067);
    h2 = h3 ^ Math.imul(h2 ^ code, 2869860233);
    h3 = h4 ^ Math.imul(h3 ^ code, 951274213);
    h4 = h1 ^ Math.imul(h4 ^ code, 2716044179);
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067);
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233);
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213);
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179);
  return [h1 | 0, h2 | 0, h3 | 0, h4 | 0];
}
