import { textRange } from '../text/range.ts';
import { createSourceMapBuilder } from '../text/source-map.ts';
import { createIndenter } from './indentation.ts';
import { copyEscaped } from './json-regions.ts';
import { looksLikeLql, type Region, withoutFinalLineEnds } from './region.ts';

/** Attributes that hold query text wherever they stand. */
const textAttributes: ReadonlySet<string> = new Set(['query_text', 'filter_query_text', 'queryText']);

interface Block {
  /** Of a resource whose type ends in `_query`: there the attribute `query` holds query text. */
  readonly isQuery: boolean;
  queryId: string | undefined;
  readonly found: number[];
}

/**
 * Query texts in Terraform: `query` of `lacework_query` resources, `query_text` and `filter_query_text` anywhere; heredocs and quoted
 * strings. Reads the lexical surface only, so documents with errors work as far as they can.
 */
export function hclRegions(document: string): readonly Region[] {
  const regions: (Region | undefined)[] = [];
  const blocks: Block[] = [{ isQuery: false, queryId: undefined, found: [] }];
  /** Identifiers and strings since the last line end or brace: the header of a block, or the name of an attribute. */
  let words: string[] = [];
  let attribute: string | undefined;
  const accepts = (): boolean => {
    if (attribute === undefined) return false;
    return textAttributes.has(attribute) || (attribute === 'query' && blocks.at(-1)?.isQuery === true);
  };
  const found = (region: Region | undefined): void => {
    if (region === undefined || !looksLikeLql(region.text)) return;
    blocks.at(-1)?.found.push(regions.length);
    regions.push(region);
  };
  const closeBlock = (): void => {
    const block = blocks.length > 1 ? blocks.pop() : blocks[0];
    for (const i of block?.found ?? []) {
      const region = regions[i];
      if (region !== undefined && block?.queryId !== undefined) regions[i] = { ...region, queryId: block.queryId };
    }
  };
  let at = 0;
  while (at < document.length) {
    const char = document.charAt(at);
    if (char === '#' || document.startsWith('//', at)) {
      at = lineEnd(document, at);
    } else if (document.startsWith('/*', at)) {
      const end = document.indexOf('*/', at + 2);
      at = end < 0 ? document.length : end + 2;
    } else if (char === '"') {
      const end = templateStringEnd(document, at);
      if (attribute !== undefined) {
        const block = blocks.at(-1);
        if (accepts()) found(stringRegion(document, at + 1, end));
        else if ((attribute === 'query_id' || attribute === 'queryId') && block !== undefined)
          block.queryId = document.slice(at + 1, end);
        attribute = undefined;
      } else words.push(document.slice(at + 1, end));
      at = Math.min(document.length, end + 1);
    } else if (document.startsWith('<<', at)) {
      const heredoc = readHeredoc(document, at);
      if (heredoc === undefined) {
        at += 2;
        continue;
      }
      if (accepts()) found(heredocRegion(document, heredoc));
      attribute = undefined;
      words = [];
      at = heredoc.next;
    } else if (char === '{') {
      const isQuery = words[0] === 'resource' && /_query$/.test(words[1] ?? '');
      blocks.push({ isQuery, queryId: undefined, found: [] });
      words = [];
      attribute = undefined;
      at++;
    } else if (char === '}') {
      closeBlock();
      words = [];
      attribute = undefined;
      at++;
    } else if (char === '=' && document[at + 1] !== '=' && words.length > 0) {
      attribute = words.at(-1);
      words = [];
      at++;
    } else if (char === '\n' || char === '\r') {
      words = [];
      attribute = undefined;
      at++;
    } else if (/[A-Za-z_]/.test(char)) {
      let end = at + 1;
      while (end < document.length && /[\w-]/.test(document.charAt(end))) end++;
      words.push(document.slice(at, end));
      at = end;
    } else at++;
  }
  while (blocks.length > 1) closeBlock();
  return regions.filter((region): region is Region => region !== undefined);
}

function lineEnd(document: string, start: number): number {
  let at = start;
  while (at < document.length && document[at] !== '\n' && document[at] !== '\r') at++;
  return at;
}

/** Offset of the closing quote; an unclosed string ends with its line. `${…}` may hold quotes of its own. */
function templateStringEnd(document: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < document.length; at++) {
    const char = document[at];
    if (char === '\n' || char === '\r') return at;
    if (char === '\\' && depth === 0) at++;
    else if ((char === '$' || char === '%') && document[at + 1] === '{' && document[at - 1] !== char) {
      depth++;
      at++;
    } else if (depth > 0 && char === '{') depth++;
    else if (depth > 0 && char === '}') depth--;
    else if (char === '"' && depth === 0) return at;
  }
  return document.length;
}

function stringRegion(document: string, start: number, end: number): Region | undefined {
  const builder = createSourceMapBuilder(document, textRange(start, end));
  if (!copyTemplate(document, start, end, builder, true)) return undefined;
  const { text, map } = builder.build();
  return {
    host: 'hcl',
    text,
    map,
    queryId: undefined,
    isTemplate: isTemplate(document.slice(start, end)),
    isFolded: false,
    encode: (newText) =>
      escapeTemplate(newText).replace(/[\\"\n\r\t]/g, (char) =>
        char === '\n' ? '\\n' : char === '\r' ? '\\r' : char === '\t' ? '\\t' : `\\${char}`,
      ),
  };
}

interface Heredoc {
  readonly stripsIndent: boolean;
  /** From the first line behind the marker to the line of the closing marker. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

function readHeredoc(document: string, at: number): Heredoc | undefined {
  const open = /^<<(-?)([A-Za-z_][\w-]*)[ \t]*(?:\r\n|\n|\r)/.exec(document.slice(at, at + 300));
  if (open === null) return undefined;
  const [head, dash = '', marker = ''] = open;
  const start = at + head.length;
  let line = start;
  while (line < document.length) {
    const end = lineEnd(document, line);
    if (document.slice(line, end).trim() === marker) return { stripsIndent: dash === '-', start, end: line, next: end };
    line = end + (document.startsWith('\r\n', end) ? 2 : 1);
  }
  return { stripsIndent: dash === '-', start, end: document.length, next: document.length };
}

function heredocRegion(document: string, { stripsIndent, start, end }: Heredoc): Region {
  const indent = stripsIndent ? commonIndent(document.slice(start, end)) : '';
  const builder = createSourceMapBuilder(document, textRange(start, end));
  let line = start;
  while (line < end) {
    const stop = lineEnd(document, line);
    const next = Math.min(end, stop + (document.startsWith('\r\n', stop) ? 2 : 1));
    const from = Math.min(line + indent.length, stop);
    copyTemplate(document, from, next, builder, false);
    line = next;
  }
  const { text, map } = builder.build();
  const indented = createIndenter(document, indent);
  return {
    host: 'hcl',
    text: withoutFinalLineEnds(text),
    map,
    queryId: undefined,
    isTemplate: isTemplate(document.slice(start, end)),
    isFolded: false,
    encode: (newText, at) => indented(escapeTemplate(newText), at),
  };
}

/** The indentation that all lines with text share. */
function commonIndent(text: string): string {
  let common: string | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.trim() === '') continue;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (common === undefined || indent.length < common.length) common = indent;
  }
  return common ?? '';
}

/** Copies template text: `$${` and `%%{` stand for `${` and `%{`; backslash escapes where `escapes`. */
function copyTemplate(
  document: string,
  start: number,
  end: number,
  builder: { copy(start: number, end: number): void; replace(start: number, end: number, text: string): void },
  escapes: boolean,
): boolean {
  let from = start;
  const copyTo = (to: number): boolean => {
    if (escapes) return copyEscaped(document, from, to, builder, decodeHclEscape);
    builder.copy(from, to);
    return true;
  };
  for (let at = start; at < end; at++) {
    const mark = document.slice(at, at + 3);
    if ((mark === '$${' || mark === '%%{') && at + 3 <= end) {
      if (!copyTo(at)) return false;
      builder.replace(at, at + 3, mark.slice(1));
      from = at + 3;
      at += 2;
    }
  }
  return copyTo(end);
}

function decodeHclEscape(document: string, at: number): { text: string; length: number } | undefined {
  const next = document.charAt(at + 1);
  if (next === '"' || next === '\\') return { text: next, length: 2 };
  if (next === 'n') return { text: '\n', length: 2 };
  if (next === 'r') return { text: '\r', length: 2 };
  if (next === 't') return { text: '\t', length: 2 };
  const digits = next === 'u' ? 4 : next === 'U' ? 8 : 0;
  const hex = document.slice(at + 2, at + 2 + digits);
  if (digits === 0 || !/^[0-9A-Fa-f]+$/.test(hex) || hex.length !== digits) return undefined;
  const code = Number.parseInt(hex, 16);
  return code > 0x10ffff ? undefined : { text: String.fromCodePoint(code), length: 2 + digits };
}

/** Whether Terraform fills something in: `${…}` or `%{…}` that is not escaped by doubling. */
function isTemplate(raw: string): boolean {
  return /(?:^|[^$])(?:\$\$)*\$\{|(?:^|[^%])(?:%%)*%\{/.test(raw);
}

function escapeTemplate(text: string): string {
  return text.replace(/\$\{/g, '$$$${').replace(/%\{/g, '%%{');
}
