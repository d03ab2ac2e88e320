import { contains, type TextRange } from '../../text/range.ts';
import { type PolicyCode, policyCodes } from '../diagnostics/codes/policy-codes.ts';
import type { Diagnostic, Fix } from '../diagnostics/diagnostic.ts';
import type { Body, ReturnBlock } from '../syntax/ast.ts';
import type { DatasourceSymbol, Scope, SemanticModel, SourceSymbol } from './semantic-model.ts';

export interface PolicyCheckOptions {
  /** Result columns that the texts of the policy's alerts name; case does not matter. */
  readonly alertColumns?: readonly string[];
}

/**
 * What a policy demands of its query beyond what every query must be. Every body of a union is checked for itself. Nothing is reported
 * of joins whose cardinality the catalog does not tell.
 */
export function checkPolicyQuery(model: SemanticModel, options: PolicyCheckOptions = {}): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const { query } = model;
  const bodies = query === undefined ? [] : query.kind === 'query' ? [query.body] : query.bodies;
  for (const body of bodies) {
    const scope = model.scopes.get(body);
    if (scope !== undefined && body.return !== undefined) checkBody(model, body, body.return, scope, diagnostics);
  }
  const first = bodies[0];
  if (first?.return !== undefined) checkFields(model, first, first.return, options, diagnostics);
  return diagnostics;
}

function checkBody(
  model: SemanticModel,
  body: Body,
  block: ReturnBlock,
  scope: Scope,
  diagnostics: Diagnostic[],
): void {
  const multiplying = scope.sources.filter((source) => source.kind === 'expansion' || source.many);
  const [first] = multiplying;
  if (first !== undefined) {
    const cause =
      first.kind === 'expansion' ? `the array expansion '${first.name}'` : `the MANY relationship to '${first.name}'`;
    if (!block.distinct) {
      const at = block.keywordRange.end;
      add(
        diagnostics,
        'policy-needs-distinct',
        block.keywordRange,
        `A policy's query must 'return distinct' here, because ${cause} gives several rows for one resource.`,
        [{ title: "Add 'distinct'", edits: [{ range: { start: at, end: at }, newText: ' distinct' }], safe: true }],
      );
    }
    for (const source of multiplying) reportReturned(model, block, source, diagnostics);
  }
  const root = scope.sources[0];
  if (root?.kind !== 'datasource') return;
  for (const source of scope.sources) {
    if (source.kind !== 'datasource' || source.joinedFrom === undefined) continue;
    const kinds = [kindOfData(source), kindOfData(source.joinedFrom)];
    if (!kinds.includes('activity') || !kinds.includes('configuration')) continue;
    add(
      diagnostics,
      'policy-joins-activity',
      source.node.name.range,
      `'${source.joinedFrom.node.name.name}' and '${source.node.name.name}' are activity and configuration data: people report that a policy which joins them is refused. Make it two policies, or keep to one kind of data.`,
    );
  }
  const isConfiguration = kindOfData(root) === 'configuration';
  if (isConfiguration && !hasResultColumn(model, body, block, 'RESOURCE_KEY')) {
    const identity = block.items.find(
      (item) =>
        item.kind === 'returnColumn' &&
        item.alias === undefined &&
        item.expression.kind === 'column' &&
        /^(ARN|URN)$/.test(item.expression.name.name),
    );
    const at = identity?.range.end;
    add(
      diagnostics,
      'policy-without-resource-key',
      block.keywordRange,
      "A policy on configuration data names the violating resource by RESOURCE_KEY. Return the identifying column under that name, e.g. 'ARN as RESOURCE_KEY' or 'URN as RESOURCE_KEY'.",
      at === undefined
        ? []
        : [
            {
              title: "Add 'as RESOURCE_KEY'",
              edits: [{ range: { start: at, end: at }, newText: ' as RESOURCE_KEY' }],
              safe: false,
            },
          ],
    );
  }
}

function reportReturned(
  model: SemanticModel,
  block: ReturnBlock,
  source: SourceSymbol,
  diagnostics: Diagnostic[],
): void {
  const what =
    source.kind === 'expansion'
      ? `the array expansion '${source.name}'`
      : `'${source.name}', which is reached by a MANY relationship`;
  const message = `A policy may not return columns of ${what}: return only columns of the first datasource and of those reached by ONE relationships, and use this one in the filter.`;
  for (const [reference, symbol] of model.references) {
    if (symbol.source !== source || !contains(block.range, reference.range)) continue;
    add(diagnostics, 'policy-returns-many', reference.range, message);
  }
  const qualifier = source.kind === 'datasource' ? source.name : source.tableAlias;
  for (const item of block.items) {
    if (item.kind === 'returnStar' && qualifier !== undefined && item.qualifier?.name === qualifier) {
      add(diagnostics, 'policy-returns-many', item.range, message);
    }
  }
}

function checkFields(
  model: SemanticModel,
  body: Body,
  block: ReturnBlock,
  options: PolicyCheckOptions,
  diagnostics: Diagnostic[],
): void {
  const missing = (options.alertColumns ?? []).filter((field) => !hasResultColumn(model, body, block, field));
  if (missing.length === 0) return;
  const one = missing.length === 1;
  add(
    diagnostics,
    'policy-missing-field',
    block.keywordRange,
    `The alert profile reads ${one ? 'the result column' : 'the result columns'} ${missing.join(', ')}, which this query does not return. Return ${one ? 'it' : 'them'}, or choose another alert profile.`,
  );
}

function hasResultColumn(model: SemanticModel, body: Body, block: ReturnBlock, name: string): boolean {
  const upper = name.toUpperCase();
  const firstBody = model.query?.kind === 'union' ? model.query.bodies[0] : model.query?.body;
  // The result is described by the first body; the others of a union return the same columns or have been reported.
  if (body !== firstBody) return true;
  if (model.resultColumns.some((column) => column.name === upper)) return true;
  // A star of a source whose columns are not known may bring anything.
  const scope = model.scopes.get(body);
  return block.items.some(
    (item) =>
      item.kind === 'returnStar' &&
      scope?.sources.some(
        (source) =>
          source.kind === 'datasource' &&
          source.name === item.qualifier?.name &&
          source.datasource?.columns === undefined,
      ) === true,
  );
}

function kindOfData(source: DatasourceSymbol): 'activity' | 'configuration' | 'other' {
  const name = source.node.name.name;
  if (name === 'CloudTrailRawEvents' || /^[A-Z]+_ACT_/.test(name)) return 'activity';
  return /^[A-Z]+_CFG_/.test(name) ? 'configuration' : 'other';
}

function add(
  diagnostics: Diagnostic[],
  code: PolicyCode,
  range: TextRange,
  message: string,
  fixes: readonly Fix[] = [],
): void {
  diagnostics.push({ code, severity: policyCodes[code].severity, range, message, fixes });
}
