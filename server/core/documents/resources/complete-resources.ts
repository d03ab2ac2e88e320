import type { CompletionItem } from '../../language/features/completion/completion-item.ts';
import { type TextRange, textRange } from '../../text/range.ts';
import { fieldMarkdown } from './field-text.ts';
import {
  type FieldSchema,
  kindOfKeys,
  nestedFields,
  type ResourceKind,
  resourceDefinitions,
  wrapperKeys,
} from './resource-kinds.ts';

export interface ResourceCompletion {
  readonly range: TextRange;
  readonly items: readonly CompletionItem[];
}

export interface ResourceCompletionOptions {
  /** Ids of queries that are known, for `queryId` of a policy. */
  readonly queryIds: Iterable<string>;
  readonly snippets: boolean;
}

/**
 * Fields and values of the objects in a YAML document. Reads lines and their indentation, not the tree: the tree has a hole where a
 * person types. Undefined outside of what we know.
 */
export function completeResources(
  document: string,
  offset: number,
  options: ResourceCompletionOptions,
): ResourceCompletion | undefined {
  const lines = linesOf(document);
  const at = lines.findLastIndex(({ start }) => start <= offset);
  const line = lines[at];
  if (line === undefined) return undefined;
  const before = document.slice(line.start, offset);
  const key = /^( *(?:- +)*)([\w-]*)$/.exec(before);
  if (key !== null) return completeField(document, lines, at, offset, key[1] ?? '', key[2] ?? '', options);
  const value = /^( *(?:- +)*)([\w-]+):[ \t]+(["']?)([\w.$-]*)$/.exec(before);
  if (value === null) return undefined;
  const [, lead = '', name = '', quote = '', prefix = ''] = value;
  const around = surroundings(lines, at, lead);
  const schema = fieldsAround(around)?.[name];
  if (schema === undefined) return undefined;
  const end = offset + (/^[\w.$-]*/.exec(document.slice(offset, line.end))?.[0].length ?? 0);
  const items = valuesOf(name, schema, options).map((text, i): CompletionItem => {
    const needsQuotes = quote === '' && /^[^\w]/.test(text);
    return { label: text, kind: 'key', insertText: needsQuotes ? `"${text}"` : text, rank: 10 + i };
  });
  return { range: textRange(offset - prefix.length, end), items };
}

function completeField(
  document: string,
  lines: readonly Line[],
  at: number,
  offset: number,
  lead: string,
  prefix: string,
  options: ResourceCompletionOptions,
): ResourceCompletion | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  const rest = document.slice(offset, line.end);
  const word = /^[\w-]*/.exec(rest)?.[0] ?? '';
  const hasColon = /^\s*:/.test(rest.slice(word.length));
  const range = textRange(offset - prefix.length, offset + word.length);
  const around = surroundings(lines, at, lead);
  const fields = fieldsAround(around);
  if (fields === undefined) {
    const isEmpty = lines.every((other, i) => i === at || /^\s*(?:#.*|---)?$/.test(other.text));
    return isEmpty && lead === '' && options.snippets ? { range, items: objectSnippets() } : undefined;
  }
  const required = new Set(around.parent === undefined || wrapperKeys.has(around.parent) ? requiredAround(around) : []);
  const items = Object.entries(fields).flatMap(([name, schema], i): CompletionItem[] => {
    if (around.siblings.has(name) || schema.deprecated === true) return [];
    const insert = hasColon ? { insertText: name } : fieldInsert(name, schema, lead.length, options.snippets);
    return [
      {
        label: name,
        kind: 'key',
        detail: required.has(name) ? 'required' : 'optional',
        documentation: () => fieldMarkdown(name, schema),
        ...insert,
        rank: (required.has(name) ? 10 : 40) + i,
      },
    ];
  });
  return { range, items };
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function linesOf(document: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of document.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index, text: document.slice(start, match.index) });
    start = match.index + match[0].length;
  }
  lines.push({ start, end: document.length, text: document.slice(start) });
  return lines;
}

interface Surroundings {
  /** The other keys of the map that the line belongs to. */
  readonly siblings: ReadonlySet<string>;
  /** The key that the map, or the list it is an item of, stands under; undefined at the top. */
  readonly parent: string | undefined;
  /** False inside of a text in block form. */
  readonly isData: boolean;
}

const keyLine = /^( *(?:- +)*)(["']?)([\w.$-]+)\2[ \t]*:(?:[ \t]|$)/;

function surroundings(lines: readonly Line[], at: number, lead: string): Surroundings {
  const siblings = new Set<string>();
  const column = lead.length;
  let isFirst = lead.includes('-');
  let listColumn = isFirst ? lead.indexOf('-') : undefined;
  let parent: string | undefined;
  let isData = true;
  for (let i = at - 1; i >= 0; i--) {
    const text = lines[i]?.text ?? '';
    if (text === '---') break;
    const found = keyLine.exec(text);
    if (found === null) continue;
    const [, otherLead = '', , name = ''] = found;
    const isItem = otherLead.includes('-');
    if (!isFirst && otherLead.length === column) {
      siblings.add(name);
      if (isItem) {
        isFirst = true;
        listColumn = otherLead.indexOf('-');
      }
      continue;
    }
    const isAbove = listColumn === undefined ? otherLead.length < column : otherLead.length <= listColumn && !isItem;
    if (!isAbove) continue;
    parent = name;
    isData = !/:[ \t]*[|>][-+\d]*[ \t]*(?:#.*)?$/.test(text);
    break;
  }
  for (let i = at + 1; i < lines.length; i++) {
    const text = lines[i]?.text ?? '';
    if (text === '---') break;
    const found = keyLine.exec(text);
    if (found === null) continue;
    const [, otherLead = '', , name = ''] = found;
    if (otherLead.length < column || otherLead.includes('-', listColumn ?? 0)) {
      if (otherLead.length <= column) break;
      continue;
    }
    if (otherLead.length === column) siblings.add(name);
  }
  return { siblings, parent, isData };
}

function kindAround({ siblings, parent }: Surroundings): ResourceKind | undefined {
  if (parent !== undefined) return wrapperKeys.get(parent);
  const sure = kindOfKeys(siblings);
  if (sure !== undefined) return sure;
  // While a person writes, one telling key has to do.
  if (siblings.has('alertProfileId')) return 'alertProfile';
  if (siblings.has('policyType') || siblings.has('alertEnabled')) return 'policy';
  if (siblings.has('constraints')) return 'exception';
  if (siblings.has('policyId')) return 'policy';
  if (siblings.has('queryText') || siblings.has('queryId')) return 'query';
  return undefined;
}

function fieldsAround(around: Surroundings): Readonly<Record<string, FieldSchema>> | undefined {
  if (!around.isData) return undefined;
  const nested = around.parent === undefined ? undefined : nestedFields.get(around.parent);
  if (nested !== undefined) return nested;
  const kind = kindAround(around);
  return kind && resourceDefinitions[kind].fields;
}

function requiredAround(around: Surroundings): readonly string[] {
  const kind = kindAround(around);
  return kind === undefined ? [] : resourceDefinitions[kind].required;
}

function valuesOf(name: string, schema: FieldSchema, options: ResourceCompletionOptions): readonly string[] {
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.type === 'boolean') return ['true', 'false'];
  if (name === 'queryId') return [...new Set(options.queryIds)].sort();
  if (name === 'policyType') return ['Violation', 'Compliance', 'Manual'];
  return [];
}

function fieldInsert(
  name: string,
  schema: FieldSchema,
  column: number,
  snippets: boolean,
): Pick<CompletionItem, 'insertText' | 'isSnippet' | 'retrigger'> {
  const hasValues =
    schema.enum !== undefined || schema.type === 'boolean' || name === 'queryId' || name === 'policyType';
  if (hasValues) return { insertText: `${name}: `, retrigger: true };
  if (!snippets) return { insertText: `${name}: ` };
  const pad = ' '.repeat(column === 0 ? 2 : column + 2);
  if (name === 'queryText') return { insertText: `${name}: |-\n${pad}$0`, isSnippet: true };
  if (schema.type === 'array') return { insertText: `${name}:\n${pad}- $0`, isSnippet: true };
  return { insertText: `${name}: ` };
}

/** Whole objects for an empty document. */
function objectSnippets(): CompletionItem[] {
  const snippet = (label: string, detail: string, insertText: string, rank: number): CompletionItem => ({
    label,
    kind: 'snippet',
    detail,
    insertText,
    isSnippet: true,
    rank,
  });
  return [
    snippet(
      'LQL query',
      'a query with its id',
      'queryId: $1\nqueryText: |-\n  {\n    source {\n      $2\n    }\n    return distinct {\n      $3\n    }\n  }',
      10,
    ),
    snippet(
      'LQL policy',
      'a policy that runs a query',
      'policyId: \\$account-$1\npolicyType: Violation\nqueryId: $2\ntitle: $3\nenabled: false\nseverity: medium\ndescription: $4\nremediation: $5\nalertEnabled: false',
      11,
    ),
    snippet(
      'LQL alert profile',
      'how alerts are worded',
      'alertProfileId: $1\nextends: $2\nalerts:\n  - name: $3\n    eventName: $4\n    description: $5\n    subject: $6',
      12,
    ),
    snippet(
      'LQL policy exception',
      'where a policy does not apply',
      'policyId: $1\ndescription: $2\nconstraints:\n  - fieldKey: $3\n    fieldValues:\n      - $4',
      13,
    ),
  ];
}
