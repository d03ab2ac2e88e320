import { textRange } from '../text/range.ts';
import { createSourceMapBuilder } from '../text/source-map.ts';
import { looksLikeLql, type Region } from './region.ts';

/** Names of fields that hold query text, and of those that hold its id. */
export const queryTextFields: ReadonlySet<string> = new Set(['queryText', 'query_text']);
export const queryIdFields: ReadonlySet<string> = new Set(['queryId', 'query_id']);

interface OpenObject {
  key: string | undefined;
  queryId: string | undefined;
  language: string | undefined;
  texts: { start: number; end: number }[];
}

/**
 * Query texts in JSON, comments and trailing commas allowed. Reads strings and brackets only, without recursion, so broken or
 * deeply nested documents do no harm.
 */
export function jsonRegions(document: string): readonly Region[] {
  const regions: Region[] = [];
  const open: (OpenObject | undefined)[] = [];
  const finish = (object: OpenObject | undefined): void => {
    if (object === undefined || (object.language !== undefined && object.language.toLowerCase() !== 'lql')) return;
    for (const { start, end } of object.texts) {
      const region = jsonStringRegion(document, start, end, object.queryId);
      if (region !== undefined) regions.push(region);
    }
  };
  let at = 0;
  while (at < document.length) {
    const char = document[at];
    const top = open.at(-1);
    if (char === '"') {
      const end = stringEnd(document, at);
      const after = skipBlanks(document, end);
      if (top !== undefined && top.key === undefined && document[after] === ':') {
        top.key = unescaped(document, at, end);
        at = after + 1;
        continue;
      }
      if (top?.key !== undefined) {
        if (queryTextFields.has(top.key)) top.texts.push({ start: at, end });
        else if (queryIdFields.has(top.key)) top.queryId = unescaped(document, at, end);
        else if (top.key === 'queryLanguage') top.language = unescaped(document, at, end);
        top.key = undefined;
      }
      at = end;
      continue;
    }
    if (char === '/' && (document[at + 1] === '/' || document[at + 1] === '*')) {
      at = commentEnd(document, at);
      continue;
    }
    if (char === '{') {
      if (top !== undefined) top.key = undefined;
      open.push({ key: undefined, queryId: undefined, language: undefined, texts: [] });
    } else if (char === '[') {
      if (top !== undefined) top.key = undefined;
      open.push(undefined);
    } else if (char === '}' || char === ']') finish(open.pop());
    else if (char === ',' && top !== undefined) top.key = undefined;
    at++;
  }
  while (open.length > 0) finish(open.pop());
  return regions.sort((a, b) => a.map.outer.start - b.map.outer.start);
}

/** The region of the JSON string between the quotes at `start` and `end - 1`; undefined when it is not LQL or not a JSON string. */
function jsonStringRegion(
  document: string,
  start: number,
  end: number,
  queryId: string | undefined,
): Region | undefined {
  const contentEnd = end - 1 > start && document[end - 1] === '"' ? end - 1 : end;
  const builder = createSourceMapBuilder(document, textRange(start + 1, Math.max(start + 1, contentEnd)));
  if (!copyEscaped(document, start + 1, contentEnd, builder, decodeJsonEscape)) return undefined;
  const { text, map } = builder.build();
  if (!looksLikeLql(text)) return undefined;
  return {
    host: 'json',
    text,
    map,
    queryId,
    isTemplate: false,
    isFolded: false,
    encode: (newText) => encodeJson(newText),
  };
}

/** The content of a JSON string that stands for `text`. */
export function encodeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What the escape at `at` (a backslash) stands for, and how long it is; undefined when it is none. */
export type EscapeDecoder = (
  document: string,
  at: number,
) => { readonly text: string; readonly length: number } | undefined;

/** Copies `start` to `end`, escapes decoded. False when an escape is not one. */
export function copyEscaped(
  document: string,
  start: number,
  end: number,
  builder: { copy(start: number, end: number): void; replace(start: number, end: number, text: string): void },
  decode: EscapeDecoder,
): boolean {
  let from = start;
  let at = start;
  while (at < end) {
    if (document[at] !== '\\') {
      at++;
      continue;
    }
    const decoded = decode(document, at);
    if (decoded === undefined || at + decoded.length > end) return false;
    builder.copy(from, at);
    builder.replace(at, at + decoded.length, decoded.text);
    at += decoded.length;
    from = at;
  }
  builder.copy(from, end);
  return true;
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function decodeJsonEscape(document: string, at: number): { text: string; length: number } | undefined {
  const simple = simpleEscapes.get(document.charAt(at + 1));
  if (simple !== undefined) return { text: simple, length: 2 };
  const hex = /^[0-9A-Fa-f]{4}$/.exec(document.slice(at + 2, at + 6));
  if (document[at + 1] === 'u' && hex !== null)
    return { text: String.fromCharCode(Number.parseInt(hex[0], 16)), length: 6 };
  return undefined;
}

function unescaped(document: string, start: number, end: number): string {
  const builder = createSourceMapBuilder(document, textRange(start, end));
  const contentEnd = document[end - 1] === '"' && end - 1 > start ? end - 1 : end;
  return copyEscaped(document, start + 1, contentEnd, builder, decodeJsonEscape)
    ? builder.build().text
    : document.slice(start + 1, contentEnd);
}

/** Behind the closing quote; an unclosed string ends with its line. */
function stringEnd(document: string, start: number): number {
  for (let at = start + 1; at < document.length; at++) {
    const char = document[at];
    if (char === '\\') at++;
    else if (char === '"') return at + 1;
    else if (char === '\n' || char === '\r') return at;
  }
  return document.length;
}

function skipBlanks(document: string, start: number): number {
  let at = start;
  while (at < document.length && /\s/.test(document.charAt(at))) at++;
  return at;
}

function commentEnd(document: string, start: number): number {
  if (document[start + 1] === '*') {
    const end = document.indexOf('*/', start + 2);
    return end < 0 ? document.length : end + 2;
  }
  let at = start;
  while (at < document.length && document[at] !== '\n') at++;
  return at;
}
