import type { SemanticModel, SourceSymbol } from '../semantics/semantic-model.ts';
import type { ColumnReference, Expression, ReturnStar } from '../syntax/ast.ts';

/** How often a source is used. */
export interface SourceUse {
  readonly references: readonly ColumnReference[];
  /** Uses through its own name: `alias.COLUMN` and `alias.*`. */
  readonly qualified: number;
  /** Uses as `alias.*`. */
  readonly stars: number;
}

/** What several rules ask about one query. */
export interface QueryFacts {
  useOf(source: SourceSymbol): SourceUse;
  /** True when some name could not be resolved: it may be a use of anything. */
  hasUnresolvedNames(): boolean;
}

interface SourceUseCount {
  readonly references: ColumnReference[];
  qualified: number;
  stars: number;
}

const noUse: SourceUse = { references: [], qualified: 0, stars: 0 };

export function createFacts(model: SemanticModel): QueryFacts {
  let uses: Map<SourceSymbol, SourceUseCount> | undefined;
  let unresolved: boolean | undefined;
  return {
    useOf(source) {
      uses ??= countUses(model);
      return uses.get(source) ?? noUse;
    },
    hasUnresolvedNames() {
      unresolved ??= hasUnresolved(model);
      return unresolved;
    },
  };
}

function countUses(model: SemanticModel): Map<SourceSymbol, SourceUseCount> {
  const uses = new Map<SourceSymbol, SourceUseCount>();
  const useOf = (source: SourceSymbol): SourceUseCount => {
    let use = uses.get(source);
    if (use === undefined) {
      use = { references: [], qualified: 0, stars: 0 };
      uses.set(source, use);
    }
    return use;
  };
  for (const [reference, symbol] of model.references) {
    const use = useOf(symbol.source);
    use.references.push(reference);
    if (reference.qualifier !== undefined) use.qualified++;
  }
  for (const scope of model.scopes.values()) {
    for (const item of scope.body.return?.items ?? []) {
      if (item.kind !== 'returnStar') continue;
      const source = starSource(scope.sources, item);
      if (source === undefined) continue;
      const use = useOf(source);
      use.qualified++;
      use.stars++;
    }
  }
  return uses;
}

function starSource(sources: readonly SourceSymbol[], star: ReturnStar): SourceSymbol | undefined {
  const name = star.qualifier?.name;
  return sources.find((source) => (source.kind === 'datasource' ? source.name : source.tableAlias) === name);
}

function hasUnresolved(model: SemanticModel): boolean {
  for (const expression of model.types.keys()) {
    if (expression.kind === 'column' && !model.references.has(expression)) return true;
  }
  return false;
}

/** The expression inside any parentheses. */
export function unwrap(expression: Expression): Expression {
  let node = expression;
  while (node.kind === 'parenthesized') node = node.expression;
  return node;
}
