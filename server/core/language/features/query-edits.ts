import type { TextEdit } from '../../text/edits.ts';
import type { ResultColumn } from '../semantics/semantic-model.ts';
import type { Body, Expression } from '../syntax/ast.ts';
import { writeString } from '../syntax/strings.ts';
import { reservedWords } from '../syntax/tokens.ts';
import type { AnalyzedText } from './analyzed-text.ts';

/** A place in a result: a column, and keys inside its JSON. */
export interface ResultPlace {
  /** The column's name as the service returns it: upper-case. */
  readonly column: string;
  readonly path: readonly string[];
}

/** What stands at a place, for a condition. */
export interface ResultValue {
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** The value as text. */
  readonly text: string;
}

export type QueryEdit =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  /** The query cannot be changed this way; the message says why. */
  | { readonly kind: 'refused'; readonly message: string };

/** Adds a condition that keeps (or with `negated` drops) rows with this value at this place. */
export function addCondition(query: AnalyzedText, place: ResultPlace, value: ResultValue, negated: boolean): QueryEdit {
  const found = locate(query, place);
  if (found.kind === 'refused') return found;
  if (value.kind === 'object' || value.kind === 'array') {
    return refused('Objects and arrays have no literal in the language. Choose a value inside of it.');
  }
  const condition = `${found.expression} ${comparison(value, found.column, place.path.length > 0, negated)}`;
  const { body } = found;
  const { text } = query;
  const filter = body.filter?.condition;
  if (filter && filter.kind !== 'missing') {
    const separator = lineSeparator(text, filter.range.start);
    const edits: TextEdit[] = [{ range: at(filter.range.end), newText: `${separator}and ${condition}` }];
    if (filter.kind === 'binary' && filter.operator === 'or') {
      edits.unshift({ range: at(filter.range.start), newText: '(' });
      edits[1] = { range: at(filter.range.end), newText: `)${separator}and ${condition}` };
    }
    return { kind: 'edits', edits };
  }
  if (filter) return { kind: 'edits', edits: [{ range: at(filter.range.start), newText: ` ${condition} ` }] };
  const after = body.source?.range.end;
  if (after === undefined) return refused('The query has no source block to put a filter behind.');
  const separator = lineSeparator(text, body.source?.range.start ?? after);
  const block =
    separator === ' ' ? ` filter { ${condition} }` : `${separator}filter {${separator}  ${condition}${separator}}`;
  return { kind: 'edits', edits: [{ range: at(after), newText: block }] };
}

/** Returns what stands at this place as a column of its own, named after its last key. */
export function addColumn(query: AnalyzedText, place: ResultPlace): QueryEdit {
  const found = locate(query, place);
  if (found.kind === 'refused') return found;
  const last = found.body.return?.items.at(-1);
  if (!last) return refused('The query has no return block to add a column to.');
  const alias = freeName(place.path.at(-1) ?? place.column, query.model.resultColumns);
  const first = found.body.return?.items[0] ?? last;
  return {
    kind: 'edits',
    edits: [
      {
        range: at(last.range.end),
        newText: `,${lineSeparator(query.text, first.range.start)}${found.expression} as ${alias}`,
      },
    ],
  };
}

type Located =
  | { readonly kind: 'found'; readonly expression: string; readonly column: ResultColumn; readonly body: Body }
  | { readonly kind: 'refused'; readonly message: string };

/** The expression that stands for a place of the result, in the words of the query. */
function locate({ text, model }: AnalyzedText, { column: name, path }: ResultPlace): Located {
  const { query } = model;
  if (query?.kind === 'union') return refused('The result comes from several queries of a union. Edit each by hand.');
  if (!query) return refused('The text holds no query to edit.');
  const column = model.resultColumns.find((candidate) => candidate.name === name);
  if (!column) return refused(`The query as it stands now has no result column ${name}. Run it again first.`);
  const base = column.expression ? writtenExpression(text, column.expression, path.length > 0) : columnName(column);
  if (base === undefined) return refused(`${name} is computed: a path into it cannot be written. Add it by hand.`);
  return { kind: 'found', expression: base + pathText(base, path), column, body: query.body };
}

function writtenExpression(text: string, expression: Expression, withPath: boolean): string | undefined {
  const written = text.slice(expression.range.start, expression.range.end);
  switch (expression.kind) {
    case 'column':
    case 'path':
      return written;
    case 'call':
    case 'cast':
      return withPath ? undefined : written;
    default:
      return withPath ? undefined : `(${written})`;
  }
}

function columnName({ symbol }: ResultColumn): string | undefined {
  if (symbol?.kind === 'column') return `${symbol.source.name}.${symbol.name}`;
  return symbol?.source.name;
}

function pathText(base: string, path: readonly string[]): string {
  if (path.length === 0) return '';
  return (base.includes(':') ? '.' : ':') + path.map(pathKey).join('.');
}

function pathKey(key: string): string {
  const plain = /^[A-Za-z][A-Za-z0-9_]*$/.test(key) && !isReserved(key);
  return plain ? key : JSON.stringify(key);
}

const isReserved = (word: string): boolean =>
  reservedWords.some((reserved) => reserved.toLowerCase() === word.toLowerCase());

function comparison(
  { kind, text }: ResultValue,
  { type }: ResultColumn,
  insideJson: boolean,
  negated: boolean,
): string {
  // Inside a document a null is a JSON null; a whole column without a value is the null of SQL.
  if (kind === 'null') return `is ${negated ? 'not ' : ''}${insideJson ? 'json ' : ''}null`;
  const operator = negated ? '<>' : '=';
  if (kind === 'number') return `${operator} ${text}`;
  // JSON booleans compare with their text, whatever the service makes of a boolean literal there.
  if (kind === 'boolean') return `${operator} '${text}'`;
  return `${operator} ${writeString(text)}${!insideJson && type === 'timestamp' ? '::timestamp' : ''}`;
}

/** A column name made of a key that collides with no other column. */
function freeName(key: string, columns: readonly ResultColumn[]): string {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  const trimmed = words.replace(/^[^A-Za-z]+|_+$/g, '').toUpperCase() || 'VALUE';
  const name = isReserved(trimmed) ? `${trimmed}_VALUE` : trimmed;
  const taken = new Set(columns.map((column) => column.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}

/** What separates things like the one at `offset`: a new line with the same indentation where it begins its line, else a blank. */
function lineSeparator(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineStart, offset);
  if (lineStart === 0 || before.trim() !== '') return ' ';
  return (text[lineStart - 2] === '\r' ? '\r\n' : '\n') + before;
}

const at = (offset: number): { start: number; end: number } => ({ start: offset, end: offset });

const refused = (message: string): { kind: 'refused'; message: string } => ({ kind: 'refused', message });
