/** The names that a message of the service quotes, in its order. */
export function quotedNames(message: string): readonly string[] {
  return [...message.matchAll(/['"`]([A-Za-z_$][\w$.:]{0,200})['"`]/g)].map(([, name = '']) => name);
}

/** Where `word` stands by itself, not as a part of a longer name; -1 when it does not. */
export function indexOfWord(text: string, word: string): number {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\w$]/.test(character);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + word.length])) return at;
  }
  return -1;
}
