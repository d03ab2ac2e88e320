/** What a character can begin: looked up for the 128 characters of ASCII. */
export const letterClass = 1;
export const digitClass = 2;
export const blankClass = 4;
export const asciiClasses = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  if (/[A-Za-z_]/.test(char)) asciiClasses[code] = letterClass;
  else if (/[0-9]/.test(char)) asciiClasses[code] = digitClass;
  else if (/\s/.test(char)) asciiClasses[code] = blankClass;
}

/** Typographic quotes, with the straight ones that they stand for. */
export const curlyQuotes: ReadonlyMap<number, string> = new Map([
  [0x2018, "'"],
  [0x2019, "'"],
  [0x201a, "'"],
  [0x201c, '"'],
  [0x201d, '"'],
  [0x201e, '"'],
]);

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordCharacter(code: number): boolean {
  return code < 128 ? ((asciiClasses[code] ?? 0) & (letterClass | digitClass)) !== 0 : isForeignLetter(code);
}

/** Letters outside ASCII: no name has them, but a person who writes one means a name. */
export function isForeignLetter(code: number): boolean {
  return (
    code >= 0xaa &&
    !isForeignBlank(code) &&
    !curlyQuotes.has(code) &&
    /[\p{L}\p{M}\p{N}]/u.test(String.fromCharCode(code))
  );
}

/** Blanks outside ASCII: no-break spaces, typographic spaces, byte order marks and zero-width characters, which come with copied text. */
export function isForeignBlank(code: number): boolean {
  return (
    code > 127 &&
    (code === 0xa0 ||
      code === 0x85 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200b) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x2060 ||
      code === 0x3000 ||
      code === 0xfeff)
  );
}

/** Whether nothing in the language begins with this character. */
export function isStray(code: number): boolean {
  if (code > 127) return !isForeignBlank(code) && !isForeignLetter(code) && !curlyQuotes.has(code);
  if (asciiClasses[code] !== 0) return false;
  return !/["'()*+,\-./:;<=>[\]{|}%!&`]/.test(String.fromCharCode(code));
}
