import { parse } from '../../language/syntax/parse.ts';

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** More steps than this are not taken to find what two texts have in common; the changed middle is then replaced as a whole. */
const maxSteps = 4_000_000;

/**
 * `text` with the tokens of `wanted`: what both have stays as it is written in `text`, with its comments and its layout, and only what
 * differs is taken over. The service keeps queries without comments, on one line; nobody wants that back into a file.
 */
export function graftQuery(text: string, wanted: string): string {
  const here = wordsOf(text);
  const there = wordsOf(wanted);
  if (here.length === 0 || there.length === 0) return wanted;
  const pairs = commonWords(here, there);
  let result = text.slice(0, here[0]?.start);
  let [at, from] = [0, 0];
  const takeOver = (toHere: number, toThere: number): void => {
    const [first, last] = [there[from], there[toThere - 1]];
    const inserted = first && last && from < toThere ? wanted.slice(first.start, last.end) : '';
    const [oldFirst, oldLast] = [here[at], here[toHere - 1]];
    if (at < toHere && oldFirst && oldLast) {
      result += inserted;
      // Comments between what was replaced say something that may still hold.
      result += commentsIn(text, oldFirst, oldLast, inserted !== '');
      result += text.slice(oldLast.end, here[toHere]?.start ?? text.length);
    } else if (inserted !== '') result += `${/\s$/.test(result) || result === '' ? '' : ' '}${inserted} `;
  };
  for (const [inHere, inThere] of [...pairs, [here.length, there.length] as const]) {
    takeOver(inHere, inThere);
    const word = here[inHere];
    if (word) result += text.slice(word.start, here[inHere + 1]?.start ?? text.length);
    [at, from] = [inHere + 1, inThere + 1];
  }
  return result;
}

function wordsOf(text: string): Word[] {
  return parse(text).tokens.map(({ start, end }) => ({ text: text.slice(start, end), start, end }));
}

function commentsIn(text: string, first: Word, last: Word, spaced: boolean): string {
  const kept = parse(text)
    .comments.filter(({ range }) => range.start > first.start && range.end < last.end)
    .map(({ range }) => text.slice(range.start, range.end).trimEnd());
  return kept.map((comment) => `${spaced ? ' ' : ''}${comment}${/^(?:--|\/\/)/.test(comment) ? '\n' : ' '}`).join('');
}

/** Places of words that both have, ascending: the longest common subsequence behind equal starts and before equal ends. */
function commonWords(a: readonly Word[], b: readonly Word[]): (readonly [number, number])[] {
  const same = (i: number, j: number): boolean => a[i]?.text === b[j]?.text;
  let start = 0;
  while (start < a.length && start < b.length && same(start, start)) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && same(endA - 1, endB - 1)) {
    endA--;
    endB--;
  }
  const pairs: [number, number][] = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  const [height, width] = [endA - start, endB - start];
  if (height > 0 && width > 0 && height * width <= maxSteps) {
    const lengths = new Uint16Array((height + 1) * (width + 1));
    const at = (i: number, j: number): number => lengths[i * (width + 1) + j] ?? 0;
    for (let i = height - 1; i >= 0; i--) {
      for (let j = width - 1; j >= 0; j--) {
        lengths[i * (width + 1) + j] = same(start + i, start + j)
          ? at(i + 1, j + 1) + 1
          : Math.max(at(i + 1, j), at(i, j + 1));
      }
    }
    for (let i = 0, j = 0; i < height && j < width; ) {
      if (same(start + i, start + j)) pairs.push([start + i++, start + j++]);
      else if (at(i + 1, j) >= at(i, j + 1)) i++;
      else j++;
    }
  }
  for (let index = 0; index < a.length - endA; index++) pairs.push([endA + index, endB + index]);
  return pairs;
}
