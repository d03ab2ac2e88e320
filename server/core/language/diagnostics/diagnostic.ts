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
