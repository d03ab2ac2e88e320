import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxDiagnostics } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import type { Node } from '../../../../../server/core/language/syntax/ast.ts';
import { type ParseResult, parse, parseExpression } from '../../../../../server/core/language/syntax/parse.ts';
import { childrenOf, nodePathAt, walk } from '../../../../../server/core/language/syntax/walk.ts';
import { anyText, expressionText, queryText } from '../../../../generators/lql.ts';
import { propertyRuns } from '../../../../generators/runs.ts';

/** What every result of parsing keeps to, whatever the text. */
function expectSound(parsed: ParseResult): void {
  const { text, tokens, comments, diagnostics } = parsed;
  const inside = ({ start, end }: { start: number; end: number }): boolean =>
    0 <= start && start <= end && end <= text.length;
  expect(diagnostics.length).toBeLessThanOrEqual(maxDiagnostics);
  for (const { range, fixes, related } of diagnostics) {
    expect(inside(range)).toBe(true);
    for (const edit of fixes.flatMap((fix) => fix.edits)) expect(inside(edit.range)).toBe(true);
    for (const other of related ?? []) expect(inside(other.range)).toBe(true);
  }
  const pieces = [...tokens, ...comments.map((comment) => comment.range)].sort((a, b) => a.start - b.start);
  let end = 0;
  for (const piece of pieces) {
    expect(piece.start).toBeGreaterThanOrEqual(end);
    expect(piece.end).toBeGreaterThan(piece.start);
    end = piece.end;
  }
  walk(parsed.file, (node, parent) => {
    expect(inside(node.range)).toBe(true);
    if (parent !== undefined && !Number.isNaN(node.range.start)) expect(kindsInOrder(parent)).toBe(true);
    return true;
  });
}

/** Children are given in the order of the text. */
function kindsInOrder(node: Node): boolean {
  const children = childrenOf(node);
  return children.every((child, index) => index === 0 || (children[index - 1]?.range.start ?? 0) <= child.range.start);
}

describe('any text', () => {
  test('is parsed without an exception, with everything inside the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expectSound(parse(text));
      }),
      propertyRuns(1000),
    );
  });

  test('is an expression or not, without an exception', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { range } = parseExpression(text);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThanOrEqual(text.length);
      }),
      propertyRuns(),
    );
  });

  test('has a path of nodes at every offset', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, pick) => {
        const offset = pick % (text.length + 1);
        const path = nodePathAt(parse(text).file, offset);
        expect(path[0]?.kind).toBe('file');
        for (const { range } of path) expect(range.start <= offset && offset <= range.end).toBe(true);
      }),
      propertyRuns(),
    );
  });
});

describe('a query that keeps to the grammar', () => {
  test('has no syntax errors, however it is laid out', () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const errors = parse(text).diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
        expect(errors).toEqual([]);
      }),
      propertyRuns(),
    );
  });

  test('has nodes that lie inside their parents', () => {
    fc.assert(
      fc.property(queryText, (text) => {
        walk(parse(text).file, (node, parent) => {
          // A name behind `on` belongs to the target, and what is joined further stands behind it: the target spans both.
          if (parent !== undefined) {
            expect(parent.range.start).toBeLessThanOrEqual(node.range.start);
            expect(node.range.end).toBeLessThanOrEqual(parent.range.end);
          }
          return true;
        });
      }),
      propertyRuns(),
    );
  });

  test('is made of tokens and trivia and nothing else', () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const { tokens, comments } = parse(text);
        const pieces = [...tokens, ...comments.map((comment) => comment.range)].sort((a, b) => a.start - b.start);
        let rebuilt = '';
        let end = 0;
        for (const piece of pieces) {
          const gap = text.slice(end, piece.start);
          expect(gap).toMatch(/^\s*$/);
          rebuilt += gap + text.slice(piece.start, piece.end);
          end = piece.end;
        }
        rebuilt += text.slice(end);
        expect(text.slice(end)).toMatch(/^\s*$/);
        expect(rebuilt).toBe(text);
      }),
      propertyRuns(),
    );
  });

  test('so does an expression', () => {
    fc.assert(
      fc.property(expressionText, (text) => {
        const { expression, diagnostics } = parseExpression(text);
        expect(diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
        expect(expression.kind).not.toBe('missing');
      }),
      propertyRuns(),
    );
  });
});
