import { type TextRange, touches } from '../../text/range.ts';
import type { SourceSymbol } from '../semantics/semantic-model.ts';
import type { Body, Identifier, Node } from '../syntax/ast.ts';
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

/** All things a query names, with every place they are named at. Linear in the size of the query. */
function namedThings(query: AnalyzedText): readonly NamedThing[] {
  const known = thingsOfQueries.get(query);
  if (known !== undefined) return known;
  const uses = usesByBody(query);
  const things: NamedThing[] = [];
  for (const scope of query.model.scopes.values()) {
    const own = uses.get(scope.body);
    for (const source of scope.sources) things.push(...thingsOf(source, own));
  }
  thingsOfQueries.set(query, things);
  return things;
}

/** Highlights, renames and definitions ask about one version in turn. */
const thingsOfQueries = new WeakMap<AnalyzedText, readonly NamedThing[]>();

interface Use {
  readonly identifier: Identifier;
  readonly source: SourceSymbol | undefined;
}

/** Uses of names, by `qualifier a` or `name x`. */
type Uses = ReadonlyMap<string, readonly Use[]>;

/** The names used in each body itself: a subquery has names of its own and never sees those around it. */
function usesByBody(query: AnalyzedText): ReadonlyMap<Body, Uses> {
  const bodies = new Map<Node, Body>();
  const uses = new Map<Body, Map<string, Use[]>>();
  const add = (body: Body, key: string, use: Use): void => {
    let own = uses.get(body);
    if (own === undefined) {
      own = new Map();
      uses.set(body, own);
    }
    const list = own.get(key);
    if (list === undefined) own.set(key, [use]);
    else list.push(use);
  };
  walk(query.model.file, (node, parent) => {
    const body = node.kind === 'body' ? node : parent && bodies.get(parent);
    if (body === undefined) return undefined;
    bodies.set(node, body);
    if (node.kind === 'column') {
      const source = query.model.references.get(node)?.source;
      if (node.qualifier !== undefined)
        add(body, `qualifier ${node.qualifier.name}`, { identifier: node.qualifier, source });
      add(body, `name ${node.name.name}`, { identifier: node.name, source });
    } else if (node.kind === 'returnStar' && node.qualifier !== undefined) {
      add(body, `qualifier ${node.qualifier.name}`, { identifier: node.qualifier, source: undefined });
    }
    return undefined;
  });
  return uses;
}

function thingsOf(source: SourceSymbol, uses: Uses | undefined): NamedThing[] {
  const named = (
    name: string,
    declaration: TextRange,
    kind: NamedThing['kind'],
    role: 'qualifier' | 'name',
  ): NamedThing => {
    const own = (uses?.get(`${role} ${name}`) ?? []).filter(
      (use) => use.source === source || (role === 'qualifier' && use.source === undefined),
    );
    return {
      name,
      kind,
      occurrences: [
        { range: declaration, kind: 'declaration' },
        ...own.map(({ identifier }) => ({ range: identifier.range, kind: 'use' as const })),
      ],
    };
  };
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
