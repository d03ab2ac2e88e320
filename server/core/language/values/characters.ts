/**
 * Text by characters. JavaScript counts UTF-16 units; a character outside the basic plane takes two of them, so texts that hold such
 * characters are counted by code points. All others, nearly all, keep the fast way.
 */
export function hasSurrogates(text: string): boolean {
  return /[\ud800-\udfff]/.test(text);
}

export function characterCount(text: string): number {
  return hasSurrogates(text) ? Array.from(text).length : text.length;
}

/** The characters from `start` (0-based) up to `end`, both limited to the text. */
export function sliceCharacters(text: string, start: number, end: number): string {
  const from = Math.max(0, start);
  const to = Math.max(from, end);
  return hasSurrogates(text) ? Array.from(text).slice(from, to).join('') : text.slice(from, to);
}

/** The position (0-based, in characters) of the first occurrence at or after `start`; -1 when there is none. */
export function indexOfCharacters(text: string, search: string, start: number): number {
  if (!hasSurrogates(text)) return text.indexOf(search, start);
  const characters = Array.from(text);
  const skipped = characters.slice(0, start).join('').length;
  const found = text.indexOf(search, skipped);
  return found < 0 ? -1 : characterCount(text.slice(0, found));
}
