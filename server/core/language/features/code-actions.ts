import type { TextEdit } from '../../text/edits.ts';
import type { TextRange } from '../../text/range.ts';
import { rangesTouch } from '../../text/range.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export interface CodeAction {
  readonly title: string;
  readonly kind: 'quickfix' | 'fixAll';
  readonly edits: readonly TextEdit[];
  /** What the action removes; undefined for "fix all". */
  readonly diagnostic: Diagnostic | undefined;
  /** The one to take when a person just presses the key. */
  readonly preferred: boolean;
}

/** Fixes for the diagnostics that touch `range`, and "fix all" when the text has safe fixes. */
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

/** The edits of all safe fixes, leaving out those that would touch the text of an earlier one. */
export function fixAllEdits(diagnostics: readonly Diagnostic[]): readonly TextEdit[] {
  const taken: TextEdit[] = [];
  for (const diagnostic of diagnostics) {
    const fix = diagnostic.fixes.find((candidate) => candidate.safe);
    if (fix === undefined || fix.edits.length === 0) continue;
    const collides = fix.edits.some((edit) => taken.some((other) => rangesTouch(edit.range, other.range)));
    if (!collides) taken.push(...fix.edits);
  }
  return taken.sort((a, b) => a.range.start - b.range.start);
}
