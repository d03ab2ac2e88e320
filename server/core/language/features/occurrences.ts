import { type TextRange, touches } from '../../text/range.ts';
import type { Scope, SourceSymbol } from '../semantics/semantic-model.ts';
import type { Identifier, Node } from '../syntax/ast.ts';
import { walk } from '../syntax/walk.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export interface Occurrence {
  readonly range: TextRange;
  readonly kind: 'declaration' | 'use';
}

/** Something a query itself gives a name: an alias of a datasource, a column or table alias of an expansion, a datasource used by its own name. */
export interface NamedThing {
  readonly name: string;
  readonly kind: 'alias' | 'datasource' | 'expansionColumn' | 'expansionTable';
  /** The first is the declaration; all lie in one body. */
  readonly occurrences: readonly Occurrence[];
}

/** The named thing at `offset`: definition, references, highlights and rename all come from here. */
export function namedThingAt(query: AnalyzedText, offset: number): NamedThing | undefined {
  return namedThings(query).find((thing) => thing.occurrences.some(({ range }) => touches(range, offset)));
}

/** All things a query names, with every place they are named at. */
export function namedThings(query: AnalyzedText): readonly NamedThing[] {
  const things: NamedThing[] = [];
  for (const scope of query.model.scopes.values()) {
    const uses = usesIn(query, scope);
    for (const source of scope.sources) things.push(...thingsOf(source, uses));
  }
  return things;
}

interface Use {
  readonly identifier: Identifier;
  readonly role: 'qualifier' | 'name';
  readonly source: SourceSymbol | undefined;
}

/** Names used in the scope's own body: subqueries have their own scope and never see these names. */
function usesIn(query: AnalyzedText, scope: Scope): Use[] {
  const uses: Use[] = [];
  const visit = (node: Node): void => {
    if (node.kind === 'column') {
      const source = query.model.references.get(node)?.source;
      if (node.qualifier !== undefined) uses.push({ identifier: node.qualifier, role: 'qualifier', source });
      uses.push({ identifier: node.name, role: 'name', source });
    } else if (node.kind === 'returnStar' && node.qualifier !== undefined) {
      uses.push({ identifier: node.qualifier, role: 'qualifier', source: undefined });
    }
  };
  const inner = [...query.model.scopes.keys()].filter((body) => body !== scope.body);
  walk(scope.body, (node) => {
    const isInner = inner.some(
      (body) =>
        body.range.start <= node.range.start &&
        node.range.end <= body.range.end &&
        body.range.start > scope.body.range.start,
    );
    if (!isInner) visit(node);
  });
  return uses;
}

function thingsOf(source: SourceSymbol, uses: readonly Use[]): NamedThing[] {
  const named = (name: string, declaration: TextRange, kind: NamedThing['kind'], role: Use['role']): NamedThing => ({
    name,
    kind,
    occurrences: [
      { range: declaration, kind: 'declaration' as const },
      ...uses
        .filter(
          (use) =>
            use.role === role &&
            use.identifier.name === name &&
            (use.source === source || (role === 'qualifier' && use.source === undefined)),
        )
        .map((use) => ({ range: use.identifier.range, kind: 'use' as const })),
    ],
  });
  if (source.kind === 'datasource') {
    const { alias, name } = source.node;
    if (alias !== undefined) return [named(alias.name, alias.range, 'alias', 'qualifier')];
    return [named(name.name, name.range, 'datasource', 'qualifier')];
  }
  const { columnAlias, tableAlias } = source.node;
  const things: NamedThing[] = [];
  if (columnAlias !== undefined) things.push(named(columnAlias.name, columnAlias.range, 'expansionColumn', 'name'));
  if (tableAlias !== undefined) things.push(named(tableAlias.name, tableAlias.range, 'expansionTable', 'qualifier'));
  return things;
}
