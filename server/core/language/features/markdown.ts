/**
 * Markdown for hovers and completion documents. Names and descriptions come from a service and may hold anything, so every
 * piece of data goes through `escapeMarkdown` or `inlineCode`; only our own words are Markdown.
 */

/** `text` as plain words: no link, image, HTML, emphasis or heading can come out of it. Line ends become blanks. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n\u2028\u2029]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_{}[\]()#+\-.!|~$:/@]/g, '\\$&');
}

/** `text` as inline code, whatever backticks it holds. Line ends become blanks. */
export function inlineCode(text: string): string {
  const flat = text.replace(/[\r\n\u2028\u2029]+/g, ' ');
  if (flat === '') return '';
  let longest = 0;
  for (const [run] of flat.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}

/** A fenced block of LQL, fenced longer than any run of backticks inside. */
export function codeBlock(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}lql\n${text}\n${fence}`;
}

/** Our own Markdown as the words it says, for editors that show hovers and documentation as they come: no marks, escapes or fences. */
export function plainText(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      else lines.push(line);
      continue;
    }
    fence = /^(`{3,})lql$/.exec(line)?.[1];
    if (fence === undefined) lines.push(plainLine(line));
  }
  return lines.join('\n');
}

const marks = /\\([\\`*_{}[\]()#+\-.!|~$:/@])|(`+)(.+?)(?<!`)\2(?!`)|\*+|&(amp|lt|gt);/g;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

function plainLine(line: string): string {
  return line.replace(marks, (_, escaped?: string, _fence?: string, code?: string, entity?: string) => {
    if (escaped !== undefined) return escaped;
    if (code !== undefined) return /^ (?:`.*|.*`) $/.test(code) ? code.slice(1, -1) : code;
    return entity === undefined ? '' : (entities[entity] ?? '');
  });
}
