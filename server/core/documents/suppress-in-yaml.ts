import { resourceCodes } from '../language/diagnostics/codes/resource-codes.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { applySuppressions } from '../language/lint/suppressions.ts';
import type { TextEdit } from '../text/edits.ts';
import type { TextRange } from '../text/range.ts';
import type { Region } from './region.ts';

const mark = 'lql-disable';

/** A file that cannot be read has no comments either. */
const knownCodes: ReadonlySet<string> = new Set(
  Object.keys(resourceCodes).filter((code) => code !== 'unreadable-file'),
);

const noCodes: ReadonlySet<string> = new Set();

/**
 * Takes out what comments of a YAML document silence of the findings about its objects: `# lql-disable-next-line code: reason`. The queries in
 * it have comments of their own.
 */
export function suppressInYaml(
  document: string,
  diagnostics: readonly Diagnostic[],
  regions: readonly Region[],
): readonly Diagnostic[] {
  if (!document.includes(mark)) return diagnostics;
  const comments: { readonly range: TextRange }[] = [];
  const tokens: { readonly start: number }[] = [];
  for (const { start, end } of linesOf(document)) {
    const line = document.slice(start, end);
    const first = line.search(/\S/);
    if (first < 0) continue;
    const comment = /(?:^|\s)#/.exec(line);
    const at = start + (comment === null ? line.length : comment.index + comment[0].length - 1);
    const isInQuery = regions.some(({ map: { outer } }) => outer.start < at && at < outer.end);
    if (comment !== null && !isInQuery && line.includes(mark)) comments.push({ range: { start: at, end } });
    if (at > start + first) tokens.push({ start: start + first });
  }
  if (comments.length === 0) return diagnostics;
  return applySuppressions({ text: document, comments, tokens }, diagnostics, knownCodes, noCodes, '#');
}

/** The comment that silences a finding, above the line it stands on. */
export function silenceInYaml(document: string, { code, range }: Diagnostic): TextEdit | undefined {
  if (!knownCodes.has(code)) return undefined;
  const start = Math.max(document.lastIndexOf('\n', range.start - 1), document.lastIndexOf('\r', range.start - 1)) + 1;
  const indent = /^[ \t]*/.exec(document.slice(start))?.[0] ?? '';
  const lineEnd = /\r\n|\n|\r/.exec(document)?.[0] ?? '\n';
  return { range: { start, end: start }, newText: `${indent}# ${mark}-next-line ${code}: ${lineEnd}` };
}

function* linesOf(text: string): Iterable<TextRange> {
  let start = 0;
  for (const { index, 0: lineEnd } of text.matchAll(/\r\n|\n|\r/g)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}
