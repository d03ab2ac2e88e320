import type { TextEdit } from '../../text/edits.ts';
import type { TextRange } from '../../text/range.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** A change that removes the cause of a diagnostic. */
export interface Fix {
  /** What the person reads in the light-bulb menu, e.g. `Change to 'EVENT_NAME'`. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Safe fixes keep the query's meaning or are the only reading of it: "fix all" applies these alone. */
  readonly safe: boolean;
}

/** A fix of one edit. */
export function replaceFix(title: string, range: TextRange, newText: string, safe: boolean): Fix {
  return { title, edits: [{ range, newText }], safe };
}

/** A fix that inserts text at an offset. */
export function insertFix(title: string, at: number, newText: string, safe: boolean): Fix {
  return replaceFix(title, { start: at, end: at }, newText, safe);
}

/** One finding in one text. Ranges never leave the text. */
export interface Diagnostic {
  /** Stable, kebab-case, one namespace for syntax errors, semantic checks and lint rules; the key of its documentation page. */
  readonly code: string;
  readonly severity: Severity;
  readonly range: TextRange;
  /** What is wrong, why, and what to do; plain text. */
  readonly message: string;
  readonly fixes: readonly Fix[];
  /** `unnecessary` text is faded, `deprecated` text struck through. */
  readonly tags?: readonly ('unnecessary' | 'deprecated')[];
  readonly related?: readonly { readonly range: TextRange; readonly message: string }[];
}

/** No text gets more than this many diagnostics: error recovery on garbage can otherwise report thousands. */
export const maxDiagnostics = 100;

const severities: readonly Severity[] = ['error', 'warning', 'info', 'hint'];

/** As many as are shown, the graver ones first to stay; those that stay keep their order. */
export function keepGravest(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= maxDiagnostics) return diagnostics;
  const kept = new Set<Diagnostic>();
  for (const severity of severities) {
    for (const diagnostic of diagnostics) {
      if (kept.size < maxDiagnostics && diagnostic.severity === severity) kept.add(diagnostic);
    }
  }
  return diagnostics.filter((diagnostic) => kept.has(diagnostic));
}
