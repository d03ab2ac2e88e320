import type { DatasourceSymbol, Scope, SemanticModel } from '../../core/language/semantics/semantic-model.ts';
import { badRequest } from '../service-error.ts';

/**
 * Refuses queries that a policy cannot run: where a join may find many partners, or an array is expanded, several rows may tell of one
 * resource. So the rows must be distinct and may only hold columns that the resource has once.
 * @throws ServiceError 400
 */
export function checkPolicyQuery(model: SemanticModel): void {
  for (const [body, scope] of model.scopes) {
    if (scope.parent !== undefined || !multiplies(scope)) continue;
    if (!body.return?.distinct) {
      throw refusal('it joins along a relationship to many or expands an array, so its return must be distinct');
    }
    const root = scope.sources[0];
    for (const column of model.resultColumns) {
      const symbols = column.symbol === undefined ? symbolsOf(model, column.item.range) : [column.symbol];
      for (const symbol of symbols) {
        if (symbol.kind === 'expansionColumn' || symbol.source.many) {
          const name = symbol.kind === 'expansionColumn' ? symbol.source.name : symbol.name;
          throw refusal(
            `it returns ${name}, of which a resource of ${root?.name ?? 'its first datasource'} may have many`,
          );
        }
      }
    }
  }
}

function multiplies(scope: Scope): boolean {
  return scope.sources.some((source) => source.kind === 'expansion' || (source satisfies DatasourceSymbol).many);
}

function symbolsOf(model: SemanticModel, range: { readonly start: number; readonly end: number }) {
  return [...model.references].flatMap(([node, symbol]) =>
    node.range.start >= range.start && node.range.end <= range.end ? [symbol] : [],
  );
}

function refusal(reason: string): Error {
  return badRequest(`Error: The query cannot be used in a policy: ${reason}`);
}
