import { type Diagnostic, safeFixes } from '../language/language-service.ts';
import { applyEdits, changedSpan, type TextEdit } from '../text/edits.ts';
import { rangesTouch } from '../text/range.ts';
import { type Region, toDocumentEdits } from './region.ts';

/** What is wrong with a document: with each of its queries, in terms of their texts, and with the objects around them. */
export interface CheckedDocument {
  readonly queries: readonly { readonly region: Region; readonly diagnostics: readonly Diagnostic[] }[];
  /** Ranges and edits are of the document. */
  readonly resources: readonly Diagnostic[];
}

export interface FixedDocument {
  readonly text: string;
  /** From the text as it was; empty when nothing could be fixed. */
  readonly edits: readonly TextEdit[];
  /** Code of each fix, in the order in which they were applied. */
  readonly fixed: readonly string[];
}

/** A fix can make another one possible; fixes that undo one another must end all the same. */
const maxRounds = 10;

/**
 * Applies every safe fix of a document, and those that come into sight by them, until nothing changes. Fixes that the host's form cannot hold
 * are left out, and so are those in texts that the host fills in later.
 */
export function fixDocument(text: string, check: (text: string) => CheckedDocument): FixedDocument {
  const fixed: string[] = [];
  let current = text;
  let onlyEdits: readonly TextEdit[] = [];
  let rounds = 0;
  for (; rounds < maxRounds; rounds++) {
    const { edits, codes } = safeEdits(check(current));
    if (edits.length === 0) break;
    const next = applyEdits(current, edits);
    if (next === current) break;
    fixed.push(...codes);
    onlyEdits = edits;
    current = next;
  }
  return { text: current, edits: rounds <= 1 ? onlyEdits : changedSpan(text, current), fixed };
}

function safeEdits({ queries, resources }: CheckedDocument): {
  readonly edits: readonly TextEdit[];
  readonly codes: readonly string[];
} {
  const edits: TextEdit[] = [];
  const codes: string[] = [];
  const take = (code: string, outer: readonly TextEdit[] | undefined): void => {
    if (outer === undefined) return;
    if (outer.some(({ range }) => edits.some((other) => rangesTouch(range, other.range)))) return;
    edits.push(...outer);
    codes.push(code);
  };
  for (const { region, diagnostics } of queries) {
    if (region.isTemplate) continue;
    for (const { code, fix } of safeFixes(diagnostics)) take(code, toDocumentEdits(region, fix.edits));
  }
  for (const { code, fix } of safeFixes(resources)) take(code, fix.edits);
  return { edits: edits.sort((a, b) => a.range.start - b.range.start), codes };
}
