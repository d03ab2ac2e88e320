/**
 * Tells groups of texts that hold a needle's runs of three characters from those that do not, without a look at the texts: of 100,000 rows a
 * rare needle leaves a twelfth to search. A run is a bit of a hash, so a group may be said to hold what it does not, never the other way
 * round. Letters count without case. Runs with other characters than ASCII's are left out, of texts and of needles.
 */
export interface TrigramIndex {
  readonly groups: number;
  /** 32 groups each: a bit for each group, and one behind the other for each hash, so that a question reads few places. */
  readonly bits: Uint32Array;
  /** Words of `bits` for one hash. */
  readonly words: number;
}

const hashBits = 12;
const hashes = 1 << hashBits;
/** Three characters of seven bits. */
const runMask = 0x1f_ffff;

const hashOf = (run: number): number => Math.imul(run, 0x9e37_79b1) >>> (32 - hashBits);

export function createTrigramIndex(groups: number): TrigramIndex {
  const words = Math.ceil(groups / 32);
  return { groups, words, bits: new Uint32Array(words * hashes) };
}

/** The hashes that one group's texts have; filled by `addTrigrams`, put away by `closeGroup`. */
export const createSignature = (): Uint8Array => new Uint8Array(hashes);

/** Adds the runs that stand in `text` from `start` to `end`. */
export function addTrigrams(signature: Uint8Array, text: string, start: number, end: number): void {
  let run = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127) {
      length = 0;
      continue;
    }
    run = ((run << 7) | (unit >= 65 && unit <= 90 ? unit + 32 : unit)) & runMask;
    if (++length >= 3) signature[hashOf(run)] = 1;
  }
}

/** Writes down what the group has, and empties the signature for the next one. */
export function closeGroup({ bits, words }: TrigramIndex, group: number, signature: Uint8Array): void {
  const word = group >>> 5;
  const bit = 1 << (group & 31);
  for (let hash = 0; hash < hashes; hash++) {
    if (signature[hash] === 0) continue;
    const at = hash * words + word;
    bits[at] = (bits[at] ?? 0) | bit;
  }
  signature.fill(0);
}

/** A bit for each group that may hold the needle; undefined where the needle has no run that could tell. */
export function groupsWith({ bits, words }: TrigramIndex, needle: string): Uint32Array | undefined {
  const wanted = createSignature();
  addTrigrams(wanted, needle, 0, needle.length);
  let found: Uint32Array | undefined;
  for (let hash = wanted.indexOf(1); hash >= 0; hash = wanted.indexOf(1, hash + 1)) {
    const row = bits.subarray(hash * words, (hash + 1) * words);
    if (!found) found = row.slice();
    else for (let word = 0; word < words; word++) found[word] = (found[word] ?? 0) & (row[word] ?? 0);
  }
  return found;
}
