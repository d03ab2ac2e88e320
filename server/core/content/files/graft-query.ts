import { parse } from '../../language/syntax/parse.ts';
import { longestSubsequence } from '../subsequence.ts';

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * `text` with the tokens of `wanted`: what both have stays as it is written in `text`, with its comments and its layout, and only what
 * differs is taken over. The service keeps queries without comments, on one line; nobody wants that back into a file.
 */
export function graftQuery(text: string, wanted: string): string {
  const here = wordsOf(text);
  const there = wordsOf(wanted);
  if (here.length === 0 || there.length === 0) return wanted;
  const pairs = longestSubsequence(here.map(written), there.map(written)).flatMap((inThere, inHere) =>
    inThere === undefined ? [] : [[inHere, inThere] as const],
  );
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

const written = ({ text }: Word): string => text;

function commentsIn(text: string, first: Word, last: Word, spaced: boolean): string {
  const kept = parse(text)
    .comments.filter(({ range }) => range.start > first.start && range.end < last.end)
    .map(({ range }) => text.slice(range.start, range.end).trimEnd());
  return kept.map((comment) => `${spaced ? ' ' : ''}${comment}${/^(?:--|\/\/)/.test(comment) ? '\n' : ' '}`).join('');
}
