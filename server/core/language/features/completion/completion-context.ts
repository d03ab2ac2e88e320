import { type TextRange, textRange } from '../../../text/range.ts';
import type { ParseResult } from '../../syntax/parse.ts';
import {
  type BodyOutline,
  type Frame,
  isString,
  isWord,
  type OutlineToken,
  outlineOf,
  structuralWords,
  type TokenOutline,
  tokenIndexAt,
} from '../token-outline.ts';

/** What may stand at the cursor. */
export type CompletionContext = { readonly range: TextRange; readonly prefix: string } & (
  | { readonly kind: 'nothing' }
  | { readonly kind: 'emptyFile' }
  | { readonly kind: 'file' }
  | { readonly kind: 'blockKeyword'; readonly body: BodyOutline }
  | { readonly kind: 'afterReturn' }
  | { readonly kind: 'datasource'; readonly relatedTo: string | undefined; readonly body: BodyOutline | undefined }
  | { readonly kind: 'afterDatasource'; readonly hasAlias: boolean; readonly isTarget: boolean }
  | { readonly kind: 'relationship'; readonly from: string | undefined; readonly to: string | undefined }
  | { readonly kind: 'operand'; readonly frame: Frame; readonly startsReturnItem: boolean }
  | { readonly kind: 'operator'; readonly frame: Frame; readonly inReturnItem: boolean; readonly before: OutlineToken }
  | { readonly kind: 'afterNot' }
  | { readonly kind: 'afterIs'; readonly negated: boolean }
  | { readonly kind: 'afterIn' }
  | {
      readonly kind: 'qualified';
      readonly qualifier: string;
      readonly body: BodyOutline | undefined;
      readonly inReturnItem: boolean;
    }
  | {
      readonly kind: 'jsonKey' /** Index of the token `:`. */;
      readonly colon: number;
      readonly at: number;
      readonly quoted: boolean;
    }
  | { readonly kind: 'type' }
);

const operandFollows: ReadonlySet<string> = new Set(
  '{ ( , = <> != == < <= > >= || + - * / % and or when then else case between like ilike rlike distinct'.split(' '),
);

/** Reads the tokens in front of `offset` and says what may be typed there. Never looks at the tree: the tree has a hole right here. */
export function completionContext(parsed: ParseResult, offset: number): CompletionContext {
  const outline = outlineOf(parsed);
  const { tokens } = outline;
  const none = { range: textRange(offset, offset), prefix: '' };
  if (inComment(parsed, offset)) return { kind: 'nothing', ...none };

  let at = tokenIndexAt(tokens, offset);
  let current = tokens[at];
  // Between two adjoining tokens the earlier one wins only when it is a word.
  const next = tokens[at + 1];
  if (
    current !== undefined &&
    current.end === offset &&
    !isWord(current.text) &&
    next !== undefined &&
    next.start === offset
  ) {
    at++;
    current = next;
  }
  const touched = current !== undefined && current.start <= offset && offset <= current.end ? current : undefined;
  if (touched !== undefined && isString(touched)) {
    const inside = touched.start < offset && (offset < touched.end || !isClosed(touched));
    if (inside) return stringContext(outline, at, offset);
  }
  if (touched !== undefined && isWord(touched.text) && !isString(touched)) {
    const word = { range: textRange(touched.start, touched.end), prefix: parsed.text.slice(touched.start, offset) };
    return positionContext(outline, at, word);
  }
  if (touched !== undefined && touched.end === offset && /^[0-9.]/.test(touched.text) && touched.text !== '.')
    return { kind: 'nothing', ...none };
  if (touched !== undefined && touched.end <= offset) at++;
  return positionContext(outline, at, none);
}

function inComment(parsed: ParseResult, offset: number): boolean {
  return parsed.comments.some(({ range, style }) => {
    if (range.start >= offset) return false;
    if (style !== '/*') return offset <= range.end;
    const closed = range.end - range.start >= 4 && parsed.text.startsWith('*/', range.end - 2);
    return closed ? offset < range.end : offset <= range.end;
  });
}

function isClosed({ text }: OutlineToken): boolean {
  const quote = text.charAt(text.startsWith('s') || text.startsWith('S') ? 1 : 0);
  const open = text.indexOf(quote);
  return text.length > open + 1 && text.endsWith(quote);
}

function stringContext(outline: TokenOutline, at: number, offset: number): CompletionContext {
  const token = outline.tokens[at];
  if (token === undefined) return { kind: 'nothing', range: textRange(offset, offset), prefix: '' };
  const quoteLength = token.text.charAt(0).toLowerCase() === 's' ? 2 : 1;
  const start = token.start + quoteLength;
  const end = isClosed(token) ? token.end - 1 : lineEnd(token);
  // Between the letter and the quote of an s-string, or on a later line of an unclosed one.
  if (offset < start || offset > Math.max(start, end))
    return { kind: 'nothing', range: textRange(offset, offset), prefix: '' };
  const word = {
    range: textRange(start, Math.max(start, end)),
    prefix: token.text.slice(quoteLength, offset - token.start),
  };
  const previous = outline.tokens[at - 1];
  if (previous?.lower === 'on') {
    const target = joinTargetBefore(outline, at - 1);
    return { kind: 'relationship', from: target?.from, to: target?.to, ...word };
  }
  const colon = pathColon(outline.tokens, at);
  if (colon !== undefined && token.text.startsWith('"')) return { kind: 'jsonKey', colon, at, quoted: true, ...word };
  return { kind: 'nothing', ...word };
}

/** An unclosed string is taken to end with its line: what stands below was not meant to be in it. */
function lineEnd(token: OutlineToken): number {
  const line = /[\r\n]/.exec(token.text);
  return line === null ? token.end : token.start + line.index;
}

type Word = { readonly range: TextRange; readonly prefix: string };

/** The context of position `at`: the tokens before `at` are there, the word at the cursor (if any) is not looked at. */
function positionContext(outline: TokenOutline, at: number, word: Word): CompletionContext {
  const { tokens, frames } = outline;
  const frame = frames[at];
  const previous = tokens[at - 1];
  if (frame === undefined) return { kind: 'nothing', ...word };
  switch (frame.kind) {
    case 'file':
      if (at > 0) return { kind: 'nothing', ...word };
      return { kind: tokens.length === (word.prefix === '' ? 0 : 1) ? 'emptyFile' : 'file', ...word };
    case 'union':
    case 'aliasGroup':
      return { kind: 'nothing', ...word };
    case 'body':
      if (frame.body === undefined || previous?.lower === 'source' || previous?.lower === 'filter')
        return { kind: 'nothing', ...word };
      if (previous?.lower === 'return') return { kind: 'afterReturn', ...word };
      return { kind: 'blockKeyword', body: frame.body, ...word };
    case 'source':
    case 'join':
      return sourceContext(outline, frame, at, word);
    case 'filter':
    case 'return':
    case 'call':
    case 'group':
      return expressionContext(outline, frame, at, word);
  }
}

function sourceContext(outline: TokenOutline, frame: Frame, at: number, word: Word): CompletionContext {
  const { tokens } = outline;
  const previous = tokens[at - 1];
  if (previous === undefined) return { kind: 'nothing', ...word };
  const isTarget = frame.kind === 'join' || sourceItemHasWith(outline, frame, at);
  if (previous.text === '{' || previous.text === ',' || previous.text === '(') {
    const relatedTo = frame.kind === 'join' ? datasourceBefore(outline, frame.open - 1) : undefined;
    return { kind: 'datasource', relatedTo, body: frame.body, ...word };
  }
  if (previous.lower === 'with')
    return { kind: 'datasource', relatedTo: datasourceBefore(outline, at - 1), body: frame.body, ...word };
  if (previous.lower === 'as' || previous.text === '.') return { kind: 'nothing', ...word };
  if (previous.lower === 'on') {
    const target = joinTargetBefore(outline, at - 1);
    return { kind: 'relationship', from: target?.from, to: target?.to, ...word };
  }
  if (isWord(previous.text) || previous.text === ')' || isString(previous)) {
    const before = tokens[at - 2];
    const isName =
      before !== undefined &&
      (before.text === '{' || before.text === ',' || before.text === '(' || before.lower === 'with');
    return { kind: 'afterDatasource', hasAlias: !(isName || previous.text === ')'), isTarget, ...word };
  }
  return { kind: 'nothing', ...word };
}

function sourceItemHasWith(outline: TokenOutline, frame: Frame, at: number): boolean {
  for (let i = at - 1; i > frame.open; i--) {
    if (outline.frames[i] !== frame) continue;
    const token = outline.tokens[i];
    if (token?.text === ',') return false;
    if (token?.lower === 'with') return true;
  }
  return false;
}

/** Name of the datasource that stands left of token `at` (a `with`, or what precedes it). */
function datasourceBefore(outline: TokenOutline, at: number): string | undefined {
  const frame = outline.frames[at];
  let best: string | undefined;
  for (const source of frame?.body?.sources ?? []) {
    if (source.kind === 'datasource' && source.token < at && outline.frames[source.token] === frame)
      best = source.datasource;
  }
  return best;
}

/** The join that an `on` at token `at` speaks of. */
function joinTargetBefore(outline: TokenOutline, at: number): { from: string | undefined; to: string } | undefined {
  const frame = outline.frames[at];
  const sources = (frame?.body?.sources ?? []).filter((s) => s.kind === 'datasource' && s.token < at);
  const target =
    sources.findLast((s) => s.kind === 'datasource' && outline.frames[s.token] === frame) ?? sources.at(-1);
  if (target?.kind !== 'datasource') return undefined;
  const isJoined = outline.tokens[target.token - 1]?.lower === 'with';
  const from = isJoined
    ? datasourceBefore(outline, target.token - 1)
    : frame?.kind === 'join'
      ? datasourceBefore(outline, frame.open - 1)
      : undefined;
  return { from, to: target.datasource };
}

function expressionContext(outline: TokenOutline, frame: Frame, at: number, word: Word): CompletionContext {
  const { tokens } = outline;
  const previous = tokens[at - 1];
  const before = tokens[at - 2];
  if (previous === undefined) return { kind: 'nothing', ...word };
  const inReturnItem = frame.kind === 'return';
  if (previous.text === '::') return { kind: 'type', ...word };
  const colon = previous.text === ':' ? at - 1 : previous.text === '.' ? pathColon(tokens, at) : undefined;
  if (colon !== undefined) return { kind: 'jsonKey', colon, at, quoted: false, ...word };
  if (previous.text === '.') {
    if (before === undefined || !isWord(before.text)) return { kind: 'nothing', ...word };
    return { kind: 'qualified', qualifier: before.text, body: frame.body, inReturnItem, ...word };
  }
  if (previous.lower === 'as') return { kind: 'nothing', ...word };
  if (previous.lower === 'in') return { kind: 'afterIn', ...word };
  if (previous.lower === 'is') return { kind: 'afterIs', negated: false, ...word };
  if (previous.lower === 'not') {
    if (before?.lower === 'is') return { kind: 'afterIs', negated: true, ...word };
    if (before !== undefined && endsOperand(before)) return { kind: 'afterNot', ...word };
    return { kind: 'operand', frame, startsReturnItem: false, ...word };
  }
  if (previous.lower === 'json' && (before?.lower === 'is' || before?.lower === 'not'))
    return { kind: 'afterIs', negated: true, ...word };
  if (previous.text === '*' && (before?.text === '.' || before?.text === ',' || before?.text === '{'))
    return { kind: 'nothing', ...word };
  if (operandFollows.has(previous.lower)) {
    const startsReturnItem = inReturnItem && (previous.text === '{' || previous.text === ',');
    return { kind: 'operand', frame, startsReturnItem, ...word };
  }
  if (endsOperand(previous)) return { kind: 'operator', frame, inReturnItem, before: previous, ...word };
  return { kind: 'nothing', ...word };
}

function endsOperand(token: OutlineToken): boolean {
  if (token.text === ')' || token.text === '}' || isString(token) || /^[0-9]/.test(token.text)) return true;
  if (!isWord(token.text)) return false;
  return !structuralWords.has(token.lower) || ['null', 'true', 'false', 'end'].includes(token.lower);
}

/**
 * The `:` that opens the JSON path whose key would stand at token `at`, or undefined when there is no path.
 * Walks back over `key.key.` only, so the cost is the length of the path.
 */
function pathColon(tokens: readonly OutlineToken[], at: number): number | undefined {
  let i = at - 1;
  if (tokens[i]?.text === ':') return i;
  while (tokens[i]?.text === '.') {
    const key = tokens[i - 1];
    if (key === undefined || !(isWord(key.text) || key.text.startsWith('"'))) return undefined;
    if (tokens[i - 2]?.text === ':') return i - 2;
    i -= 2;
  }
  return undefined;
}
