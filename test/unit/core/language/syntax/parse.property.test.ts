import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxDiagnostics } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import type { Node } from '../../../../../server/core/language/syntax/ast.ts';
import { type ParseResult, parse } from '../../../../../server/core/language/syntax/parse.ts';
import { childrenOf, nodePathAt, walk } from '../../../../../server/core/language/syntax/walk.ts';
import { anyText, expressionText, queryText } from '../../../../generators/lql.ts';
import { propertyRuns, propertyTimeout } from '../../../../generators/runs.ts';
import { parseExpression } from '../../../../support/parse-expression.ts';

const timeout = propertyTimeout();

/** Thousands of facts are asked of every text; a plain condition costs nothing, an assertion of the test runner much. */
function must(fact: boolean, what: string): void {
  if (!fact) throw new Error(what);
}

/** What every result of parsing keeps to, whatever the text. */
function expectSound(parsed: ParseResult): void {
  const { text, tokens, comments, diagnostics } = parsed;
  const inside = ({ start, end }: { start: number; end: number }, what: string): void =>
    must(0 <= start && start <= end && end <= text.length, `${what} ${start}..${end} leaves the text`);
  must(diagnostics.length <= maxDiagnostics, `${diagnostics.length} diagnostics`);
  for (const { code, range, fixes, related } of diagnostics) {
    inside(range, code);
    for (const edit of fixes.flatMap((fix) => fix.edits)) inside(edit.range, `fix of ${code}`);
    for (const other of related ?? []) inside(other.range, `related to ${code}`);
  }
  const pieces = [...tokens, ...comments.map((comment) => comment.range)].sort((a, b) => a.start - b.start);
  let end = 0;
  for (const piece of pieces) {
    must(piece.start >= end && piece.end > piece.start, `token at ${piece.start} overlaps the one before`);
    end = piece.end;
  }
  walk(parsed.file, (node) => {
    inside(node.range, node.kind);
    must(hasChildrenInOrder(node), `children of ${node.kind} at ${node.range.start} are out of order`);
    return true;
  });
}

/** Children are given in the order of the text. */
function hasChildrenInOrder(node: Node): boolean {
  const children = childrenOf(node);
  return children.every((child, index) => index === 0 || (children[index - 1]?.range.start ?? 0) <= child.range.start);
}

describe('any text', () => {
  test('is parsed without an exception, with everything inside the text', { timeout }, () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expectSound(parse(text));
      }),
      propertyRuns(1000),
    );
  });

  test('has a path of nodes at every offset', { timeout }, () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, pick) => {
        const offset = pick % (text.length + 1);
        const path = nodePathAt(parse(text).file, offset);
        expect(path[0]?.kind).toBe('file');
        for (const { range } of path) must(range.start <= offset && offset <= range.end, `path leaves ${offset}`);
      }),
      propertyRuns(),
    );
  });
});

describe('a query that keeps to the grammar', () => {
  test('has no syntax errors, however it is laid out', { timeout }, () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const errors = parse(text).diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
        expect(errors).toEqual([]);
      }),
      propertyRuns(),
    );
  });

  test('has nodes that lie inside their parents', { timeout }, () => {
    fc.assert(
      fc.property(queryText, (text) => {
        walk(parse(text).file, (node, parent) => {
          // A name behind `on` belongs to the target, and what is joined further stands behind it: the target spans both.
          if (parent !== undefined) {
            const { start, end } = parent.range;
            must(start <= node.range.start && node.range.end <= end, `${node.kind} leaves its ${parent.kind}`);
          }
          return true;
        });
      }),
      propertyRuns(),
    );
  });

  test('is made of tokens and trivia and nothing else', { timeout }, () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const { tokens, comments } = parse(text);
        const pieces = [...tokens, ...comments.map((comment) => comment.range)].sort((a, b) => a.start - b.start);
        let rebuilt = '';
        let end = 0;
        for (const piece of pieces) {
          const gap = text.slice(end, piece.start);
          must(/^\s*$/.test(gap), `${JSON.stringify(gap)} is neither token nor trivia`);
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

  test('so does an expression', { timeout }, () => {
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
