/**
 * Texts of the service, of files and of rows, for places of VS Code that read more than text out of them. What is shown is what was
 * received; a zero-width space keeps the marks from being read, and characters that cannot be seen or turn the others around are spelled out.
 */

const zeroWidthSpace = '\u200b';

/** For labels of the status bar, of code lenses and of pickers, where `$(flame)` would become a picture. */
export function plainLabel(text: string): string {
  return visible(text).replaceAll('$(', `$${zeroWidthSpace}(`);
}

/** For notifications, where `[text](command:…)` would become a link that runs a command. */
export function plainMessage(text: string): string {
  return text.replaceAll('](', `]${zeroWidthSpace}(`);
}

/** Control characters and those that change the direction of writing, as `\u202e`; line breaks and tabs become spaces. */
function visible(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
