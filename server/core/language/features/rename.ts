import type { TextEdit } from '../../text/edits.ts';
import { type TextRange, touches } from '../../text/range.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { namedThingAt } from './occurrences.ts';
import { structuralWords } from './token-outline.ts';

export type RenameResult =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  /** `reason` says what is wrong with the name or the place, for the person. */
  | { readonly kind: 'refused'; readonly reason: string };

const reservedWords: ReadonlySet<string> = new Set(
  'expr join limit outer paraminfo properties select sql type variant where'.split(' '),
);

/** What would be renamed at `offset`: its range and present name. Undefined where nothing can be renamed. */
export function prepareRename(
  query: AnalyzedText,
  offset: number,
): { range: TextRange; placeholder: string } | undefined {
  const thing = namedThingAt(query, offset);
  if (thing === undefined || thing.kind === 'datasource') return undefined;
  const here = thing.occurrences.find(({ range }) => touches(range, offset));
  return here && { range: here.range, placeholder: thing.name };
}

/** Renames the alias at `offset` in its declaration and all uses. */
export function rename(query: AnalyzedText, offset: number, newName: string): RenameResult {
  const thing = namedThingAt(query, offset);
  if (thing === undefined)
    return {
      kind: 'refused',
      reason: 'There is no alias here. Only names that the query itself gives can be renamed.',
    };
  if (thing.kind === 'datasource')
    return {
      kind: 'refused',
      reason: `${thing.name} is a datasource of the service and keeps its name. Give it an alias instead: ${thing.name} as a.`,
    };
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(newName))
    return {
      kind: 'refused',
      reason: `"${newName}" is not a name: names start with a letter and go on with letters, digits and underscores.`,
    };
  const lower = newName.toLowerCase();
  if (reservedWords.has(lower) || structuralWords.has(lower))
    return { kind: 'refused', reason: `"${newName}" is a reserved word and cannot be an alias. Choose another name.` };
  const taken = takenNames(query, thing.occurrences[0]?.range);
  if (newName !== thing.name && taken.has(newName))
    return {
      kind: 'refused',
      reason: `The query already uses the name ${newName}. Two sources cannot share a name: choose another.`,
    };
  return { kind: 'edits', edits: thing.occurrences.map(({ range }) => ({ range, newText: newName })) };
}

/** Names of sources in the body where `declaration` stands. */
function takenNames(query: AnalyzedText, declaration: TextRange | undefined): Set<string> {
  const names = new Set<string>();
  if (declaration === undefined) return names;
  for (const scope of query.model.scopes.values()) {
    if (!scope.sources.some((source) => declares(source.node.range, declaration))) continue;
    for (const source of scope.sources) {
      names.add(source.name);
      if (source.kind === 'expansion' && source.tableAlias !== undefined) names.add(source.tableAlias);
    }
  }
  return names;
}

function declares(node: TextRange, declaration: TextRange): boolean {
  return node.start <= declaration.start && declaration.end <= node.end;
}
