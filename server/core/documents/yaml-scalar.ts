import { CST } from 'yaml';
import { type TextRange, textRange } from '../text/range.ts';
import { createSourceMapBuilder, type SourceMapBuilder } from '../text/source-map.ts';
import { createIndenter } from './indentation.ts';
import { encodeJson } from './json-regions.ts';
import { type Region, withoutFinalLineEnds } from './region.ts';

export type YamlScalarToken = CST.FlowScalar | CST.BlockScalar;

/** The text a scalar stands for. */
export function yamlScalarText(token: YamlScalarToken): string {
  // Without a listener the library throws at the first problem.
  return CST.resolveAsScalar(token, false, () => undefined)?.value ?? '';
}

/**
 * The region of one scalar. Our own reading of the scalar, which knows where each character comes from, is compared with the
 * library's: where they differ there is no region, rather than one with wrong offsets.
 */
export function yamlScalarRegion(
  document: string,
  token: YamlScalarToken,
  queryId: string | undefined,
): Region | undefined {
  const expected = yamlScalarText(token);
  const read = token.type === 'block-scalar' ? readBlock(document, token, expected) : readFlow(document, token);
  if (read === undefined) return undefined;
  const { text, map } = read.builder.build();
  if (text !== expected) return undefined;
  const own = token.type === 'block-scalar' ? withoutFinalLineEnds(text) : text;
  return { host: 'yaml', text: own, map, queryId, isTemplate: false, isFolded: read.isFolded, encode: read.encode };
}

interface Reading {
  readonly builder: SourceMapBuilder;
  readonly isFolded: boolean;
  readonly encode: Region['encode'];
}

// ---- block scalars: | and >

function readBlock(document: string, token: CST.BlockScalar, expected: string): Reading | undefined {
  const header = token.props.find((prop) => prop.type === 'block-scalar-header');
  if (header?.type !== 'block-scalar-header') return undefined;
  const start = token.props.reduce((at, prop) => at + ('source' in prop ? prop.source.length : 0), token.offset);
  const end = Math.min(document.length, start + token.source.length);
  const lines = linesOf(document, start, end);
  const first = lines.find(([from, to]) => document.slice(from, to).trim() !== '');
  const indent =
    first === undefined ? `${' '.repeat(token.indent + 2)}` : blockIndent(document, first, expected, header.source);
  if (indent === undefined) return undefined;
  const builder = createSourceMapBuilder(document, blockRange(document, start, end));
  const isFolded = header.source.startsWith('>');
  const done = isFolded
    ? copyFolded(lines, indent.length, expected, builder)
    : copyLiteral(lines, indent.length, expected, builder);
  if (!done) return undefined;
  const indented = createIndenter(document, indent);
  return {
    builder,
    isFolded,
    encode: (newText, at) => {
      if (hasControl(newText) || (isFolded && /[\r\n]/.test(newText))) return undefined;
      // The first line with text sets the indentation of the whole scalar: nothing indented may go in front of it.
      if (first !== undefined && at <= first[0] + indent.length && /^\s/.test(newText)) return undefined;
      return indented(newText, at);
    },
  };
}

/** The range a person works in: from the first line behind the header to the end of the last line with text. */
function blockRange(document: string, start: number, end: number): TextRange {
  let to = end;
  while (to > start && /[\r\n]/.test(document.charAt(to - 1))) to--;
  return textRange(start, to);
}

/** The blanks that all lines of the content begin with. The first line with text tells: what the value lacks of it is indentation. */
function blockIndent(document: string, [from, to]: Line, expected: string, header: string): string | undefined {
  const blanks = /^ */.exec(document.slice(from, to))?.[0] ?? '';
  if (!/\d/.test(header)) return blanks;
  const value = /^\n*( *)/.exec(expected)?.[1] ?? '';
  return value.length <= blanks.length ? blanks.slice(value.length) : undefined;
}

/** Start, end of the content, start of the next line. */
type Line = readonly [number, number, number];

function linesOf(document: string, start: number, end: number): Line[] {
  const lines: Line[] = [];
  let at = start;
  while (at < end) {
    let stop = at;
    while (
      stop < end &&
      document.charCodeAt(stop) !== 10 &&
      !(document.charCodeAt(stop) === 13 && document.charCodeAt(stop + 1) === 10)
    )
      stop++;
    const next = stop >= end ? end : document.charCodeAt(stop) === 13 ? stop + 2 : stop + 1;
    lines.push([at, stop, Math.min(next, end)]);
    at = Math.max(next, at + 1);
  }
  return lines;
}

function copyLiteral(lines: readonly Line[], indent: number, expected: string, builder: SourceMapBuilder): boolean {
  let written = 0;
  for (const [from, to, next] of lines) {
    const start = Math.min(from + indent, to);
    const room = expected.length - written;
    const length = Math.min(to - start, room);
    builder.copy(start, start + length);
    written += length;
    if (written < expected.length && next > to) {
      builder.replace(to, next, '\n');
      written++;
    }
    if (written >= expected.length) break;
  }
  // A chomping indicator may add the line end that a document cut short does not have.
  if (written === expected.length - 1 && expected.endsWith('\n')) {
    const last = lines.at(-1);
    if (last !== undefined) builder.replace(last[2], last[2], '\n');
    return true;
  }
  return written === expected.length;
}

/** Folding turns line ends into blanks. What a line end became is read off the value itself, between the lines' own texts. */
function copyFolded(lines: readonly Line[], indent: number, expected: string, builder: SourceMapBuilder): boolean {
  let written = 0;
  let gapStart: number | undefined;
  for (const [from, to, next] of lines) {
    const start = Math.min(from + indent, to);
    if (start < to) {
      const gap = /^\n*/.exec(expected.slice(written))?.[0] ?? '';
      const isBlank = gap === '' && gapStart !== undefined && expected[written] === ' ';
      if (gapStart !== undefined) {
        const joint = isBlank ? ' ' : gap;
        if (joint === '') return false;
        builder.replace(gapStart, from, joint);
        written += joint.length;
      } else if (gap !== '') {
        builder.replace(lines[0]?.[0] ?? from, from, gap);
        written += gap.length;
      }
      const length = Math.min(to - start, expected.length - written);
      builder.copy(start, start + length);
      written += length;
      gapStart = to;
    }
    if (written >= expected.length) return written === expected.length;
    if (next === to && to > start) break;
  }
  const rest = expected.slice(written);
  if (!/^\n*$/.test(rest)) return false;
  if (rest !== '') builder.replace(gapStart ?? lines.at(-1)?.[1] ?? 0, lines.at(-1)?.[2] ?? 0, rest);
  return true;
}

// ---- flow scalars: plain, '…', "…"

function readFlow(document: string, token: CST.FlowScalar): Reading | undefined {
  const { offset, source, type } = token;
  const quote = type === 'single-quoted-scalar' ? "'" : type === 'double-quoted-scalar' ? '"' : '';
  if (!document.startsWith(source, offset)) return undefined;
  const start = offset + quote.length;
  const isClosed = quote === '' || (source.length > 1 && source.endsWith(quote));
  const end = offset + source.length - (isClosed ? quote.length : 0);
  const builder = createSourceMapBuilder(document, textRange(start, Math.max(start, end)));
  let from = start;
  let at = start;
  const stand = (length: number, text: string): void => {
    builder.copy(from, at);
    builder.replace(at, at + length, text);
    at += length;
    from = at;
  };
  while (at < end) {
    const char = document.charAt(at);
    if (quote === "'" && char === "'" && document[at + 1] === "'") stand(2, "'");
    else if (quote === '"' && char === '\\') {
      const decoded = doubleQuotedEscape(document, at, end);
      if (decoded === undefined) return undefined;
      stand(decoded.length, decoded.text);
    } else if (char === '\n' || (char === '\r' && document[at + 1] === '\n')) {
      // Blanks around a line end go with it. Those written as escapes stay.
      let before = at;
      while (before > from && (document[before - 1] === ' ' || document[before - 1] === '\t')) before--;
      const after = blanksAndBreaks(document, at, end);
      builder.copy(from, before);
      builder.replace(before, after.at, after.breaks === 1 ? ' ' : '\n'.repeat(after.breaks - 1));
      at = after.at;
      from = at;
    } else at++;
  }
  builder.copy(from, end);
  return { builder, isFolded: /[\r\n]/.test(source), encode: flowEncoder(quote) };
}

function blanksAndBreaks(document: string, start: number, end: number): { at: number; breaks: number } {
  let at = start;
  let breaks = 0;
  while (at < end) {
    const char = document[at];
    if (char === '\n') breaks++;
    else if (char !== ' ' && char !== '\t' && char !== '\r') break;
    at++;
  }
  return { at, breaks };
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['\t', '\t'],
]);

function doubleQuotedEscape(document: string, at: number, end: number): { text: string; length: number } | undefined {
  const next = document.charAt(at + 1);
  const named = namedEscapes.get(next);
  if (named !== undefined) return { text: named, length: 2 };
  const digits = next === 'x' ? 2 : next === 'u' ? 4 : next === 'U' ? 8 : 0;
  if (digits > 0) {
    const hex = document.slice(at + 2, at + 2 + digits);
    const code = Number.parseInt(hex, 16);
    if (!/^[0-9A-Fa-f]+$/.test(hex) || hex.length !== digits || code > 0x10ffff) return undefined;
    return { text: String.fromCodePoint(code), length: 2 + digits };
  }
  if (next === '\n' || next === '\r') {
    // An escaped line end joins the lines; blank lines below it stay line ends.
    const after = blanksAndBreaks(document, at + 1, end);
    return { text: '\n'.repeat(Math.max(0, after.breaks - 1)), length: after.at - at };
  }
  return undefined;
}

function flowEncoder(quote: string): Region['encode'] {
  if (quote === '"')
    return (newText) =>
      encodeJson(newText).replace(
        /[\u0085\u2028\u2029]/g,
        (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
  if (quote === "'")
    return (newText) => (/[\r\n]/.test(newText) || hasControl(newText) ? undefined : newText.replace(/'/g, "''"));
  // In a plain scalar only characters that can never end or change it are written.
  return (newText) => (/^[\w .()=<>%|+*/$-]*$/.test(newText) && !/^ | $/.test(newText) ? newText : undefined);
}

function hasControl(text: string): boolean {
  return /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
}
