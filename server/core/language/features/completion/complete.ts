import { assertNever } from '../../../assert-never.ts';
import { castTypeNames, dataTypeOf } from '../../types/types.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { type CompletionContext, completionContext } from './completion-context.ts';
import type { CompletionItem, CompletionOptions, CompletionResult } from './completion-item.ts';
import { datasourceItems } from './datasource-items.ts';
import { functionItems } from './function-items.ts';
import { jsonKeyItems } from './json-key-items.ts';
import { blockKeywordItems, keywordItem, operatorItems, wholeQuerySnippets } from './keyword-items.ts';
import { columnItems, qualifiedItems } from './name-items.ts';
import { relatedColumnItems } from './related-items.ts';
import { relationshipItems } from './relationship-items.ts';

/** Proposals at `offset`. Works on any text, broken or not, and gives an empty list where nothing is to be said. */
export function complete(query: AnalyzedText, offset: number, options: CompletionOptions): CompletionResult {
  const context = completionContext(query.parsed, offset);
  const missing = new Set<string>();
  const found = itemsFor(query, context, options, missing);
  const { items, isIncomplete } = filterItems(found, context.prefix);
  return { range: context.range, items, isIncomplete: isIncomplete || missing.size > 0, missingSchemas: [...missing] };
}

function itemsFor(
  query: AnalyzedText,
  context: CompletionContext,
  options: CompletionOptions,
  missing: Set<string>,
): CompletionItem[] {
  switch (context.kind) {
    case 'nothing':
      return [];
    case 'emptyFile':
      return options.snippets ? wholeQuerySnippets() : [];
    case 'file':
      return [keywordItem('union', 10)];
    case 'blockKeyword':
      return blockKeywordItems(query.parsed, context.body, context.range.start, options.snippets);
    case 'afterReturn':
      return [keywordItem('distinct', 10, 'Drop repeated rows of the result.')];
    case 'datasource':
      return datasourceItems(query, context, options);
    case 'afterDatasource':
      return [
        keywordItem('with', 10, 'Join another datasource along a relationship that the service defines.'),
        ...(context.isTarget ? [keywordItem('on', 11, 'Name the relationship to join along.')] : []),
        ...(context.hasAlias ? [] : [keywordItem('as', 12, 'Give the datasource a short name.')]),
      ];
    case 'relationship':
      return relationshipItems(query, context);
    case 'operand': {
      const items = columnItems(query, context.frame.body, missing);
      if (context.startsReturnItem) items.push(...starItems(query, context));
      items.push(
        ...functionItems(query, context, options),
        ...valueKeywords,
        ...relatedColumnItems(query, context.frame.body, context.prefix),
      );
      return items;
    }
    case 'operator':
      return operatorItems(context, options.snippets);
    case 'afterNot':
      return ['in', 'like', 'ilike', 'rlike', 'between'].map((word) => keywordItem(word, 10));
    case 'afterIs':
      return (context.negated ? ['null', 'json null'] : ['null', 'not null', 'json null', 'not json null']).map(
        (word, i) => keywordItem(word, 10 + i),
      );
    case 'afterIn':
      return options.snippets ? [listSnippet, subquerySnippet] : [];
    case 'qualified':
      return qualifiedItems(query, context, missing);
    case 'jsonKey':
      return jsonKeyItems(query, context, options.keysElsewhere, missing);
    case 'type':
      return castTypeNames.map((name, i) => ({
        label: dataTypeOf(name),
        kind: 'type',
        detail: `cast to ${dataTypeOf(name)}`,
        insertText: dataTypeOf(name),
        rank: 10 + i,
      }));
    default:
      return assertNever(context);
  }
}

const valueKeywords: readonly CompletionItem[] = [
  keywordItem('not', 50),
  keywordItem('null', 51),
  keywordItem('true', 52),
  keywordItem('false', 53),
  {
    label: 'case',
    kind: 'keyword',
    detail: 'case when … then … else … end',
    insertText: `case when \${1:condition} then \${2:value} else \${3:value} end`,
    isSnippet: true,
    rank: 54,
  },
];

const listSnippet: CompletionItem = {
  label: '( … )',
  kind: 'snippet',
  detail: 'a list of values',
  insertText: '($0)',
  isSnippet: true,
  rank: 10,
};

const subquerySnippet: CompletionItem = {
  label: '{ source … return … }',
  kind: 'snippet',
  detail: 'the rows of a subquery',
  insertText: '{\n  source {\n    $1\n  }\n  return {\n    $2\n  }\n}',
  isSnippet: true,
  rank: 11,
};

function starItems(query: AnalyzedText, context: CompletionContext & { kind: 'operand' }): CompletionItem[] {
  return (context.frame.body?.sources ?? []).flatMap((source) => {
    if (source.kind !== 'datasource') return [];
    const qualifier = source.alias ?? source.datasource;
    const count = query.catalog?.datasources.get(source.datasource)?.columns?.length;
    return [
      {
        label: `${qualifier}.*`,
        kind: 'column' as const,
        detail: count === undefined ? 'all columns' : `all ${count} columns`,
        insertText: `${qualifier}.*`,
        rank: 30,
      },
    ];
  });
}

/** More items than this are cut: 2,300 datasources need not cross the wire for every key. */
const maxItems = 400;

function filterItems(
  items: readonly CompletionItem[],
  prefix: string,
): { items: readonly CompletionItem[]; isIncomplete: boolean } {
  const wanted = prefix.toLowerCase();
  // By how well they match and their rank: few groups, and most items in one of them, which is in order already.
  const groups = new Map<number, CompletionItem[]>();
  for (const item of items) {
    const score = wanted === '' ? 0 : matchScore(item.label.toLowerCase(), wanted);
    if (score < 0) continue;
    const key = score * 1000 + item.rank;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  const chosen: CompletionItem[] = [];
  let isIncomplete = false;
  for (const key of [...groups.keys()].sort((a, b) => a - b)) {
    const group = groups.get(key) ?? [];
    isIncomplete ||= chosen.length + group.length > maxItems;
    if (chosen.length < maxItems) {
      group.sort((a, b) => compare(a.label, b.label));
      chosen.push(...group.slice(0, maxItems - chosen.length));
    }
  }
  return { items: chosen, isIncomplete };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How well a lower-case label matches: 0 for a prefix, 1 for a part, 2 for letters in order, -1 for no match. */
function matchScore(label: string, wanted: string): number {
  const at = label.indexOf(wanted);
  if (at >= 0) return at === 0 ? 0 : 1;
  let next = 0;
  for (let i = 0; i < wanted.length; i++) {
    next = label.indexOf(wanted.charAt(i), next) + 1;
    if (next === 0) return -1;
  }
  return 2;
}
