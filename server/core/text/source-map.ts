import type { TextRange } from './range.ts';

/**
 * Maps offsets between a text and the document it was taken from: quoting, escapes and indentation of the document
 * ("outer") are not in the text ("inner"). Pieces are in order on both sides.
 */
export interface SourceMap {
  /** The part of the document the text was taken from. */
  readonly outer: TextRange;
  readonly innerLength: number;
  /**
   * Offset in the document of `inner`. Where the document holds more than the text (indentation between two lines), `side` tells
   * which end of the gap is meant: `after` for where something starts, `before` for where something ends.
   */
  toOuter(inner: number, side: 'before' | 'after'): number;
  /** Offset in the text of `outer`, or undefined outside of the map. Inside a gap it is the text behind the gap, inside an escape its start. */
  toInner(outer: number): number | undefined;
  /** Whether `inner` lies within what one escape or fold of the document stands for: nothing can be written there. */
  isInside(inner: number): boolean;
}

export interface SourceMapBuilder {
  /** The document's characters `start` to `end` are in the text as they are. */
  copy(start: number, end: number): void;
  /** The document's characters `start` to `end` stand for `text`. Empty text is a gap. */
  replace(start: number, end: number, text: string): void;
  build(): { readonly text: string; readonly map: SourceMap };
}

interface Piece {
  readonly inner: number;
  readonly innerEnd: number;
  readonly outer: number;
  readonly outerEnd: number;
  readonly isReplaced: boolean;
}

/** `outer` is the range of the document that belongs to the text, quotes left out. */
export function createSourceMapBuilder(document: string, outer: TextRange): SourceMapBuilder {
  const parts: string[] = [];
  const pieces: Piece[] = [];
  let inner = 0;
  return {
    copy(start, end) {
      if (start >= end) return;
      const last = pieces.at(-1);
      const isVerbatim = last !== undefined && last.outerEnd === start && !last.isReplaced;
      const piece = { inner, innerEnd: inner + end - start, outer: start, outerEnd: end, isReplaced: false };
      if (isVerbatim) pieces[pieces.length - 1] = { ...piece, inner: last.inner, outer: last.outer };
      else pieces.push(piece);
      parts.push(document.slice(start, end));
      inner += end - start;
    },
    replace(start, end, text) {
      if (text === '') return;
      pieces.push({ inner, innerEnd: inner + text.length, outer: start, outerEnd: end, isReplaced: true });
      parts.push(text);
      inner += text.length;
    },
    build: () => ({ text: parts.join(''), map: createMap(pieces, outer, inner) }),
  };
}

/** The map of a document that is its own text. */
export function identityMap(length: number): SourceMap {
  return createMap(
    length === 0 ? [] : [{ inner: 0, innerEnd: length, outer: 0, outerEnd: length, isReplaced: false }],
    { start: 0, end: length },
    length,
  );
}

function createMap(pieces: readonly Piece[], outer: TextRange, innerLength: number): SourceMap {
  /** Index of the last piece whose `key` is at or before `offset`; -1 when there is none. */
  const lastAt = (key: 'inner' | 'outer', offset: number): number => {
    let low = 0;
    let high = pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pieces[middle]?.[key] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  return {
    outer,
    innerLength,
    toOuter(offset, side) {
      let at = lastAt('inner', offset);
      if (side === 'before' && at > 0 && pieces[at]?.inner === offset) at--;
      const piece = pieces[at];
      if (piece === undefined) return pieces[0]?.outer ?? outer.start;
      if (offset >= piece.innerEnd) return piece.outerEnd;
      const into = offset - piece.inner;
      if (!piece.isReplaced) return piece.outer + into;
      return into === 0 || side === 'after' ? piece.outer : piece.outerEnd;
    },
    isInside(offset) {
      const piece = pieces[lastAt('inner', offset)];
      if (piece === undefined || piece.inner === offset || offset >= piece.innerEnd) return false;
      return piece.isReplaced;
    },
    toInner(offset) {
      if (offset < outer.start || offset > outer.end) return undefined;
      const at = lastAt('outer', offset);
      const piece = pieces[at];
      if (piece === undefined) return 0;
      if (offset < piece.outerEnd) {
        return piece.isReplaced ? piece.inner : piece.inner + offset - piece.outer;
      }
      return piece.innerEnd;
    },
  };
}
