import type { TextEdit } from '../text/edits.ts';
import { type TextRange, textRange } from '../text/range.ts';
import type { SourceMap } from '../text/source-map.ts';

export type HostKind = 'lql' | 'yaml' | 'json' | 'hcl' | 'markdown';

/** One query text inside a host document. */
export interface Region {
  readonly host: HostKind;
  /** The query text, the host's quoting and indentation removed. */
  readonly text: string;
  readonly map: SourceMap;
  /** The id written beside the text in the host document. */
  readonly queryId: string | undefined;
  /** True when the host fills parts of the text in later (Terraform's `${…}`): what is wrong with the text cannot be told then. */
  readonly isTemplate: boolean;
  /** True where the host turns line ends into blanks and drops blanks around them: only changes within a line can be written there. */
  readonly isFolded: boolean;
  /**
   * What to write into the document at offset `at` so that the text gets `newText` there. Undefined where the host's form
   * cannot hold it (a line end in a plain scalar).
   */
  readonly encode: (newText: string, at: number) => string | undefined;
}

/** The region that `offset` of the document stands in, with the offset in its text. */
export function regionAt(regions: readonly Region[], offset: number): { region: Region; offset: number } | undefined {
  for (const region of regions) {
    const inner = region.map.toInner(offset);
    if (inner !== undefined) return { region, offset: Math.min(inner, region.text.length) };
  }
  return undefined;
}

/** Block forms end with a line end that is the form's, not the query's: the text a region offers goes without it, so that text added at the end stays inside. */
export function withoutFinalLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === 10 || text.charCodeAt(end - 1) === 13)) end--;
  return text.slice(0, end);
}

/** A range of the region's text as a range of the document. */
export function toDocumentRange({ map }: Region, { start, end }: TextRange): TextRange {
  const outerStart = map.toOuter(start, 'after');
  return textRange(outerStart, start === end ? outerStart : Math.max(outerStart, map.toOuter(end, 'before')));
}

/** Edits of the region's text as edits of the document. Undefined when one of them cannot be written in the host's form: then none may be applied. */
export function toDocumentEdits(region: Region, edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  const result: TextEdit[] = [];
  for (const { range, newText } of edits) {
    if (region.map.isInside(range.start) || region.map.isInside(range.end)) return undefined;
    if (region.isFolded && !staysInLine(region.text, range, newText)) return undefined;
    const start = region.map.toOuter(range.start, 'after');
    // An edit that ends at the start of a line must end behind that line's indentation, which is written anew.
    const end = range.start === range.end ? start : Math.max(start, region.map.toOuter(range.end, 'after'));
    if (newText === '' && /[^\r\n]/.test(region.text.charAt(range.end))) {
      // What moves up to an empty line needs the indentation that such lines do not have.
      const lead = region.encode('x', start)?.slice(0, -1);
      if (lead === undefined) return undefined;
      result.push({ range: textRange(start, end), newText: lead });
      continue;
    }
    const encoded = region.encode(newText, start);
    if (encoded === undefined) return undefined;
    result.push({ range: textRange(start, end), newText: encoded });
  }
  return result;
}

/** Whether an edit neither adds or removes a line end nor puts blanks at the edge of a line. */
function staysInLine(text: string, { start, end }: TextRange, newText: string): boolean {
  if (/[\r\n]/.test(newText + text.slice(start, end))) return false;
  const isEdge = (char: string): boolean => char === '' || /\s/.test(char);
  if (/^\s|\s$/.test(text.slice(start, end)) && (isEdge(text.charAt(start - 1)) || isEdge(text.charAt(end))))
    return false;
  if (newText !== '')
    return !/^\s|\s$/.test(newText) && !(start === end && isEdge(text.charAt(start - 1)) && isEdge(text.charAt(start)));
  return !isEdge(text.charAt(start - 1)) && !isEdge(text.charAt(end));
}

/**
 * Whether a query text found in a host document is meant to be LQL. Fields named `queryText` also hold Rego and JSON resource
 * queries: those are left alone. Empty text counts as LQL: somebody is about to write it.
 */
export function looksLikeLql(text: string): boolean {
  const start = skipTrivia(text);
  const rest = text.slice(start, start + 400);
  if (rest === '') return true;
  if (/^(?:package|import|default|allow|deny)\b/.test(rest)) return false;
  if (rest.startsWith('[')) return false;
  if (rest.startsWith('{')) return !/^\{\s*"/.test(rest);
  return /^[A-Za-z][\w]*\s*(?:\{|$|\()/.test(rest) || /^(?:source|filter|return|union)\b/i.test(rest);
}

function skipTrivia(text: string): number {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at)) && at < text.length) at++;
    if (text.startsWith('--', at) || text.startsWith('//', at)) {
      const end = text.slice(at).search(/[\r\n]/);
      if (end < 0) return text.length;
      at += end;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return text.length;
      at = end + 2;
    } else {
      return at;
    }
  }
}
