/**
 * The language service: the one door into `core/language` for everything outside of it. Synchronous and total: every call answers,
 * whatever the text; what is lacking (a schema) is named in the answer, and the host fetches it and configures the service anew.
 */
import type { TextEdit } from '../text/edits.ts';
import type { TextRange } from '../text/range.ts';
import type { Catalog } from './catalog/catalog.ts';
import { functions } from './catalog/functions/index.ts';
import type { AnalyzedText } from './features/analyzed-text.ts';
import { closedBlock } from './features/closed-block.ts';
import { type CodeAction, codeActions, fixAllEdits } from './features/code-actions.ts';
import { complete } from './features/completion/complete.ts';
import type { CompletionResult } from './features/completion/completion-item.ts';
import { type DocumentSymbol, documentSymbols } from './features/document-symbols.ts';
import { type FoldingRange, foldingRanges } from './features/folding-ranges.ts';
import { type Hover, hover } from './features/hover.ts';
import { type InlayHint, inlayHints } from './features/inlay-hints.ts';
import { usedKeys } from './features/json-places.ts';
import { type NamedThing, namedThingAt } from './features/occurrences.ts';
import { prepareRename, type RenameResult, rename } from './features/rename.ts';
import { selectionRanges } from './features/selection-ranges.ts';
import { type SemanticToken, semanticTokens } from './features/semantic-tokens.ts';
import { type SignatureHelp, signatureHelp } from './features/signature-help.ts';
import { outlineOf } from './features/token-outline.ts';
import { type FormatOptions, formatParsed, formatRange } from './format/format.ts';
import { allDiagnostics, type LintOptions } from './lint/lint.ts';
import { analyze } from './semantics/analyze.ts';
import { checkPolicyQuery, type PolicyCheckOptions } from './semantics/policy-check.ts';
import { type ParseResult, parse } from './syntax/parse.ts';

export interface LanguageSettings {
  readonly catalog: Catalog | undefined;
  /** `SVC` or `LW`. */
  readonly vendorPrefix: string;
}

export interface LanguageService {
  /** Takes over a catalog. Texts analyzed before are analyzed again when next asked for; their syntax trees are kept. */
  configure(settings: LanguageSettings): void;
  readonly settings: LanguageSettings;
  /**
   * Everything known about `text`. The answer is kept under `id`, and given again while text, settings and lint options stay the same.
   * `id` names the text over its lifetime, e.g. a document's URI and the number of the region.
   */
  analyze(id: string, text: string, lintOptions?: LintOptions): AnalyzedText;
  /** Drops what is kept under ids that start with `idPrefix`. */
  forget(idPrefix: string): void;

  complete(query: AnalyzedText, offset: number, options: { readonly snippets: boolean }): CompletionResult;
  hover(query: AnalyzedText, offset: number, options: { readonly catalogAge: string | undefined }): Hover | undefined;
  signatureHelp(query: AnalyzedText, offset: number): SignatureHelp | undefined;
  documentSymbols(query: AnalyzedText): readonly DocumentSymbol[];
  foldingRanges(query: AnalyzedText): readonly FoldingRange[];
  selectionRanges(query: AnalyzedText, offset: number): readonly TextRange[];
  semanticTokens(query: AnalyzedText): readonly SemanticToken[];
  /** Definition, references and highlights: the first occurrence is the declaration. */
  namedThingAt(query: AnalyzedText, offset: number): NamedThing | undefined;
  prepareRename(query: AnalyzedText, offset: number): { range: TextRange; placeholder: string } | undefined;
  rename(query: AnalyzedText, offset: number, newName: string): RenameResult;
  codeActions(query: AnalyzedText, range: TextRange): readonly CodeAction[];
  fixAll(query: AnalyzedText): readonly TextEdit[];
  /** The edits that lay the query out in the one style, or those that touch `range` alone. None for a text with errors. */
  format(query: AnalyzedText, options: Partial<FormatOptions>, range?: TextRange): readonly TextEdit[];
  /** The block whose `}` was typed right in front of `offset`. */
  closedBlock(query: AnalyzedText, offset: number): TextRange | undefined;
  inlayHints(query: AnalyzedText, range: TextRange): readonly InlayHint[];
}

interface Entry {
  readonly parsed: ParseResult;
  readonly settings: LanguageSettings;
  readonly lintOptions: LintOptions | undefined;
  readonly analyzed: AnalyzedText;
  keys: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined;
}

export function createLanguageService(initial: LanguageSettings): LanguageService {
  let settings = initial;
  const entries = new Map<string, Entry>();

  const keysElsewhere = (own: AnalyzedText) => (place: string) => {
    const sum = new Map<string, number>();
    for (const entry of entries.values()) {
      if (entry.parsed === own.parsed) continue;
      entry.keys ??= usedKeys(outlineOf(entry.parsed), settings.catalog);
      for (const [key, count] of entry.keys.get(place) ?? []) sum.set(key, (sum.get(key) ?? 0) + count);
    }
    return sum;
  };

  return {
    configure(next) {
      settings = next;
    },
    get settings() {
      return settings;
    },
    analyze(id, text, lintOptions) {
      const known = entries.get(id);
      const sameText = known !== undefined && known.parsed.text === text;
      if (sameText && known.settings === settings && known.lintOptions === lintOptions) return known.analyzed;
      const parsed = sameText ? known.parsed : parse(text);
      const analyzed = analyzeParsed(parsed, settings, lintOptions);
      entries.set(id, { parsed, settings, lintOptions, analyzed, keys: undefined });
      return analyzed;
    },
    forget(idPrefix) {
      for (const id of entries.keys()) if (id.startsWith(idPrefix)) entries.delete(id);
    },
    complete: (query, offset, options) =>
      complete(query, offset, { ...options, functions, keysElsewhere: keysElsewhere(query) }),
    hover: (query, offset, options) => hover(query, offset, { ...options, functions }),
    signatureHelp: (query, offset) => signatureHelp(query, offset, functions),
    documentSymbols,
    foldingRanges,
    selectionRanges,
    semanticTokens: (query) => semanticTokens(query, functions),
    namedThingAt,
    prepareRename,
    rename,
    codeActions,
    fixAll: (query) => fixAllEdits(query.diagnostics),
    format: (query, options, range) =>
      (range === undefined ? formatParsed(query.parsed, options) : formatRange(query.text, range, options)).edits,
    closedBlock,
    inlayHints: (query, range) => inlayHints(query, range, functions),
  };
}

/** Everything known about one text, without keeping anything. For hosts that see each text once. */
export function analyzeText(text: string, settings: LanguageSettings, lintOptions?: LintOptions): AnalyzedText {
  return analyzeParsed(parse(text), settings, lintOptions);
}

function analyzeParsed(
  parsed: ParseResult,
  settings: LanguageSettings,
  lintOptions: LintOptions | undefined,
): AnalyzedText {
  const model = analyze(parsed, settings);
  const diagnostics = allDiagnostics(parsed, model, lintOptions ?? noLintOptions);
  return { text: parsed.text, parsed, model, diagnostics, ...settings, lintOptions: lintOptions ?? noLintOptions };
}

/** The same query with what policies demand of it among its diagnostics; most queries belong to no policy. */
export function asPolicyQuery(query: AnalyzedText, options: PolicyCheckOptions): AnalyzedText {
  const { parsed, model, lintOptions } = query;
  return { ...query, diagnostics: allDiagnostics(parsed, model, lintOptions, checkPolicyQuery(model, options)) };
}

const noLintOptions: LintOptions = {};

export type { Catalog, Column, Datasource, Relationship } from './catalog/catalog.ts';
export { diagnosticCodes } from './diagnostics/codes.ts';
export type { Diagnostic, Fix, Severity } from './diagnostics/diagnostic.ts';
export { documentationPath } from './diagnostics/documentation.ts';
export type { AnalyzedText } from './features/analyzed-text.ts';
export { type CodeAction, fixAllEdits, safeFixes } from './features/code-actions.ts';
export type { CompletionItem, CompletionKind, CompletionResult } from './features/completion/completion-item.ts';
export type { DocumentSymbol } from './features/document-symbols.ts';
export { inspectQuery, pictureText, type QueryPicture } from './features/inspect.ts';
export { addColumn, addCondition } from './features/query-edits.ts';
export { semanticTokenKinds } from './features/semantic-tokens.ts';
export { type FormatOptions, format } from './format/format.ts';
export { toWireText } from './format/wire.ts';
export { type LintConfig, readLintConfig } from './lint/config.ts';
export type { LintOptions } from './lint/lint.ts';
export { jsonPlaceOfResult } from './semantics/json-place.ts';
export { checkPolicyQuery } from './semantics/policy-check.ts';
export type { SemanticModel } from './semantics/semantic-model.ts';
export type { ParseResult } from './syntax/parse.ts';
