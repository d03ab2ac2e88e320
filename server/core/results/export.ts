import { assertNever } from '../assert-never.ts';
import { writeString } from '../language/syntax/strings.ts';
import type { Value } from '../language/values/value.ts';
import { jsonText } from './cell-text.ts';
import type { RowStore } from './row-store.ts';

const exportFormats = ['csv', 'tsv', 'json', 'ndjson', 'markdown', 'in-list'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportSelection {
  /** Row numbers in the order wanted. */
  readonly rows: Uint32Array;
  /** Columns in the order wanted. */
  readonly columns: readonly number[];
  /** Column names as a first line, in formats that have one. */
  readonly header: boolean;
}

const rowsPerChunk = 2_000;

/**
 * Writes the selection as text, in chunks so that a host can stream them to a file and yield in between.
 * CSV follows RFC 4180 and neutralises cells that a spreadsheet would run as a formula with a leading apostrophe.
 */
export function* exportRows(
  store: RowStore,
  selection: ExportSelection,
  format: ExportFormat,
): Generator<string, void> {
  switch (format) {
    case 'csv':
      return yield* separated(store, selection, ',', csvCell, '\r\n');
    case 'tsv':
      return yield* separated(store, selection, '\t', tsvCell, '\n');
    case 'json':
      return yield* json(store, selection);
    case 'ndjson':
      return yield* ndjson(store, selection);
    case 'markdown':
      return yield* markdown(store, selection);
    case 'in-list':
      return yield* inList(store, selection);
    default:
      return assertNever(format);
  }
}

/** A selection as one text, for the clipboard. */
export function exportText(store: RowStore, selection: ExportSelection, format: ExportFormat): string {
  return [...exportRows(store, selection, format)].join('');
}

function* chunks(rows: Uint32Array, write: (row: number, index: number) => string): Generator<string, void> {
  let parts: string[] = [];
  for (let i = 0; i < rows.length; i++) {
    parts.push(write(rows[i] ?? 0, i));
    if (parts.length === rowsPerChunk) {
      yield parts.join('');
      parts = [];
    }
  }
  if (parts.length > 0) yield parts.join('');
}

function* separated(
  store: RowStore,
  { rows, columns, header }: ExportSelection,
  separator: string,
  cell: (text: string | undefined, numeric: boolean) => string,
  lineEnd: string,
): Generator<string, void> {
  if (header) yield columns.map((column) => cell(store.columns[column]?.name ?? '', false)).join(separator) + lineEnd;
  const numeric = columns.map((column) => store.data(column).kind === 'number');
  yield* chunks(
    rows,
    (row) => columns.map((column, i) => cell(store.text(row, column), numeric[i] ?? false)).join(separator) + lineEnd,
  );
}

/** What makes Excel, LibreOffice and Google Sheets read a cell as a formula, also behind white space they trim. */
const formulaLeadIn = /^[\s\u0000-\u001f]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function csvCell(text: string | undefined, numeric: boolean): string {
  if (text === undefined) return '';
  const safe = !numeric && formulaLeadIn.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function tsvCell(text: string | undefined, numeric: boolean): string {
  if (text === undefined) return '';
  const safe = !numeric && formulaLeadIn.test(text) ? `'${text}` : text;
  // A clipboard's TSV has no escape for tabs and line breaks: a spreadsheet reads quotes around them.
  return /["\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function rowObject(store: RowStore, row: number, columns: readonly number[]): string {
  const parts: string[] = [];
  for (const column of columns) {
    const value: Value = store.value(row, column);
    parts.push(`${JSON.stringify(store.columns[column]?.name ?? '')}:${jsonText(value)}`);
  }
  return `{${parts.join(',')}}`;
}

function* json(store: RowStore, { rows, columns }: ExportSelection): Generator<string, void> {
  yield '[';
  yield* chunks(rows, (row, index) => (index === 0 ? '\n  ' : ',\n  ') + rowObject(store, row, columns));
  yield rows.length === 0 ? ']\n' : '\n]\n';
}

function* ndjson(store: RowStore, { rows, columns }: ExportSelection): Generator<string, void> {
  yield* chunks(rows, (row) => `${rowObject(store, row, columns)}\n`);
}

function markdownCell(text: string | undefined): string {
  return (text ?? '')
    .replace(/[\\`*_{}[\]<>|#!~&]/g, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`))
    .replace(/\r\n?|\n/g, '<br>');
}

function* markdown(store: RowStore, { rows, columns }: ExportSelection): Generator<string, void> {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  yield line(columns.map((column) => markdownCell(store.columns[column]?.name)));
  yield line(columns.map((column) => (store.data(column).kind === 'number' ? '---:' : '---')));
  yield* chunks(rows, (row) => line(columns.map((column) => markdownCell(store.text(row, column)))));
}

/** `('a', 'b')`: the different values of the first column, ready to stand behind `in` in a query. */
function* inList(store: RowStore, { rows, columns }: ExportSelection): Generator<string, void> {
  const column = columns[0];
  if (column === undefined) return yield '()';
  const data = store.data(column);
  const numeric = data.kind === 'number' && !data.time;
  const seen = new Set<string>();
  for (const row of rows) {
    const text = store.text(row, column);
    if (text !== undefined) seen.add(text);
  }
  yield `(${[...seen].map((text) => (numeric ? text : writeString(text))).join(', ')})`;
}
