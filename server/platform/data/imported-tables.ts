import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type TableSource, tableFromRows } from '../../core/engine/table.ts';
import type { Column } from '../../core/language/catalog/catalog.ts';
import type { LqlType } from '../../core/language/types/types.ts';
import { isJsonObject, parseJson } from '../../core/language/values/json.ts';
import { parseTimestamp } from '../../core/language/values/timestamps.ts';
import type { Value } from '../../core/language/values/value.ts';
import { parseCsv } from './csv.ts';

/** A file of the person's own that became a datasource. */
export interface ImportedTable {
  readonly name: string;
  readonly table: TableSource;
  /** The file, for messages. */
  readonly file: string;
}

export interface ImportedTables {
  /** The tables of the folder as it is now; files that changed since the last call are read again. */
  list(): readonly ImportedTable[];
  /** Why files of the folder could not become datasources, by file. */
  problems(): readonly string[];
}

/** The columns a time range may belong to, the best first. */
const timeColumns = [
  'BATCH_END_TIME',
  'EVENT_TIME',
  'INSERT_TIME',
  'RECORD_CREATED_TIME',
  'LOGIN_TIME',
  'timestamp',
  'time',
];

/** Beyond this many bytes, unpacked, a file is refused: it would not fit beside everything else in memory. */
const maxBytes = 1024 * 1024 * 1024;

const filePattern = /^([A-Za-z][A-Za-z0-9_]*)\.(ndjson|jsonl|json|csv)(\.gz)?$/;

/** Makes datasources of the files `NAME.ndjson`, `NAME.json` and `NAME.csv`, packed by gzip or not, that lie in a folder. */
export function createImportedTables(folder: string | undefined): ImportedTables {
  const known = new Map<string, { readonly stamp: string; readonly result: ImportedTable | string }>();
  const read = (): void => {
    const files = new Set(folder === undefined ? [] : listFiles(folder));
    for (const file of known.keys()) if (!files.has(file)) known.delete(file);
    for (const file of files) {
      const full = path.join(folder ?? '', file);
      const stamp = stampOf(full);
      if (stamp === undefined) known.delete(file);
      else if (known.get(file)?.stamp !== stamp) known.set(file, { stamp, result: importFile(full, file) });
    }
  };
  return {
    list() {
      read();
      return [...known.values()].flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
    },
    problems() {
      read();
      return [...known.values()].flatMap(({ result }) => (typeof result === 'string' ? [result] : []));
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => filePattern.test(file))
      .sort();
  } catch {
    return [];
  }
}

function stampOf(file: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs}/${size}/${ino}`;
  } catch {
    return undefined;
  }
}

function importFile(full: string, file: string): ImportedTable | string {
  const [, name = '', format = ''] = filePattern.exec(file) ?? [];
  try {
    const bytes = readFileSync(full);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    const rows = format === 'csv' ? rowsFromCsv(text) : format === 'json' ? rowsFromJson(text) : rowsFromLines(text);
    return { name, file, table: inferTable(name, rows) };
  } catch (error) {
    return `${file} did not become a datasource: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Row = { readonly [column: string]: Value };

function rowsFromLines(text: string): Row[] {
  const rows: Row[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    rows.push(rowFrom(parseJson(line), `Line ${index + 1}`));
  }
  return rows;
}

/** A list of objects, or the body of an answer that has such a list under `data`. */
function rowsFromJson(text: string): Row[] {
  const value = parseJson(text);
  const list = isJsonObject(value) ? value['data'] : value;
  if (!Array.isArray(list))
    throw new Error('A JSON file must hold a list of objects, or an object whose "data" is one.');
  return list.map((entry: Value, index) => rowFrom(entry, `Entry ${index + 1}`));
}

function rowFrom(value: Value, place: string): Row {
  if (!isJsonObject(value)) throw new Error(`${place} is not a JSON object.`);
  return value;
}

function rowsFromCsv(text: string): Row[] {
  const [header, ...lines] = parseCsv(text);
  if (header === undefined) throw new Error('The file is empty; a CSV file begins with a line of column names.');
  return lines.map((fields) => Object.fromEntries(header.map((name, index) => [name, csvValue(fields[index])])));
}

/** What a field of a CSV file means: empty is null, numbers and JSON objects and arrays are read, the rest is text. */
function csvValue(field: string | undefined): Value {
  if (field === undefined || field === '') return undefined;
  if (/^-?(0|[1-9]\d{0,37})(\.\d+)?$/.test(field)) return parseJson(field);
  if (/^[[{]/.test(field)) return parseJson(field) ?? field;
  return field;
}

function inferTable(name: string, rows: readonly Row[]): TableSource {
  const types = new Map<string, LqlType>();
  for (const row of rows) {
    for (const [key, value] of Object.entries(row)) {
      const seen = typeOf(value);
      const known = types.get(key);
      types.set(key, known === undefined || known === 'null' ? seen : widen(known, seen));
    }
  }
  if (types.size === 0) throw new Error('It holds no rows, so its columns are not known.');
  const columns = [...types].map(
    ([key, type]): Column => ({ name: key, type: type === 'null' ? 'string' : type, description: undefined }),
  );
  const isTime = new Set(columns.filter((entry) => entry.type === 'timestamp').map((entry) => entry.name));
  const isText = new Set(columns.filter((entry) => entry.type === 'string').map((entry) => entry.name));
  const converted = rows.map((row) => {
    const copy: { [column: string]: Value } = Object.create(null);
    for (const [key, value] of Object.entries(row)) {
      if (isTime.has(key) && typeof value === 'string') copy[key] = parseTimestamp(value);
      else if (isText.has(key) && typeof value === 'boolean') copy[key] = String(value);
      else copy[key] = value;
    }
    return copy;
  });
  return tableFromRows(
    { name, columns, timeColumn: timeColumns.find((candidate) => isTime.has(candidate)) },
    converted,
  );
}

function typeOf(value: Value): LqlType {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      // Datasources have no columns of type Boolean; flags arrive as the texts true and false.
      return 'string';
    case 'string':
      return /^\d{4}-\d{2}-\d{2}T/.test(value) && parseTimestamp(value) !== undefined ? 'timestamp' : 'string';
    case 'object':
      return value === null ? 'null' : 'json';
    case 'undefined':
      return 'null';
  }
}

/** The type that holds values of both: JSON holds everything, text holds timestamps. */
function widen(known: LqlType, seen: LqlType): LqlType {
  if (known === seen || seen === 'null') return known;
  return (known === 'string' && seen === 'timestamp') || (known === 'timestamp' && seen === 'string')
    ? 'string'
    : 'json';
}
