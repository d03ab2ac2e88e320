import type { Catalog } from '../catalog/catalog.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LintOptions } from '../lint/lint.ts';
import type { SemanticModel } from '../semantics/semantic-model.ts';
import type { ParseResult } from '../syntax/parse.ts';

/** One query text with everything the stages found out about it. All features read this; offsets are into `text`. */
export interface AnalyzedText {
  readonly text: string;
  readonly parsed: ParseResult;
  readonly model: SemanticModel;
  /** Syntax, semantics and lint together, in the order of the text, capped. */
  readonly diagnostics: readonly Diagnostic[];
  readonly catalog: Catalog | undefined;
  /** `SVC` or `LW`. */
  readonly vendorPrefix: string;
  readonly lintOptions: LintOptions;
}
