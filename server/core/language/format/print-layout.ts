import type { Comment, Token } from '../syntax/tokens.ts';
import type { Gap, Group, Layout } from './layout.ts';

/** A stretch of blanks and line breaks between two pieces of the text, and what it becomes. */
export interface NewGap {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface PrintSettings {
  /** What one level of indentation is written as. */
  readonly indent: string;
  readonly lineWidth: number;
  readonly lineEnd: string;
}

/** Columns that a tab counts for when lines are measured. */
const tabColumns = 4;

/** A token or comment with what is known about the gap in front of it. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly comment: Comment | undefined;
  /** Index of the token, or of the token behind the comment. */
  readonly token: number;
}

/**
 * Turns a layout into the gaps between tokens and comments. Only gaps change: tokens and comments stay what they are and in their order,
 * so nothing can be lost. A comment that stands on its own line keeps one, a comment behind code stays behind it.
 */
export function printGaps(
  text: string,
  tokens: readonly Token[],
  comments: readonly Comment[],
  layout: Layout,
  settings: PrintSettings,
): readonly NewGap[] {
  const pieces = mergePieces(tokens, comments);
  const forced = forcedBreaks(text, tokens, pieces, layout.gaps);
  const widths = flatWidths(tokens, layout.gaps);
  const state = createGroupState(tokens, layout, forced, widths, settings);
  const result: NewGap[] = [];
  let column = 0;
  let previous: Piece | undefined;
  const emit = (piece: Piece, gapText: string): void => {
    result.push({ start: previous?.end ?? textStart(text), end: piece.start, text: gapText });
    const source = text.slice(piece.start, piece.end);
    const lineStart = Math.max(source.lastIndexOf('\n'), source.lastIndexOf('\r'));
    if (lineStart >= 0) column = source.length - lineStart - 1;
    else
      column =
        (gapText.includes('\n') || gapText.includes('\r') ? widthOfIndent(gapText) : column + gapText.length) +
        source.length;
    previous = piece;
  };
  const lineBreak = (piece: Piece, level: number, keepsBlankLine: boolean): string => {
    const gap = text.slice(previous?.end ?? 0, piece.start);
    const blankLine = keepsBlankLine && (gap.match(/\r\n|\n|\r/g)?.length ?? 0) > 1;
    return (blankLine ? settings.lineEnd : '') + settings.lineEnd + settings.indent.repeat(level);
  };

  for (const piece of pieces) {
    const gap = layout.gaps[piece.token];
    const closes = gap === undefined || closing.has(tokens[piece.token]?.kind ?? '}');
    if (piece.comment !== undefined) {
      const level = gap === undefined ? 0 : closes ? gap.level + 1 : gap.level;
      const ownLine = hasLineBreak(text, previous?.end ?? 0, piece.start);
      const opened =
        previous !== undefined && previous.comment === undefined && opening.has(tokens[piece.token - 1]?.kind ?? '}');
      if (previous === undefined) emit(piece, '');
      else if (ownLine || isLineComment(previous)) emit(piece, lineBreak(piece, level, !opened));
      else emit(piece, ' ');
      continue;
    }
    if (gap === undefined || previous === undefined) {
      emit(piece, '');
      state.enter(piece.token, column);
      continue;
    }
    state.leave(piece.token);
    const behindComment = previous.comment !== undefined;
    const breaks =
      isLineComment(previous) ||
      (!behindComment && endsWithItsLine(text, tokens[piece.token - 1])) ||
      (behindComment && hasLineBreak(text, previous.end, piece.start)) ||
      gap.kind === 'break' ||
      ((gap.kind === 'soft' || gap.kind === 'soft-none') && state.isBroken());
    if (breaks) emit(piece, lineBreak(piece, gap.level, gap.keepsBlankLine || (behindComment && !closes)));
    else emit(piece, gap.kind === 'blank' || gap.kind === 'soft' || behindComment ? ' ' : '');
    state.enter(piece.token, column - (piece.end - piece.start));
  }

  const end = previous?.end ?? textStart(text);
  const tail = text.slice(end);
  result.push({
    start: end,
    end: text.length,
    text: previous !== undefined && /[\r\n]/.test(tail) ? settings.lineEnd : '',
  });
  return result;
}

const opening = new Set<string>(['{', '(']);
const closing = new Set<string>(['}', ')']);

/** Behind a byte order mark, which is not ours to remove. */
function textStart(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

function isLineComment(piece: Piece): boolean {
  return piece.comment !== undefined && piece.comment.style !== '/*';
}

/** A legacy string such as 'C:\\' ends where its line does: with text behind it, its quote would be an escaped one. */
function endsWithItsLine(text: string, token: Token | undefined): boolean {
  return token?.kind === 'legacy-string' && token.end - token.start > 2 && text.charCodeAt(token.end - 2) === 92;
}

function hasLineBreak(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) return true;
  }
  return false;
}

function widthOfIndent(gapText: string): number {
  const line = gapText.slice(Math.max(gapText.lastIndexOf('\n'), gapText.lastIndexOf('\r')) + 1);
  return [...line].reduce((width, char) => width + (char === '\t' ? tabColumns : 1), 0);
}

function mergePieces(tokens: readonly Token[], comments: readonly Comment[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let nextComment = 0;
  for (let index = 0; index <= tokens.length; index++) {
    const token = tokens[index];
    for (let comment = comments[nextComment]; comment !== undefined; comment = comments[nextComment]) {
      if (token !== undefined && comment.range.start > token.start) break;
      pieces.push({ start: comment.range.start, end: comment.range.end, comment, token: index });
      nextComment++;
    }
    if (token !== undefined) pieces.push({ start: token.start, end: token.end, comment: undefined, token: index });
  }
  return pieces;
}

/** For each token, how many things up to it force the lines around them to break; a group with one inside cannot be flat. */
function forcedBreaks(
  text: string,
  tokens: readonly Token[],
  pieces: readonly Piece[],
  gaps: readonly Gap[],
): Int32Array {
  const own = new Uint8Array(tokens.length + 1);
  for (const [i, gap] of gaps.entries()) if (gap.kind === 'break') own[i] = 1;
  for (const [i, piece] of pieces.entries()) {
    if (hasLineBreak(text, piece.start, piece.end)) own[piece.token] = 1;
    if (piece.comment === undefined) continue;
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    if (isLineComment(piece)) own[piece.token] = 1;
    if (before !== undefined && hasLineBreak(text, before.end, piece.start)) own[piece.token] = 1;
    if (after !== undefined && hasLineBreak(text, piece.end, after.start)) own[piece.token] = 1;
  }
  for (const [i, token] of tokens.entries()) if (endsWithItsLine(text, token)) own[i + 1] = 1;
  const sums = new Int32Array(tokens.length + 1);
  for (let i = 0; i < tokens.length; i++) sums[i + 1] = (sums[i] ?? 0) + (own[i] ?? 0);
  return sums;
}

/** For each token, how wide everything before it is when nothing breaks. */
function flatWidths(tokens: readonly Token[], gaps: readonly Gap[]): Int32Array {
  const sums = new Int32Array(tokens.length + 1);
  for (const [i, token] of tokens.entries()) {
    const kind = gaps[i]?.kind;
    const gap = i > 0 && (kind === 'blank' || kind === 'soft' || kind === 'break') ? 1 : 0;
    sums[i + 1] = (sums[i] ?? 0) + gap + token.end - token.start;
  }
  return sums;
}

interface GroupState {
  /** Opens the groups that begin with a token, which stands at `column`. */
  enter(token: number, column: number): void;
  /** Closes the groups that end before a token. */
  leave(token: number): void;
  /** Whether the innermost open group is broken over several lines. */
  isBroken(): boolean;
}

function createGroupState(
  tokens: readonly Token[],
  layout: Layout,
  forced: Int32Array,
  widths: Int32Array,
  settings: PrintSettings,
): GroupState {
  const open: { readonly to: number; readonly broken: boolean }[] = [];
  let next = 0;
  const isBroken = (): boolean => open[open.length - 1]?.broken ?? true;

  /** Width of what follows a token on its line at least, up to where the line can break. */
  const restOfLine = (token: number): number => {
    let width = 0;
    for (let i = token + 1; i < tokens.length && width <= settings.lineWidth; i++) {
      const gap = layout.gaps[i];
      const { start = 0, end = 0 } = tokens[i] ?? {};
      if (gap === undefined || gap.kind === 'break') break;
      if ((gap.kind === 'soft' || gap.kind === 'soft-none') && groupOf(i)?.broken !== false) break;
      width += (gap.kind === 'blank' || gap.kind === 'soft' ? 1 : 0) + end - start;
    }
    return width;
  };
  /** The innermost group open now that also holds token `index`; the gap in front of it breaks with that group. */
  const groupOf = (index: number): { readonly broken: boolean } | undefined =>
    open.findLast((candidate) => candidate.to >= index);

  const breaksInside = ({ from, to }: Group): boolean => (forced[to + 1] ?? 0) - (forced[from + 1] ?? 0) > 0;

  return {
    enter(token, column) {
      for (let group = layout.groups[next]; group !== undefined && group.from === token; group = layout.groups[next]) {
        next++;
        // Inside a flat group everything is flat.
        const parent = open[open.length - 1];
        const width =
          (widths[group.to + 1] ?? 0) -
          (widths[token + 1] ?? 0) +
          (tokens[token]?.end ?? 0) -
          (tokens[token]?.start ?? 0);
        const broken =
          parent?.broken !== false &&
          (breaksInside(group) || column + width + restOfLine(group.to) > settings.lineWidth);
        open.push({ to: group.to, broken });
      }
    },
    leave(token) {
      while ((open[open.length - 1]?.to ?? tokens.length) < token) open.pop();
    },
    isBroken,
  };
}
