import type { TextRange } from '../../text/range.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import type { SemanticCode } from '../diagnostics/codes/semantic-codes.ts';
import { semanticCodes } from '../diagnostics/codes/semantic-codes.ts';
import { type Diagnostic, type Fix, maxDiagnostics, type Severity } from '../diagnostics/diagnostic.ts';
import type { Body, CallExpression, ColumnReference, Expression, SourceItem } from '../syntax/ast.ts';
import type { LqlType } from '../types/types.ts';
import type { ColumnSymbol, Scope, SourceSymbol } from './semantic-model.ts';

/** A scope while its source block is being bound. */
export interface OpenScope extends Scope {
  readonly sources: SourceSymbol[];
  readonly parent: OpenScope | undefined;
  /** True when the source block could not be read whole: a name that is missing from it may be declared in the lost part. */
  incomplete: boolean;
}

/** What one run of `analyze` gathers. Created per call, never shared. */
export interface AnalysisContext {
  readonly text: string;
  /** Undefined without a catalog, and when it is empty: then nothing that needs one is reported. */
  readonly catalog: Catalog | undefined;
  /** Places of syntax errors: what they touch may be incomplete in the tree. */
  readonly syntaxErrors: readonly TextRange[];
  /** Places of all syntax diagnostics, milder ones included. */
  readonly syntaxFindings: readonly TextRange[];
  readonly scopes: Map<Body, OpenScope>;
  readonly references: Map<ColumnReference, ColumnSymbol>;
  readonly calls: Map<CallExpression, FunctionDefinition>;
  readonly types: Map<Expression, LqlType>;
  readonly datasourceNames: Set<string>;
  readonly missingSchemas: Set<string>;
  readonly diagnostics: Diagnostic[];
  /** Names of datasources that carry another vendor prefix, with the place of the first: one hint tells of them all. */
  readonly foreignNames: Set<string>;
  firstForeignRange: TextRange | undefined;
  /** While an expansion's argument is checked: what stands behind it in the source block, which it cannot use yet. */
  laterItems: readonly SourceItem[];
}

export interface ReportExtras {
  readonly fixes?: readonly Fix[];
  /** Where a single occurrence is milder than the code's own severity. */
  readonly severity?: Severity;
  readonly tags?: readonly ('unnecessary' | 'deprecated')[];
  readonly related?: readonly { readonly range: TextRange; readonly message: string }[];
}

const noFixes: readonly Fix[] = [];

export function report(
  context: AnalysisContext,
  code: SemanticCode,
  range: TextRange,
  message: string,
  extras?: ReportExtras,
): void {
  // What the syntax stage has found wrong (a reserved word as a name) is not wrong a second time.
  if (context.syntaxErrors.some((error) => error.start === range.start && error.end === range.end)) return;
  const severity = extras?.severity ?? semanticCodes[code].severity;
  if (context.diagnostics.length >= maxDiagnostics) {
    // In a full list an error takes the place of what is not one.
    const milder = context.diagnostics.findLastIndex((other) => other.severity !== 'error');
    if (severity !== 'error' || milder === -1) return;
    context.diagnostics.splice(milder, 1);
  }
  context.diagnostics.push({
    code,
    severity,
    range,
    message,
    fixes: extras?.fixes ?? noFixes,
    ...(extras?.tags === undefined ? undefined : { tags: extras.tags }),
    ...(extras?.related === undefined ? undefined : { related: extras.related }),
  });
}

/** One fix a suggested name; the first reading that differs in case alone is safe, the others are guesses. */
export function renameFixes(range: TextRange, names: readonly string[], caseOnly: boolean): readonly Fix[] {
  return names.map((name) => ({
    title: `Change to '${name}'`,
    edits: [{ range, newText: name }],
    safe: caseOnly && names.length === 1,
  }));
}

/** The text behind a node. */
export function sourceText(context: AnalysisContext, node: { readonly range: TextRange }): string {
  return context.text.slice(node.range.start, node.range.end);
}
