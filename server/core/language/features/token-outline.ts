import type { ParseResult } from '../syntax/parse.ts';

/**
 * The shape of a query read from its tokens alone: which bracket a token stands in, and what a body's `source` names.
 * The syntax tree loses the very place a person is typing at, tokens never do, so completion and signature help stand on this.
 */
export interface TokenOutline {
  readonly tokens: readonly OutlineToken[];
  /** The frame that holds position `i`, that is: the innermost bracket still open in front of token `i`. Has one entry more than `tokens`. */
  readonly frames: readonly Frame[];
  readonly bodies: readonly BodyOutline[];
  /** Index of the token that closes the bracket opened by token `i`, for brackets that are closed. */
  readonly closes: ReadonlyMap<number, number>;
}

export interface OutlineToken {
  readonly text: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

export type FrameKind =
  | 'file'
  | 'union'
  | 'body'
  | 'source'
  | 'filter'
  | 'return'
  | 'join'
  | 'aliasGroup'
  | 'call'
  | 'group';

/** One open bracket. */
export interface Frame {
  readonly kind: FrameKind;
  readonly parent: Frame | undefined;
  /** Index of the opening token; -1 for the file. */
  readonly open: number;
  /** Lower-case name in front of the `(` of a call. */
  readonly callee: string | undefined;
  /** The body it belongs to. */
  readonly body: BodyOutline | undefined;
}

export interface BodyOutline {
  readonly parent: BodyOutline | undefined;
  readonly sources: OutlineSource[];
  /** Blocks in the order of the text. */
  readonly blocks: { readonly kind: 'source' | 'filter' | 'return'; readonly keyword: number }[];
}

export type OutlineSource = OutlineDatasource | OutlineExpansion;

export interface OutlineDatasource {
  readonly kind: 'datasource';
  /** The datasource's own name. */
  readonly datasource: string;
  readonly alias: string | undefined;
  /** Index of the name's token. */
  readonly token: number;
  readonly aliasToken: number | undefined;
}

export interface OutlineExpansion {
  readonly kind: 'expansion';
  readonly columnAlias: string | undefined;
  readonly tableAlias: string | undefined;
  /** Token indices of the argument, first inclusive, last exclusive. */
  readonly argument: readonly [number, number];
  readonly token: number;
}

const outlines = new WeakMap<ParseResult, TokenOutline>();

/** The outline of `parsed`, made on first use and kept as long as `parsed` lives. Linear in the number of tokens. */
export function outlineOf(parsed: ParseResult): TokenOutline {
  const known = outlines.get(parsed);
  if (known !== undefined) return known;
  const outline = buildOutline(parsed);
  outlines.set(parsed, outline);
  return outline;
}

export function isWord(text: string): boolean {
  const code = text.charCodeAt(0);
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127;
}

/** Whether `token` is a string literal, in any of the three forms, closed or not. */
export function isString(token: OutlineToken): boolean {
  const first = token.text.charCodeAt(0);
  return first === 34 || first === 39 || (token.lower.startsWith("s'") && token.text.length > 1);
}

/** Words that stand for themselves in a query and so never name a datasource, column or alias in an outline. */
export const structuralWords: ReadonlySet<string> = new Set(
  (
    'source filter return distinct with on as in not and or is null json like ilike rlike any between ' +
    'case when then else end true false union all'
  ).split(' '),
);

const expansionFunctions: ReadonlySet<string> = new Set(['array_to_rows', 'array_to_rows_non_empty']);

function isExpansionFunction(lower: string): boolean {
  return expansionFunctions.has(lower);
}

function buildOutline(parsed: ParseResult): TokenOutline {
  const tokens: OutlineToken[] = parsed.tokens.map(({ start, end }) => {
    const text = parsed.text.slice(start, end);
    return { text, lower: text.toLowerCase(), start, end };
  });
  const root: Frame = { kind: 'file', parent: undefined, open: -1, callee: undefined, body: undefined };
  const frames: Frame[] = [root];
  const bodies: BodyOutline[] = [];
  const closes = new Map<number, number>();
  let frame = root;
  const popTo = (target: Frame, at: number): void => {
    for (let open: Frame | undefined = frame; open !== undefined && open !== target; open = open.parent)
      closes.set(open.open, at);
    frame = target;
  };
  const push = (kind: FrameKind, open: number, callee?: string): void => {
    let body = frame.body;
    if (kind === 'body') {
      body = { parent: frame.body, sources: [], blocks: [] };
      bodies.push(body);
    }
    frame = { kind, parent: frame, open, callee, body };
  };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token === undefined) continue;
    const previous = tokens[i - 1];
    if (token.text === '{') {
      const kind = braceKind(tokens, i, frame);
      if (kind === 'source' || kind === 'filter' || kind === 'return') {
        const keyword = previous?.lower === 'distinct' ? i - 2 : i - 1;
        popTo(bodyFrame(frame), keyword);
        frame.body?.blocks.push({ kind, keyword });
      }
      push(kind, i);
    } else if (token.text === '}') {
      popTo(closeBrace(frame), i);
    } else if (token.text === '(') {
      const { kind, callee } = parenKind(previous, frame);
      push(kind, i, callee);
    } else if (token.text === ')') {
      if (isParen(frame) && frame.parent !== undefined) popTo(frame.parent, i);
    }
    frames.push(frame);
  }
  const outline: TokenOutline = { tokens, frames, bodies, closes };
  collectSources(outline);
  return outline;
}

function braceKind(tokens: readonly OutlineToken[], at: number, frame: Frame): FrameKind {
  const previous = tokens[at - 1]?.lower;
  const before = tokens[at - 2]?.lower;
  if (previous === 'source') return 'source';
  if (previous === 'filter') return 'filter';
  if (previous === 'return' || (previous === 'distinct' && before === 'return')) return 'return';
  if (frame.kind === 'file' && (previous === 'union' || (previous === 'all' && before === 'union'))) return 'union';
  return 'body';
}

function parenKind(previous: OutlineToken | undefined, frame: Frame): { kind: FrameKind; callee: string | undefined } {
  if (previous === undefined) return { kind: 'group', callee: undefined };
  const inSource = frame.kind === 'source' || frame.kind === 'join';
  if (inSource && previous.lower === 'with') return { kind: 'join', callee: undefined };
  const isName = isWord(previous.text) && !isString(previous) && !structuralWords.has(previous.lower);
  if (inSource && !(isName && isExpansionFunction(previous.lower)))
    return { kind: previous.text === '{' || previous.text === ',' ? 'join' : 'aliasGroup', callee: undefined };
  return isName ? { kind: 'call', callee: previous.lower } : { kind: 'group', callee: undefined };
}

function isParen(frame: Frame): boolean {
  return frame.kind === 'call' || frame.kind === 'group' || frame.kind === 'join' || frame.kind === 'aliasGroup';
}

/** Leaves open parentheses behind: a `}` ends them too, which is what a person means who forgot a `)`. */
function closeBrace(frame: Frame): Frame {
  let at = frame;
  while (isParen(at) && at.parent !== undefined) at = at.parent;
  return at.parent ?? at;
}

/** The frame a block hangs in. A block keyword with a brace ends whatever was left open in its body. */
function bodyFrame(frame: Frame): Frame {
  let at = frame;
  while (at.kind !== 'body') {
    if (at.parent === undefined) return frame;
    at = at.parent;
  }
  return at;
}

function collectSources(outline: TokenOutline): void {
  const { tokens, frames } = outline;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    const frame = frames[i];
    if (token === undefined || frame?.body === undefined) continue;
    if (frame.kind !== 'source' && frame.kind !== 'join') continue;
    if (!isWord(token.text) || structuralWords.has(token.lower) || isString(token)) continue;
    const previous = tokens[i - 1];
    if (isExpansionFunction(token.lower) && tokens[i + 1]?.text === '(') {
      frame.body.sources.push(readExpansion(outline, i));
      continue;
    }
    const starts =
      previous?.text === '{' || previous?.text === ',' || previous?.text === '(' || previous?.lower === 'with';
    if (!starts) continue;
    const nameEnd = dottedNameEnd(tokens, i);
    let aliasAt = nameEnd;
    if (tokens[aliasAt]?.lower === 'as') aliasAt++;
    const alias = tokens[aliasAt];
    const hasAlias = alias !== undefined && isWord(alias.text) && !structuralWords.has(alias.lower) && !isString(alias);
    frame.body.sources.push({
      kind: 'datasource',
      datasource: tokens.slice(i, nameEnd).reduce((name, part) => name + part.text, ''),
      alias: hasAlias ? alias.text : undefined,
      token: i,
      aliasToken: hasAlias ? aliasAt : undefined,
    });
  }
}

/** Two datasources of the service have a dot in their name. */
function dottedNameEnd(tokens: readonly OutlineToken[], at: number): number {
  const next = tokens[at + 2];
  return tokens[at + 1]?.text === '.' && next !== undefined && isWord(next.text) ? at + 3 : at + 1;
}

function readExpansion(outline: TokenOutline, at: number): OutlineExpansion {
  const { tokens, closes } = outline;
  const end = closes.get(at + 1) ?? tokens.length;
  let next = end + 1;
  if (tokens[next]?.lower === 'as') next++;
  const first = tokens[next];
  const named = (token: OutlineToken | undefined): string | undefined =>
    token !== undefined && isWord(token.text) && !isString(token) ? token.text : undefined;
  let columnAlias = named(first);
  let tableAlias: string | undefined;
  if (first?.text === '(') {
    columnAlias = named(tokens[next + 1]);
  } else if (columnAlias !== undefined && tokens[next + 1]?.text === '(') {
    tableAlias = columnAlias;
    columnAlias = named(tokens[next + 2]);
  }
  return { kind: 'expansion', columnAlias, tableAlias, argument: [at + 2, Math.max(at + 2, end)], token: at };
}

/** Index of the first token that ends behind or at `offset`… the one the cursor touches, or the next one. `tokens.length` when there is none. */
export function tokenIndexAt(tokens: readonly OutlineToken[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.end ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
