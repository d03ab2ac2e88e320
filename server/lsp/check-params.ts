/** Says what is wrong with the parameters of requests, in terms of the protocol. Clients are programs, and programs have faults. */

import { isRecord } from '../core/is-record.ts';

type Check = (value: unknown) => boolean;

const isCount: Check = (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0;
const isText: Check = (value) => typeof value === 'string';
const isPosition: Check = (value) => isRecord(value) && isCount(value['line']) && isCount(value['character']);
const isRange: Check = (value) => isRecord(value) && isPosition(value['start']) && isPosition(value['end']);

const shapes = {
  textDocument: [(value) => isRecord(value) && isText(value['uri']), '{ uri }'],
  position: [isPosition, '{ line, character }, both counted from 0'],
  range: [isRange, '{ start, end }, each { line, character }'],
  positions: [(value) => Array.isArray(value) && value.every(isPosition), 'a list of { line, character }'],
  options: [isRecord, '{ tabSize, insertSpaces }'],
  context: [isRecord, 'an object'],
  newName: [isText, 'a text'],
  query: [isText, 'a text'],
  version: [isText, 'a text'],
  datasources: [Array.isArray, 'a list'],
  schemas: [isRecord, '{ [datasource]: columns }'],
  queryText: [isText, 'a text'],
  previousResultIds: [
    (value) => Array.isArray(value) && value.every((one) => isRecord(one) && isText(one['uri'])),
    'a list of { uri, value }',
  ],
} as const satisfies Readonly<Record<string, readonly [Check, string]>>;

type Field = keyof typeof shapes;

const at: readonly Field[] = ['textDocument', 'position'];

/** What a request cannot do without. */
const needed: Readonly<Record<string, readonly Field[]>> = {
  'textDocument/completion': at,
  'textDocument/hover': at,
  'textDocument/signatureHelp': at,
  'textDocument/definition': at,
  'textDocument/references': [...at, 'context'],
  'textDocument/documentHighlight': at,
  'textDocument/linkedEditingRange': at,
  'textDocument/prepareRename': at,
  'textDocument/rename': [...at, 'newName'],
  'textDocument/onTypeFormatting': [...at, 'options'],
  'textDocument/codeAction': ['textDocument', 'range', 'context'],
  'textDocument/rangeFormatting': ['textDocument', 'range', 'options'],
  'textDocument/formatting': ['textDocument', 'options'],
  'textDocument/inlayHint': ['textDocument', 'range'],
  'textDocument/selectionRange': ['textDocument', 'positions'],
  'textDocument/documentSymbol': ['textDocument'],
  'textDocument/documentLink': ['textDocument'],
  'textDocument/foldingRange': ['textDocument'],
  'textDocument/semanticTokens/full': ['textDocument'],
  'textDocument/diagnostic': ['textDocument'],
  'workspace/diagnostic': ['previousResultIds'],
  'workspace/symbol': ['query'],
  'lql/catalog': ['version', 'datasources'],
  'lql/schemas': ['version', 'schemas'],
  'lql/regions': ['textDocument'],
  'lql/inspect': at,
  'lql/editQuery': ['textDocument', 'queryText'],
};

/** One sentence, or undefined when nothing is wrong. */
export function faultOfParams(method: string, params: unknown): string | undefined {
  for (const field of needed[method] ?? []) {
    const [check, shape] = shapes[field];
    if (!isRecord(params) || !check(params[field])) return `${method} needs the parameter '${field}': ${shape}.`;
  }
  return undefined;
}
