import type { TextEdit } from '../../../text/edits.ts';
import type { TextRange } from '../../../text/range.ts';
import type { FunctionDefinition } from '../../catalog/function-definition.ts';

export type CompletionKind =
  | 'keyword'
  | 'operator'
  | 'datasource'
  | 'family'
  | 'column'
  | 'alias'
  | 'function'
  | 'key'
  | 'relationship'
  | 'type'
  | 'snippet'
  | 'status';

/** One proposal. Data, not presentation: icons and protocol numbers are chosen by who shows it. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: CompletionKind;
  /** Shown right behind the label, e.g. `(searchIn, searchFor)`. */
  readonly signature?: string;
  /** One short line, e.g. `String · LW_CFG_AWS_S3`. Plain text. */
  readonly detail?: string;
  /** Makes Markdown with all data escaped. Called for the one item a person looks at. */
  readonly documentation?: () => string;
  readonly insertText: string;
  /** `insertText` holds `$1` and `${1:name}` placeholders. */
  readonly isSnippet?: boolean;
  /** Smaller comes first. Lists are ordered by this, then by label. */
  readonly rank: number;
  readonly deprecated?: boolean;
  /** Further changes that go with the choice. They do not touch the completed word. */
  readonly additionalEdits?: readonly TextEdit[];
  /** Ask for proposals again right after inserting. */
  readonly retrigger?: boolean;
}

export interface CompletionOptions {
  /** The functions of the language by lower-case name. */
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  /** Keys other open queries use at a place (see `placeKey`), with how often. */
  readonly keysElsewhere: (place: string) => ReadonlyMap<string, number>;
  /** False makes everything insert as plain text. */
  readonly snippets: boolean;
}

export interface CompletionResult {
  /** What is replaced: the word at the cursor, or an empty range. The same for every item. */
  readonly range: TextRange;
  readonly items: readonly CompletionItem[];
  /** True when the list was cut: a longer word may bring other items. */
  readonly isIncomplete: boolean;
  /** Datasources whose columns would have been proposed but are not known yet. */
  readonly missingSchemas: readonly string[];
}

/** Text that a snippet inserts as it is. */
export function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&');
}
