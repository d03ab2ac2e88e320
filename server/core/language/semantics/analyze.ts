import type { TextRange } from '../../text/range.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ParseResult } from '../syntax/parse.ts';
import { reportForeignNames } from './bind.ts';
import { checkQuery } from './check.ts';
import type { AnalysisContext } from './context.ts';
import type { ResultColumn, SemanticModel } from './semantic-model.ts';

export interface AnalyzeOptions {
  /** Without a catalog (or with an empty one) nothing that needs it is reported. */
  readonly catalog: Catalog | undefined;
  /** `SVC` or `LW`. */
  readonly vendorPrefix: string;
}

const noColumns: readonly ResultColumn[] = [];

/**
 * Binds and checks a parsed text: what its names mean, which types its expressions have, what its result looks like, and what is
 * wrong with it. Never throws; a broken tree gives a model of the parts that are whole.
 */
export function analyze(parsed: ParseResult, options: AnalyzeOptions): SemanticModel {
  const { catalog } = options;
  const syntaxErrors: TextRange[] = [];
  for (const diagnostic of parsed.diagnostics) {
    if (diagnostic.severity === 'error') syntaxErrors.push(diagnostic.range);
  }
  const context: AnalysisContext = {
    text: parsed.text,
    catalog: catalog === undefined || catalog.datasources.size === 0 ? undefined : catalog,
    syntaxErrors,
    syntaxFindings: parsed.diagnostics.map((diagnostic) => diagnostic.range),
    scopes: new Map(),
    references: new Map(),
    calls: new Map(),
    types: new Map(),
    datasourceNames: new Set(),
    missingSchemas: new Set(),
    diagnostics: [],
    foreignNames: new Set(),
    firstForeignRange: undefined,
    laterItems: [],
  };
  const { query } = parsed.file;
  const resultColumns = query === undefined ? noColumns : checkQuery(context, query);
  reportForeignNames(context);
  return {
    file: parsed.file,
    query,
    scopes: context.scopes,
    references: context.references,
    observedKeys: context.catalog?.observedKeys,
    calls: context.calls,
    types: context.types,
    resultColumns,
    datasourceNames: [...context.datasourceNames],
    missingSchemas: [...context.missingSchemas],
    diagnostics: context.diagnostics,
  };
}
