import { textRange } from '../text/range.ts';
import { createSourceMapBuilder } from '../text/source-map.ts';
import { createIndenter } from './indentation.ts';
import { type Region, withoutFinalLineEnds } from './region.ts';

/** Quote and list markers, then the fence. Every alternative begins with another character, so it never looks at a character twice. */
const fenceStart = /^((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)(`{3,}|~{3,})/;

/** Fences of Markdown whose info string is `lql`. Line by line, so broken documents do no harm. */
export function markdownRegions(document: string): readonly Region[] {
  const regions: Region[] = [];
  let fence:
    | { marker: string; indent: string; isLql: boolean; contentStart: number; lines: [number, number][] }
    | undefined;
  for (const [start, end, next] of linesOf(document)) {
    const line = document.slice(start, end);
    if (fence === undefined) {
      const open = fenceStart.exec(line);
      if (open === null) continue;
      const [whole, lead = '', marker = ''] = open;
      const rest = line.slice(whole.length);
      if (marker.startsWith('`') && rest.includes('`')) continue;
      const info = /^[\w-]*/.exec(rest.trimStart())?.[0] ?? '';
      // A list marker before the fence indents what follows by its width.
      const indent = lead.replace(/[-*+\d.)]/g, ' ');
      fence = { marker, indent, isLql: info.toLowerCase() === 'lql', contentStart: next, lines: [] };
      continue;
    }
    const content = line.slice(leadLength(line, fence.indent));
    const closes = content.trim().startsWith(fence.marker) && /^(?:`+|~+)$/.test(content.trim());
    if (closes) {
      if (fence.isLql) regions.push(fenceRegion(document, fence.indent, fence.contentStart, start, fence.lines));
      fence = undefined;
    } else {
      fence.lines.push([start, next]);
    }
  }
  if (fence?.isLql === true && fence.contentStart <= document.length)
    regions.push(fenceRegion(document, fence.indent, fence.contentStart, document.length, fence.lines));
  return regions;
}

/** How much of `line` is the indentation of the fence; a line may have less. */
function leadLength(line: string, indent: string): number {
  let at = 0;
  while (at < indent.length && at < line.length && (line[at] === indent[at] || line[at] === ' ' || line[at] === '\t'))
    at++;
  return at;
}

function fenceRegion(
  document: string,
  indent: string,
  start: number,
  end: number,
  lines: readonly [number, number][],
): Region {
  const builder = createSourceMapBuilder(document, textRange(start, Math.max(start, end)));
  for (const [lineStart, next] of lines)
    builder.copy(lineStart + leadLength(document.slice(lineStart, next), indent), next);
  const { text, map } = builder.build();
  const indented = createIndenter(document, indent);
  return {
    host: 'markdown',
    text: withoutFinalLineEnds(text),
    map,
    queryId: undefined,
    isTemplate: false,
    isFolded: false,
    encode: (newText, at) => (/^[ \t]*(?:`{3,}|~{3,})/m.test(newText) ? undefined : indented(newText, at)),
  };
}

/** Start, end without the line end, and start of the next line. */
function* linesOf(document: string): Generator<[number, number, number]> {
  let start = 0;
  while (start < document.length) {
    let end = start;
    while (end < document.length && document.charCodeAt(end) !== 10 && document.charCodeAt(end) !== 13) end++;
    let next = end;
    if (document.charCodeAt(next) === 13) next++;
    if (document.charCodeAt(next) === 10 && next <= end + 1) next++;
    yield [start, end, next];
    start = next;
  }
}
