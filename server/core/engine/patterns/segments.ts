import { hasSurrogates } from '../../language/values/characters.ts';

/** A test of a whole text. */
export type TextTest = (text: string) => boolean;

/**
 * A pattern of literal text, `anyOne` (exactly one character) and `anyMany` (any number of characters): what LIKE patterns are, and what most
 * regular expressions in queries come down to.
 */
export type PatternPart = string | typeof anyOne | typeof anyMany;
export const anyOne = Symbol('any one character');
export const anyMany = Symbol('any number of characters');

/** Text between two runs of `anyMany`. `wild[i]` is true where any character stands; `text` has a filler there. */
interface Segment {
  readonly text: string;
  readonly wild: readonly boolean[] | undefined;
}

/**
 * Compiles a pattern to a test that reads the text once for each segment at most: leftmost matches are enough, because what follows a segment
 * starts after any number of characters. `general` answers the rare texts whose characters are not all one UTF-16 unit long.
 */
export function segmentsTest(parts: readonly PatternPart[], general: () => TextTest): TextTest {
  const segments = toSegments(parts);
  const first = segments[0] as Segment;
  const last = segments.at(-1) as Segment;
  const fast = segments.length === 1 ? wholeTest(first) : betweenTest(first, segments.slice(1, -1), last);
  if (segments.every((segment) => segment.wild === undefined)) return fast;
  let slow: TextTest | undefined;
  return (text) => {
    if (!hasSurrogates(text)) return fast(text);
    slow ??= general();
    return slow(text);
  };
}

function toSegments(parts: readonly PatternPart[]): Segment[] {
  const segments: Segment[] = [];
  let text = '';
  let wild: boolean[] = [];
  const close = (): void => {
    segments.push({ text, wild: wild.includes(true) ? wild : undefined });
    text = '';
    wild = [];
  };
  for (const part of parts) {
    if (part === anyMany) {
      close();
    } else if (part === anyOne) {
      text += '\0';
      wild.push(true);
    } else {
      text += part;
      for (let index = 0; index < part.length; index++) wild.push(false);
    }
  }
  close();
  return segments;
}

function wholeTest(segment: Segment): TextTest {
  const { text: literal, wild } = segment;
  if (wild === undefined) return (text) => text === literal;
  return (text) => text.length === literal.length && matchesAt(segment, text, 0);
}

function betweenTest(first: Segment, middle: readonly Segment[], last: Segment): TextTest {
  const between = middle.filter((segment) => segment.text !== '');
  const only = between.length === 1 ? between[0] : undefined;
  if (only !== undefined && only.wild === undefined && first.text === '' && last.text === '') {
    const literal = only.text;
    return (text) => text.includes(literal);
  }
  const shortest = first.text.length + last.text.length;
  return (text) => {
    const limit = text.length - last.text.length;
    if (text.length < shortest || !matchesAt(first, text, 0) || !matchesAt(last, text, limit)) return false;
    let position = first.text.length;
    for (const segment of between) {
      const found = find(segment, text, position, limit);
      if (found < 0) return false;
      position = found + segment.text.length;
    }
    return true;
  };
}

/** The caller has made sure that the segment fits. */
function matchesAt(segment: Segment, text: string, position: number): boolean {
  const { text: literal, wild } = segment;
  if (wild === undefined) return literal === '' || text.startsWith(literal, position);
  for (let index = 0; index < literal.length; index++) {
    if (!wild[index] && text.charCodeAt(position + index) !== literal.charCodeAt(index)) return false;
  }
  return true;
}

function find(segment: Segment, text: string, start: number, limit: number): number {
  const { text: literal, wild } = segment;
  const end = limit - literal.length;
  if (wild === undefined) {
    const found = text.indexOf(literal, start);
    return found >= 0 && found <= end ? found : -1;
  }
  for (let position = start; position <= end; position++) if (matchesAt(segment, text, position)) return position;
  return -1;
}
