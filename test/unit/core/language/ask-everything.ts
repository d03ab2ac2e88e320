import { expect } from 'vitest';
import type { AnalyzedText, LanguageService } from '../../../../server/core/language/language-service.ts';
import { applyEdits, type TextEdit } from '../../../../server/core/text/edits.ts';
import type { TextRange } from '../../../../server/core/text/range.ts';

function inside(query: AnalyzedText, ranges: readonly TextRange[]): void {
  for (const { start, end } of ranges) {
    if (!(0 <= start && start <= end && end <= query.text.length))
      throw new Error(`range ${start}–${end} leaves ${JSON.stringify(query.text)}`);
  }
}

function applicable(query: AnalyzedText, edits: readonly TextEdit[]): void {
  inside(
    query,
    edits.map(({ range }) => range),
  );
  applyEdits(query.text, edits);
}

/** Asks everything that can be asked at one place. */
export function askAt(lql: LanguageService, query: AnalyzedText, offset: number): void {
  const completion = lql.complete(query, offset, { snippets: true });
  inside(query, [completion.range]);
  for (const item of completion.items)
    applicable(query, [{ range: completion.range, newText: item.insertText }, ...(item.additionalEdits ?? [])]);
  // The word at the cursor is what a choice replaces.
  expect(completion.range.start <= offset && offset <= completion.range.end).toBe(true);
  const hover = lql.hover(query, offset, { catalogAge: undefined });
  if (hover !== undefined) {
    inside(query, [hover.range]);
    expect(hover.markdown).not.toBe('');
  }
  const help = lql.signatureHelp(query, offset);
  for (const { label } of help?.parameters ?? []) expect(help?.label.slice(...label)).not.toBe('');
  const selections = lql.selectionRanges(query, offset);
  inside(query, selections);
  expect(selections.at(-1)).toEqual({ start: 0, end: query.text.length });
  const thing = lql.namedThingAt(query, offset);
  inside(query, thing?.occurrences.map(({ range }) => range) ?? []);
  const rename = lql.rename(query, offset, 'renamed');
  if (rename.kind === 'edits') applicable(query, rename.edits);
  const prepared = lql.prepareRename(query, offset);
  if (prepared !== undefined) {
    inside(query, [prepared.range]);
    expect(query.text.slice(prepared.range.start, prepared.range.end)).toBe(prepared.placeholder);
  }
  const block = lql.closedBlock(query, offset);
  if (block !== undefined) applicable(query, lql.format(query, {}, block));
  for (const action of lql.codeActions(query, { start: offset, end: offset })) applicable(query, action.edits);
}

/** Asks what is asked of a text as a whole. */
export function askWhole(lql: LanguageService, query: AnalyzedText): void {
  inside(
    query,
    query.diagnostics.map(({ range }) => range),
  );
  for (const { fixes, related } of query.diagnostics) {
    for (const { edits } of fixes) applicable(query, edits);
    inside(query, related?.map(({ range }) => range) ?? []);
  }
  applicable(query, lql.fixAll(query));
  applicable(query, lql.format(query, {}));
  applicable(
    query,
    lql.format(query, { indent: 'tab' }, { start: query.text.length >> 2, end: query.text.length >> 1 }),
  );
  const symbols = [...lql.documentSymbols(query)];
  for (let symbol = symbols.pop(); symbol !== undefined; symbol = symbols.pop()) {
    inside(query, [symbol.range, symbol.selection]);
    symbols.push(...symbol.children);
  }
  inside(
    query,
    lql.foldingRanges(query).map(({ range }) => range),
  );
  let end = 0;
  for (const { range } of lql.semanticTokens(query)) {
    inside(query, [range]);
    expect(range.start).toBeGreaterThanOrEqual(end);
    end = range.end;
  }
  for (const { offset } of lql.inlayHints(query, { start: 0, end: query.text.length }))
    inside(query, [{ start: offset, end: offset }]);
}
