import { messages } from '../diagnostics/messages.ts';
import type { Body, InQueryExpression, Query } from '../syntax/ast.ts';
import { areComparable, isOpen } from '../types/conversions.ts';
import { bindSources } from './bind.ts';
import { checkCondition, checkExpression, type ExpressionCheck } from './check-expression.ts';
import { checkReturn } from './check-return.ts';
import { type AnalysisContext, type OpenScope, report } from './context.ts';
import type { ResultColumn } from './semantic-model.ts';

const noColumns: readonly ResultColumn[] = [];

/** Binds and checks a whole query and gives the columns of its result. */
export function checkQuery(context: AnalysisContext, query: Query): readonly ResultColumn[] {
  if (query.kind === 'query') return checkBody(context, query.body, undefined);
  let firstBody: Body | undefined;
  let first = noColumns;
  for (const body of query.bodies) {
    const columns = checkBody(context, body, undefined);
    if (firstBody === undefined) {
      firstBody = body;
      first = columns;
    } else if (hasCountableColumns(firstBody, first) && hasCountableColumns(body, columns)) {
      compareUnionColumns(context, body, first, columns);
    }
  }
  return first;
}

/** Whether the columns found are all there are: broken items are left out, and a star has as many columns as only the account knows. */
function hasCountableColumns(body: Body, columns: readonly ResultColumn[]): boolean {
  const items = body.return?.items ?? [];
  return columns.length > 0 && columns.length === items.length && items.every((item) => item.kind === 'returnColumn');
}

function checkBody(context: AnalysisContext, body: Body, parent: OpenScope | undefined): readonly ResultColumn[] {
  const scope = bindSources(context, body, parent, (openScope, item) => {
    const type = checkExpression({ context, scope: openScope, checkSubquery }, item.argument);
    if (type === 'json' || isOpen(type)) return;
    report(context, 'argument-type', item.argument.range, messages.expansionArgument(item.functionName.name, type));
  });
  const check: ExpressionCheck = { context, scope, checkSubquery };
  if (body.filter !== undefined) checkCondition(check, body.filter.condition);
  return body.return === undefined ? noColumns : checkReturn(check, body.return);
}

function checkSubquery(context: AnalysisContext, query: InQueryExpression, scope: OpenScope): readonly ResultColumn[] {
  const { laterItems } = context;
  context.laterItems = [];
  const columns = checkBody(context, query.body, scope);
  context.laterItems = laterItems;
  return columns;
}

function compareUnionColumns(
  context: AnalysisContext,
  body: Body,
  first: readonly ResultColumn[],
  columns: readonly ResultColumn[],
): void {
  const block = body.return;
  if (block === undefined) return;
  if (columns.length !== first.length) {
    report(context, 'union-columns', block.keywordRange, messages.unionColumnCount(first.length, columns.length));
    return;
  }
  columns.forEach((column, i) => {
    const expected = first[i];
    if (expected === undefined) return;
    if (!areComparable(expected.type, column.type)) {
      report(
        context,
        'union-columns',
        column.item.range,
        messages.unionColumnType(column.label, expected.type, column.type),
      );
    } else if (expected.name !== column.name) {
      const { item } = column;
      const place =
        item.kind === 'returnStar' ? undefined : (item.alias?.range ?? { start: item.range.end, end: item.range.end });
      const newText =
        item.kind === 'returnColumn' && item.alias !== undefined ? expected.label : ` as ${expected.label}`;
      const fix = place && { title: `Name it '${expected.label}'`, edits: [{ range: place, newText }], safe: false };
      report(context, 'union-column-names', item.range, messages.unionColumnName(expected.label, column.label), {
        fixes: fix === undefined ? [] : [fix],
      });
    }
  });
}
