import type { TextEdit } from '../../text/edits.ts';
import type { TextRange } from '../../text/range.ts';
import { rangesTouch } from '../../text/range.ts';
import type { Diagnostic, Fix } from '../diagnostics/diagnostic.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export interface CodeAction {
  readonly title: string;
  readonly kind: 'quickfix' | 'suppress' | 'fixAll';
  readonly edits: readonly TextEdit[];
  /** What the action removes; undefined for "fix all". */
  readonly diagnostic: Diagnostic | undefined;
  /** The one to take when a person just presses the key. */
  readonly preferred: boolean;
}

/** Fixes for the diagnostics that touch `range`, comments that silence them, and "fix all" when the text has safe fixes. */
export function codeActions(query: AnalyzedText, range: TextRange): readonly CodeAction[] {
  const actions: CodeAction[] = [];
  for (const diagnostic of query.diagnostics) {
    if (!rangesTouch(diagnostic.range, range)) continue;
    diagnostic.fixes.forEach((fix, i) => {
      actions.push({
        title: fix.title,
        kind: 'quickfix',
        edits: fix.edits,
        diagnostic,
        preferred: i === 0 && fix.safe,
      });
    });
  }
  actions.push(...suppressions(query, range));
  const edits = fixAllEdits(query.diagnostics);
  if (edits.length > 0)
    actions.push({
      title: 'Fix all that can be fixed safely',
      kind: 'fixAll',
      edits,
      diagnostic: undefined,
      preferred: false,
    });
  return actions;
}

/** Comments that silence what touches `range`, one a code. Syntax errors cannot be silenced: the service refuses the text all the same. */
function suppressions(query: AnalyzedText, range: TextRange): CodeAction[] {
  const actions = new Map<string, CodeAction>();
  const syntax = new Set(query.parsed.diagnostics);
  for (const diagnostic of query.diagnostics) {
    if (syntax.has(diagnostic) || actions.has(diagnostic.code) || !rangesTouch(diagnostic.range, range)) continue;
    const line = lineStart(query.text, diagnostic.range.start);
    if (isInsideToken(query, line)) continue;
    const indent = /^[ \t]*/.exec(query.text.slice(line))?.[0] ?? '';
    const lineEnd = /\r\n|\n|\r/.exec(query.text)?.[0] ?? '\n';
    const newText = `${indent}-- lql-disable-next-line ${diagnostic.code}: ${lineEnd}`;
    actions.set(diagnostic.code, {
      title: `Silence ${diagnostic.code} on this line (say why behind the colon)`,
      kind: 'suppress',
      edits: [{ range: { start: line, end: line }, newText }],
      diagnostic,
      preferred: false,
    });
  }
  return [...actions.values()];
}

function lineStart(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== 10 && text.charCodeAt(at - 1) !== 13) at--;
  return at;
}

/** Whether a comment put at `offset` would end up inside of a string or of another comment. */
function isInsideToken({ parsed }: AnalyzedText, offset: number): boolean {
  const token = parsed.tokens.find(({ end }) => end > offset);
  return (
    (token !== undefined && token.start < offset) ||
    parsed.comments.some(({ range }) => range.start < offset && offset < range.end)
  );
}

/** The edits of all safe fixes, leaving out those that would touch the text of an earlier one. */
export function fixAllEdits(diagnostics: readonly Diagnostic[]): readonly TextEdit[] {
  return safeFixes(diagnostics)
    .flatMap(({ fix }) => fix.edits)
    .sort((a, b) => a.range.start - b.range.start);
}

/** The safe fix of each diagnostic that has one, leaving out those that would touch the text of an earlier one. */
export function safeFixes(diagnostics: readonly Diagnostic[]): readonly { readonly code: string; readonly fix: Fix }[] {
  const taken: { code: string; fix: Fix }[] = [];
  for (const { code, fixes } of diagnostics) {
    const fix = fixes.find((candidate) => candidate.safe);
    if (fix === undefined || fix.edits.length === 0) continue;
    const collides = fix.edits.some(({ range }) =>
      taken.some((other) => other.fix.edits.some((edit) => rangesTouch(range, edit.range))),
    );
    if (!collides) taken.push({ code, fix });
  }
  return taken;
}
