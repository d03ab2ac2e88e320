import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { format, formatRange } from '../../../../../server/core/language/format/format.ts';
import { toWireText } from '../../../../../server/core/language/format/wire.ts';
import type { QueryFile } from '../../../../../server/core/language/syntax/ast.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { anyText, queryText } from '../../../../generators/lql.ts';
import { propertyRuns, propertyTimeout } from '../../../../generators/runs.ts';
import { printTree } from '../../../../support/print-syntax.ts';

const timeout = propertyTimeout();

const options = fc.record({
  indent: fc.constantFrom<number | 'tab'>(0, 2, 4, 'tab'),
  keywordCase: fc.constantFrom<'lower' | 'upper' | 'keep'>('lower', 'upper', 'keep'),
  lineWidth: fc.constantFrom(20, 60, 100),
});

/** The tokens and comments of a text in their order, keywords without regard to case. */
function pieces(text: string): readonly string[] {
  const { tokens, comments } = parse(text);
  return [
    ...tokens.map(({ kind, start, end }) => ({
      start,
      text: kind === 'identifier' ? text.slice(start, end) : text.slice(start, end).toLowerCase(),
    })),
    ...comments.map(({ range }) => ({ start: range.start, text: text.slice(range.start, range.end) })),
  ]
    .sort((a, b) => a.start - b.start)
    .map((piece) => piece.text);
}

const meaning = (file: QueryFile): string => printTree(file, { ranges: false });

/** The tree of a text with the name of the old form left out, as the wire leaves it out. */
function namelessMeaning(text: string): string {
  const { file } = parse(text);
  const { query } = file;
  return meaning(query?.kind === 'query' ? { ...file, query: { ...query, name: undefined } } : file);
}

describe('format', () => {
  test('gives what formatting again gives', { timeout }, () => {
    fc.assert(
      fc.property(queryText, options, (text, how) => {
        const once = format(text, how).text;
        expect(format(once, how).text).toBe(once);
        expect(format(once, how).edits).toEqual([]);
      }),
      propertyRuns(),
    );
  });

  test('keeps every token and comment in its order, and the meaning', { timeout }, () => {
    fc.assert(
      fc.property(queryText, options, (text, how) => {
        const { text: formatted, edits } = format(text, how);
        expect(pieces(formatted)).toEqual(pieces(text));
        expect(meaning(parse(formatted).file)).toBe(meaning(parse(text).file));
        expect(applyEdits(text, edits)).toBe(formatted);
      }),
      propertyRuns(),
    );
  });

  test('of a part keeps the tokens and touches nothing outside of its edits', { timeout }, () => {
    fc.assert(
      fc.property(queryText, fc.nat(), fc.nat(), (text, from, to) => {
        const start = Math.min(from % (text.length + 1), to % (text.length + 1));
        const end = Math.max(from % (text.length + 1), to % (text.length + 1));
        expect(pieces(formatRange(text, { start, end }).text)).toEqual(pieces(text));
      }),
      propertyRuns(),
    );
  });

  test('leaves texts with errors alone and never throws', { timeout }, () => {
    fc.assert(
      fc.property(anyText, options, (text, how) => {
        const { text: formatted, edits } = format(text, how);
        if (!parse(text).diagnostics.some((diagnostic) => diagnostic.severity === 'error')) return;
        expect(formatted).toBe(text);
        expect(edits).toEqual([]);
      }),
      propertyRuns(),
    );
  });
});

describe('the wire text', () => {
  test('is one line, has no comments and means the same', { timeout }, () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const wire = toWireText(text);
        expect(wire.kind).toBe('ok');
        if (wire.kind !== 'ok') return;
        expect(wire.text).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
        expect(parse(wire.text).comments).toEqual([]);
        expect(namelessMeaning(wire.text)).toBe(namelessMeaning(text));
        expect(wire.text.length).toBeLessThanOrEqual(text.length + 40 * (text.match(/[\n\r]/g)?.length ?? 0));
      }),
      propertyRuns(),
    );
  });

  test('of a formatted query means the same as that of the query', { timeout }, () => {
    fc.assert(
      fc.property(queryText, options, (text, how) => {
        const before = toWireText(text);
        const after = toWireText(format(text, how).text);
        if (before.kind !== 'ok' || after.kind !== 'ok') throw new Error('refused');
        expect(meaning(parse(after.text).file)).toBe(meaning(parse(before.text).file));
      }),
      propertyRuns(),
    );
  });

  test('is refused exactly for texts with errors and texts without a query', { timeout }, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { diagnostics, file } = parse(text);
        const sound = file.query !== undefined && !diagnostics.some((diagnostic) => diagnostic.severity === 'error');
        const wire = toWireText(text);
        expect(wire.kind).toBe(sound ? 'ok' : 'refused');
        if (wire.kind === 'refused') expect(wire.diagnostics.length).toBeGreaterThan(0);
      }),
      propertyRuns(),
    );
  });
});
