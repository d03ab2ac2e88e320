import { suggestAmong } from '../catalog/lookup.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { messages } from '../diagnostics/messages.ts';
import type { Expression, ReturnBlock, ReturnColumn, ReturnStar } from '../syntax/ast.ts';
import { languageWords, reservedWords } from '../syntax/tokens.ts';
import { checkExpression, type ExpressionCheck } from './check-expression.ts';
import { renameFixes, report, sourceText } from './context.ts';
import { findAliasedSource, findSource, typeOfSymbol } from './scope.ts';
import type { ColumnSymbol, ResultColumn } from './semantic-model.ts';

/** Checks a return block and gives its columns, named as the service returns them: in capitals. */
export function checkReturn(check: ExpressionCheck, block: ReturnBlock): readonly ResultColumn[] {
  const columns: ResultColumn[] = [];
  for (const item of block.items) {
    if (item.kind === 'returnStar') addStar(check, columns, item);
    else addColumn(check, columns, item, block);
  }
  if (columns.length > 1) checkUnique(check, columns);
  return columns;
}

function addColumn(check: ExpressionCheck, columns: ResultColumn[], item: ReturnColumn, block: ReturnBlock): void {
  const type = checkExpression(check, item.expression);
  if (item.expression.kind === 'missing') return;
  const label = item.alias?.name ?? ownName(check, item, block);
  if (label === '') return;
  const { expression } = item;
  const symbol = expression.kind === 'column' ? check.context.references.get(expression) : undefined;
  columns.push({ name: label.toUpperCase(), label, type, item, expression, symbol });
}

/** The name a returned expression has without an alias; what has none is reported and gets the name that the fix would give it. */
function ownName(check: ExpressionCheck, item: ReturnColumn, block: ReturnBlock): string {
  const { context } = check;
  const plain = withoutParentheses(item.expression);
  if (plain.kind === 'column') return plain.name.name;
  const field = plain.kind === 'path' ? fieldOf(plain) : undefined;
  if (plain.kind === 'path' && field !== undefined) {
    const alias = freeAlias(block, aliasFromKey(plain.keys.at(-1)?.name ?? ''));
    report(context, 'unaliased-path', plain.range, messages.unaliasedPath(field, alias), {
      fixes: [addAliasFix(item, alias)],
    });
    return field;
  }
  const alias = freeAlias(block, suggestAlias(plain));
  report(context, 'unaliased-expression', item.expression.range, messages.unaliasedExpression(), {
    fixes: [addAliasFix(item, alias)],
  });
  return alias;
}

function addAliasFix(item: ReturnColumn, alias: string): Fix {
  const { end } = item.expression.range;
  return { title: `Add 'as ${alias}'`, edits: [{ range: { start: end, end }, newText: ` as ${alias}` }], safe: false };
}

function withoutParentheses(expression: Expression): Expression {
  let node = expression;
  while (node.kind === 'parenthesized') node = node.expression;
  return node;
}

/** The column below a JSON path, through any casts and parentheses. */
function fieldOf(expression: Expression): string | undefined {
  let node = expression;
  while (node.kind === 'path' || node.kind === 'cast' || node.kind === 'parenthesized') {
    node = node.kind === 'path' ? node.base : node.kind === 'cast' ? node.operand : node.expression;
  }
  return node.kind === 'column' ? node.name.name : undefined;
}

function suggestAlias(expression: Expression): string {
  let node = expression;
  while (node.kind === 'cast' || node.kind === 'parenthesized') {
    node = node.kind === 'cast' ? node.operand : node.expression;
  }
  switch (node.kind) {
    case 'path':
      return aliasFromKey(node.keys.at(-1)?.name ?? '');
    case 'column':
      return node.name.name;
    case 'call': {
      const [only, second] = node.args;
      const inner = only !== undefined && second === undefined ? suggestAlias(only) : '';
      return inner === '' || inner === 'EXPRESSION' ? node.name.name.toUpperCase() : inner;
    }
    default:
      return 'EXPRESSION';
  }
}

/** `eventTime` as EVENT_TIME; keys that give no identifier become VALUE. */
function aliasFromKey(key: string): string {
  const words = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  return /^[A-Z]/.test(words) && !wordsOfTheLanguage.has(words) ? words : `VALUE${words === '' ? '' : `_${words}`}`;
}

/** Keys of JSON are called so all the time; as a name such a word reads like syntax. */
const wordsOfTheLanguage: ReadonlySet<string> = new Set([
  ...reservedWords,
  ...languageWords.map((word) => word.toUpperCase()),
]);

function freeAlias(block: ReturnBlock, wanted: string): string {
  const taken = new Set<string>();
  for (const item of block.items) {
    if (item.kind !== 'returnColumn') continue;
    const plain = withoutParentheses(item.expression);
    const name = item.alias?.name ?? (plain.kind === 'column' ? plain.name.name : undefined);
    if (name !== undefined) taken.add(name.toUpperCase());
  }
  let alias = wanted;
  for (let n = 2; taken.has(alias.toUpperCase()); n++) alias = `${wanted}_${n}`;
  return alias;
}

function addStar(check: ExpressionCheck, columns: ResultColumn[], item: ReturnStar): void {
  const { context, scope } = check;
  if (item.qualifier === undefined || item.qualifier.name === '') return;
  const { name, range } = item.qualifier;
  const source = findSource(scope, name) ?? findAliasedSource(scope, name);
  if (source === undefined) {
    if (scope.incomplete) return;
    const known = scope.sources.flatMap((each) => (each.kind === 'datasource' ? [each.name] : []));
    const suggestions = suggestAmong(name, known);
    report(context, 'unknown-qualifier', range, messages.unknownQualifier(name, suggestions, known), {
      fixes: renameFixes(range, suggestions.names, suggestions.caseOnly),
    });
    return;
  }
  if (source.kind === 'expansion') {
    push(columns, item, source.name, { kind: 'expansionColumn', source });
    return;
  }
  if (source.name !== name) {
    report(context, 'aliased-source-name', range, messages.aliasedSourceName(name, source.name), {
      fixes: renameFixes(range, [source.name], true),
    });
  }
  for (const column of source.datasource?.columns ?? []) {
    push(columns, item, column.name, { kind: 'column', source, name: column.name, column });
  }
}

function push(columns: ResultColumn[], item: ReturnStar, label: string, symbol: ColumnSymbol): void {
  columns.push({ name: label.toUpperCase(), label, type: typeOfSymbol(symbol), item, expression: undefined, symbol });
}

/** An alias that no other result column has. */
function ownAlias({ context }: ExpressionCheck, expression: Expression, columns: readonly ResultColumn[]): Fix {
  const taken = new Set(columns.map(({ name }) => name));
  const words = sourceText(context, expression)
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_+$/g, '');
  const wanted = (words === '' ? 'COLUMN' : words).slice(0, 60).toUpperCase();
  let alias = wanted;
  for (let n = 2; taken.has(alias); n++) alias = `${wanted}_${n}`;
  const { end } = expression.range;
  return { title: `Add 'as ${alias}'`, edits: [{ range: { start: end, end }, newText: ` as ${alias}` }], safe: false };
}

function checkUnique(check: ExpressionCheck, columns: readonly ResultColumn[]): void {
  const { context } = check;
  const byName = new Map<string, ResultColumn>();
  const reported = new Set<ReturnStar>();
  for (const column of columns) {
    const first = byName.get(column.name);
    if (first === undefined) {
      byName.set(column.name, column);
      continue;
    }
    const { item } = column;
    const message = messages.duplicateResultColumn(column.label, first.label);
    const related = [{ range: first.item.range, message: `'${first.label}' is returned here first` }];
    if (item.kind === 'returnStar') {
      // One message a star, however many of its columns are there already; the guide does not say how the service treats it.
      if (!reported.has(item))
        report(context, 'duplicate-result-column', item.range, message, { severity: 'warning', related });
      reported.add(item);
    } else {
      const range = item.alias?.range ?? item.expression.range;
      const severity = first.item.kind === 'returnStar' ? ('warning' as const) : ('error' as const);
      const fixes = item.alias === undefined ? [ownAlias(check, item.expression, columns)] : [];
      report(context, 'duplicate-result-column', range, message, { severity, related, fixes });
    }
  }
}
