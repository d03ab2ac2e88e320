import {
  addTrigrams,
  closeGroup,
  createSignature,
  createTrigramIndex,
  groupsWith,
  type TrigramIndex,
} from './trigrams.ts';

/**
 * Many texts held as few: the texts of a block of rows stand behind each other in one string, and a table says where each ends.
 * A text costs its characters and four bytes, where an array of strings costs some thirty bytes more; and a block is searched in one go.
 */
export interface TextBlocks {
  /** The texts of `blockRows` rows each, from the first row on. */
  readonly blocks: string[];
  /** Where each row's text ends in its block. Longer than the rows there are: it grows in leaps. */
  ends: Uint32Array;
  /** Bit `row` is set where the row is null; undefined while none is. */
  nulls: Uint8Array | undefined;
  /** Texts too long to be copied into a block, which holds nothing for them. */
  readonly long: Map<number, string>;
  /** Rows behind the last full block. */
  readonly open: string[];
  length: number;
  /** Made behind the last text; undefined again with the next one. */
  ranks: TextRanks | undefined;
  /** Of the rows of full blocks, in groups; made behind the last text like the ranks. */
  trigrams: TrigramIndex | undefined;
}

/** How the texts of a column stand to each other. */
export interface TextRanks {
  /** The rank of each row's text among the different ones, from 0; 0xffffffff for null. */
  readonly ranks: Uint32Array;
  readonly distinct: number;
}

const blockShift = 12;
const blockRows = 1 << blockShift;
const inBlock = blockRows - 1;
/** Rows of a group of the trigram index: 64 texts of the benchmark's columns have 260 to 1,200 of the 4,096 hashes. */
const groupShift = 6;
const groupsPerBlock = 1 << (blockShift - groupShift);
/** UTF-16 units. Bounds a block to 64 million, far below what a string may hold. */
const longText = 16_384;

export function emptyTexts(capacity = 0): TextBlocks {
  return {
    blocks: [],
    ends: new Uint32Array(capacity),
    nulls: undefined,
    long: new Map(),
    open: [],
    length: 0,
    ranks: undefined,
    trigrams: undefined,
  };
}

/** Appends one text; `undefined` is null. */
export function pushText(texts: TextBlocks, text: string | undefined): void {
  const row = texts.length;
  if (row >= texts.ends.length) texts.ends = grown(texts.ends, row);
  let held = '';
  if (text === undefined) setNull(texts, row);
  else if (text.length > longText) texts.long.set(row, text);
  else held = text;
  texts.ends[row] = startOf(texts, row) + held.length;
  texts.open.push(held);
  texts.length = row + 1;
  texts.ranks = undefined;
  texts.trigrams = undefined;
  if (texts.open.length === blockRows) {
    texts.blocks.push(texts.open.join(''));
    texts.open.length = 0;
  }
}

function grown(ends: Uint32Array, length: number): Uint32Array {
  const larger = new Uint32Array(Math.max(64, Math.min(length * 2, length + 1_000_000)));
  larger.set(ends);
  return larger;
}

function setNull(texts: TextBlocks, row: number): void {
  const index = row >> 3;
  if (texts.nulls === undefined || index >= texts.nulls.length) {
    const larger = new Uint8Array((Math.max(texts.ends.length, row + 1) >> 3) + 1);
    if (texts.nulls) larger.set(texts.nulls);
    texts.nulls = larger;
  }
  texts.nulls[index] = (texts.nulls[index] ?? 0) | (1 << (row & 7));
}

export function isNullText({ nulls }: TextBlocks, row: number): boolean {
  return nulls !== undefined && ((nulls[row >> 3] ?? 0) & (1 << (row & 7))) !== 0;
}

/** The row's text; `undefined` for null. */
export function textAt(texts: TextBlocks, row: number): string | undefined {
  if (row >= texts.length || isNullText(texts, row)) return undefined;
  if (texts.long.size > 0) {
    const text = texts.long.get(row);
    if (text !== undefined) return text;
  }
  const block = texts.blocks[row >>> blockShift];
  return block === undefined ? texts.open[row & inBlock] : block.slice(startOf(texts, row), texts.ends[row]);
}

/** Where the row's text begins in its block. */
function startOf({ ends }: TextBlocks, row: number): number {
  return (row & inBlock) === 0 ? 0 : (ends[row - 1] ?? 0);
}

/** Makes the index of the texts in full blocks; each `next()` looks at one group. Nothing is kept where texts were added meanwhile. */
export function* indexTrigrams(texts: TextBlocks): Generator<undefined, void> {
  const { blocks, length, ends } = texts;
  const index = createTrigramIndex(blocks.length * groupsPerBlock);
  const signature = createSignature();
  for (let group = 0; group < index.groups; group++) {
    const block = blocks[group >>> (blockShift - groupShift)] ?? '';
    for (let row = group << groupShift; row < (group + 1) << groupShift; row++)
      addTrigrams(signature, block, startOf(texts, row), ends[row] ?? 0);
    closeGroup(index, group, signature);
    yield;
  }
  if (texts.length === length) texts.trigrams = index;
}

/**
 * Sets `hits[row]` where the row's text contains `needle`, without case and without a look at each row: what may hold it is searched whole,
 * groups of rows with the needle's trigrams, or blocks. A match that spans two rows is none. A generator: each `next()` searches a bounded
 * number of blocks.
 */
export function* markContaining(texts: TextBlocks, needle: string, hits: Uint8Array): Generator<undefined, void> {
  const find = finderOf(needle);
  const { ends } = texts;
  const groups = texts.trigrams && groupsWith(texts.trigrams, needle);
  const mayHold = (group: number): boolean => ((groups?.[group >>> 5] ?? -1) & (1 << (group & 31))) !== 0;
  /** Searches the rows from `first` to before `end`, all of one block. */
  const search = (block: string, first: number, end: number): void => {
    const begin = startOf(texts, first);
    const part = end - first === blockRows ? block : block.slice(begin, ends[end - 1]);
    let row = first;
    for (let start = find(part, 0); start >= 0; ) {
      while ((ends[row] ?? 0) <= begin + start) row++;
      const rowEnd = (ends[row] ?? 0) - begin;
      if (start + needle.length <= rowEnd) hits[row] = 1;
      // Found or not, nothing more of this row matters: a match that ends behind it leaves no room for another one in it.
      start = find(part, rowEnd);
    }
  };
  for (const [index, block] of texts.blocks.entries()) {
    const last = (index + 1) * groupsPerBlock;
    for (let group = index * groupsPerBlock; group < last; group++) {
      const first = group;
      while (group < last && mayHold(group)) group++;
      if (group > first) search(block, first << groupShift, group << groupShift);
    }
    if (index % 16 === 15) yield;
  }
  if (texts.open.length > 0) search(texts.open.join(''), texts.blocks.length << blockShift, texts.length);
  const single = literalPattern(needle, 'i');
  for (const [row, text] of texts.long) if (single.test(text)) hits[row] = 1;
}

/** Where the needle stands first in the text, from a place on; −1 where it does not. */
type Finder = (text: string, from: number) => number;

/** Places looked at in vain until the matcher of patterns is the faster way. */
const vainLooks = 20_000;

/**
 * Digits and signs have no case, so the longest run of them in the needle is looked for by the platform's search for exact texts, which
 * takes a quarter of the time of its matcher of patterns; the rest is compared where the run stands. A needle without such a run, one that
 * is not ASCII, and a run that stands nearly everywhere are left to the matcher.
 */
function finderOf(needle: string): Finder {
  const pattern = literalPattern(needle, 'gi');
  // Patterns are interpreted when first used, and compiled from the second time on.
  pattern.test('');
  const byPattern: Finder = (text, from) => {
    pattern.lastIndex = from;
    return pattern.test(text) ? pattern.lastIndex - needle.length : -1;
  };
  const run = longestCaselessRun(needle);
  if (run.length < 2 || !ascii.test(needle)) return byPattern;
  const before = needle.indexOf(run);
  const lower = Uint8Array.from(needle.toLowerCase(), (unit) => unit.charCodeAt(0));
  const upper = Uint8Array.from(needle.toUpperCase(), (unit) => unit.charCodeAt(0));
  const standsAt = (text: string, start: number): boolean => {
    for (let at = 0; at < lower.length; at++) {
      const unit = text.charCodeAt(start + at);
      if (unit !== lower[at] && unit !== upper[at]) return false;
    }
    return true;
  };
  let vain = 0;
  return (text, from) => {
    for (let at = from + before; vain < vainLooks; vain++) {
      const found = text.indexOf(run, at);
      if (found < 0) return -1;
      if (standsAt(text, found - before)) return found - before;
      at = found + 1;
    }
    return byPattern(text, from);
  };
}

const ascii = /^[\x00-\x7f]*$/;

/** ASCII without letters. */
function longestCaselessRun(needle: string): string {
  return needle
    .split(/[^\x00-\x40\x5b-\x60\x7b-\x7f]+/)
    .reduce((best, run) => (run.length > best.length ? run : best), '');
}

/**
 * Finds the text itself, without case. An escaped literal has no repetition, so the platform's matcher is linear in it, and far faster than
 * lower-casing each cell. Case folds unit by unit, so what it finds is as long as the needle.
 */
export function literalPattern(needle: string, flags: 'i' | 'gi'): RegExp {
  return new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), flags);
}

/** The first units of texts, for sorting: where each text's own part begins, and what stands there. */
export interface TextHeads {
  /** Units that all the texts share. */
  readonly skip: number;
  /** Whether the eight units behind them are ASCII in all texts. */
  readonly narrow: boolean;
}

/** Looks at the texts of `rows`; nulls count for nothing. */
export function headsOf(texts: TextBlocks, rows: Uint32Array): TextHeads {
  let prefix: string | undefined;
  for (const row of rows) {
    if (isNullText(texts, row)) continue;
    if (prefix === undefined) {
      prefix = textAt(texts, row) ?? '';
      continue;
    }
    let same = 0;
    while (same < prefix.length && unitAt(texts, row, same) === prefix.charCodeAt(same)) same++;
    if (same < prefix.length) prefix = prefix.slice(0, same);
    if (same === 0) break;
  }
  const skip = prefix?.length ?? 0;
  return { skip, narrow: isNarrow(texts, rows, skip) };
}

function isNarrow(texts: TextBlocks, rows: Uint32Array, skip: number): boolean {
  for (const row of rows) for (let at = skip; at < skip + 8; at++) if (unitAt(texts, row, at) > 127) return false;
  return true;
}

/** The UTF-16 unit of the row's text at `at`; 0 behind its end, and for null. */
export function unitAt(texts: TextBlocks, row: number, at: number): number {
  const block = texts.blocks[row >>> blockShift];
  if (block === undefined || texts.long.size > 0) {
    const text = textAt(texts, row) ?? '';
    return at < text.length ? text.charCodeAt(at) : 0;
  }
  const position = startOf(texts, row) + at;
  return position < (texts.ends[row] ?? 0) ? block.charCodeAt(position) : 0;
}

/** Bytes held: one a unit (two where a block has others than Latin-1, which is not looked for), four a row, four more for its rank, and eight for its trigrams. */
export function textBytes(texts: TextBlocks): number {
  let bytes = texts.ends.byteLength + (texts.nulls?.byteLength ?? 0) + (texts.ranks?.ranks.byteLength ?? 0);
  bytes += texts.trigrams?.bits.byteLength ?? 0;
  for (const block of texts.blocks) bytes += block.length;
  for (const text of texts.open) bytes += 24 + text.length;
  for (const text of texts.long.values()) bytes += 64 + text.length;
  return bytes;
}
