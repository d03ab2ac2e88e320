import type { ParseResult } from '../../syntax/parse.ts';
import { type BodyOutline, outlineOf } from '../token-outline.ts';
import type { CompletionContext } from './completion-context.ts';
import type { CompletionItem } from './completion-item.ts';

export function keywordItem(word: string, rank: number, detail?: string): CompletionItem {
  return { label: word, kind: 'keyword', insertText: word, rank, ...(detail === undefined ? {} : { detail }) };
}

const blockDetails = {
  source: 'What to read: datasources, their joins, expanded arrays.',
  filter: 'Which rows to keep.',
  return: 'Which columns to give back.',
} as const;

/** The blocks that may follow at `offset` in `body`: those not written yet, in the order the language wants. */
export function blockKeywordItems(
  parsed: ParseResult,
  body: BodyOutline,
  offset: number,
  snippets: boolean,
): CompletionItem[] {
  const { tokens } = outlineOf(parsed);
  const order = ['source', 'filter', 'return'] as const;
  const before = new Set<string>();
  const after = new Set<string>();
  for (const block of body.blocks) {
    const start = tokens[block.keyword]?.start ?? 0;
    (start < offset ? before : after).add(block.kind);
  }
  const lastBefore = order.findLastIndex((kind) => before.has(kind));
  const firstAfter = order.findIndex((kind) => after.has(kind));
  return order.flatMap((kind, i) => {
    if (before.has(kind) || after.has(kind) || i < lastBefore || (firstAfter >= 0 && i > firstAfter)) return [];
    const items: CompletionItem[] = [blockItem(kind, kind, 10 + i, snippets)];
    if (kind === 'return') items.push(blockItem('return distinct', kind, 13, snippets));
    return items;
  });
}

function blockItem(label: string, kind: keyof typeof blockDetails, rank: number, snippets: boolean): CompletionItem {
  return {
    label,
    kind: 'keyword',
    detail: blockDetails[kind],
    insertText: snippets ? `${label} {\n  $0\n}` : label,
    ...(snippets ? { isSnippet: true } : {}),
    rank,
    retrigger: snippets,
  };
}

/** Operators that may follow an operand; in a return item also `as`. */
export function operatorItems(context: CompletionContext & { kind: 'operator' }, snippets: boolean): CompletionItem[] {
  const items: CompletionItem[] = [];
  if (context.inReturnItem) items.push(keywordItem('as', 5, 'Name the result column.'));
  const words: readonly (readonly [string, string])[] = [
    ['and', 'both conditions'],
    ['or', 'either condition'],
    ['in', 'one of a list, or of the rows of a subquery'],
    ['not in', 'none of a list'],
    ['like', '% stands for any text, _ for one character'],
    ['not like', 'does not match the pattern'],
    ['ilike', 'like, without case'],
    ['rlike', 'regular expression that must match the whole text'],
    ['like any', 'one of several patterns'],
    ['between', 'low and high included'],
    ['is null', 'no value'],
    ['is not null', 'a value'],
    ['is json null', 'the JSON value null'],
  ];
  words.forEach(([word, detail], i) => {
    items.push({ ...keywordItem(word, 10 + i, detail), kind: 'operator' });
  });
  if (snippets) {
    items.push({
      label: 'in { … }',
      kind: 'snippet',
      detail: 'the rows of a subquery',
      insertText: 'in {\n  source {\n    $1\n  }\n  return {\n    $2\n  }\n}',
      isSnippet: true,
      rank: 30,
    });
  }
  for (const word of ['when', 'then', 'else', 'end']) items.push(keywordItem(word, 40));
  return items;
}

/** Whole queries for an empty file. */
export function wholeQuerySnippets(): CompletionItem[] {
  return [
    snippet(
      'query',
      'source, filter and return',
      '{\n  source {\n    $1\n  }\n  filter {\n    $2\n  }\n  return distinct {\n    $3\n  }\n}',
      10,
    ),
    snippet('query without filter', 'source and return', '{\n  source {\n    $1\n  }\n  return {\n    $2\n  }\n}', 11),
    snippet(
      'query with an expanded array',
      'one row for each element of an array',
      `{\n  source {\n    $1 a,\n    array_to_rows(a.\${2:RESOURCE_CONFIG}:\${3:key}) as (\${4:item})\n  }\n  filter {\n    \${4:item}:\${5:key} = \${6:'value'}\n  }\n  return distinct {\n    $7\n  }\n}`,
      12,
    ),
    snippet(
      'query with a join',
      'rows of two related datasources',
      '{\n  source {\n    $1 a with $2 b\n  }\n  filter {\n    $3\n  }\n  return distinct {\n    $4\n  }\n}',
      13,
    ),
    snippet(
      'union',
      'the rows of two queries',
      'union {\n  {\n    source {\n      $1\n    }\n    return {\n      $2\n    }\n  },\n  {\n    source {\n      $1\n    }\n    return {\n      $3\n    }\n  }\n}',
      14,
    ),
  ];
}

function snippet(label: string, detail: string, insertText: string, rank: number): CompletionItem {
  return { label, kind: 'snippet', detail, insertText, isSnippet: true, rank, retrigger: true };
}
