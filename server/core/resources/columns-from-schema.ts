import { isRecord } from '../is-record.ts';
import type { Column } from '../language/catalog/catalog.ts';
import { type LqlType, typeFromDataType } from '../language/types/types.ts';

/** Nested schemas deeper than this are cut: an answer may be hostile, and nobody completes so far down. */
const maxDepth = 16;
const maxColumns = 5_000;

/**
 * The columns behind an answer of the schemas endpoints, whatever its form: a bare list of `{name, type}` (or `{name, dataType}`), one JSON
 * Schema, a list of JSON Schemas, or `{oneOf: [...]}` (all branches together). Undefined when the answer lists no fields, as `{}` does.
 * Top-level names are spelled as datasources spell columns, `filePath` becoming `FILE_PATH`; nested keys keep their spelling.
 */
export function columnsFromSchemaAnswer(answer: unknown): readonly Column[] | undefined {
  const columns = new Map<string, Column>();
  collect(answer, columns, 0);
  return columns.size === 0 ? undefined : [...columns.values()];
}

/** `filePath` and `file-path` as a datasource would spell them: `FILE_PATH`. Names without a lower-case letter stay as they are. */
export function columnNameFromField(field: string): string {
  if (!/[a-z]/.test(field)) return field;
  return field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
}

function collect(answer: unknown, columns: Map<string, Column>, depth: number): void {
  if (depth > maxDepth) return;
  if (Array.isArray(answer)) {
    for (const entry of answer) {
      if (columns.size >= maxColumns) return;
      const column = namedField(entry, depth);
      if (column) add(columns, { ...column, name: columnNameFromField(column.name) });
      else collect(entry, columns, depth + 1);
    }
    return;
  }
  if (!isRecord(answer)) return;
  if (isRecord(answer['properties'])) {
    for (const column of columnsOfProperties(answer['properties'], depth)) {
      add(columns, { ...column, name: columnNameFromField(column.name) });
    }
  }
  for (const keyword of ['oneOf', 'anyOf', 'allOf'] as const) {
    if (Array.isArray(answer[keyword])) collect(answer[keyword], columns, depth + 1);
  }
  // Some answers wrap the schema like other endpoints do.
  if ('data' in answer && !isRecord(answer['properties'])) collect(answer['data'], columns, depth + 1);
}

function add(columns: Map<string, Column>, column: Column): void {
  const known = columns.get(column.name);
  if (!known) columns.set(column.name, column);
  else if (known.type === 'unknown' && column.type !== 'unknown') columns.set(column.name, column);
}

function namedField(entry: unknown, depth: number): Column | undefined {
  if (!isRecord(entry) || typeof entry['name'] !== 'string' || entry['name'] === '' || isRecord(entry['properties']))
    return undefined;
  const declared = entry['dataType'] ?? entry['type'];
  if (declared === undefined && !('description' in entry) && 'data' in entry) return undefined;
  return column(entry['name'], entry, depth);
}

function columnsOfProperties(properties: Record<string, unknown>, depth: number): Column[] {
  return Object.entries(properties)
    .slice(0, maxColumns)
    .map(([name, schema]) => column(name, isRecord(schema) ? schema : {}, depth));
}

function column(name: string, schema: Record<string, unknown>, depth: number): Column {
  const description = typeof schema['description'] === 'string' ? schema['description'] : undefined;
  const base = { name, type: typeOfSchema(schema), description };
  const nested = nestedProperties(schema, depth);
  return nested === undefined ? base : { ...base, type: 'json', properties: nested };
}

function nestedProperties(schema: Record<string, unknown>, depth: number): readonly Column[] | undefined {
  if (depth >= maxDepth) return undefined;
  if (isRecord(schema['properties'])) return columnsOfProperties(schema['properties'], depth + 1);
  if (Array.isArray(schema['properties'])) {
    return schema['properties'].flatMap((entry) => namedField(entry, depth + 1) ?? []);
  }
  return undefined;
}

function typeOfSchema(schema: Record<string, unknown>): LqlType {
  const declared = schema['dataType'] ?? schema['type'];
  const types = (Array.isArray(declared) ? declared : [declared]).filter((type) => type !== 'null');
  const type = types.length === 1 ? types[0] : undefined;
  if (typeof type !== 'string') return 'unknown';
  switch (type.toLowerCase()) {
    case 'integer':
    case 'long':
    case 'float':
    case 'double':
      return 'number';
    case 'object':
    case 'array':
    case 'variant':
      return 'json';
    case 'string':
      return schema['format'] === 'date-time' || schema['format'] === 'timestamp' ? 'timestamp' : 'string';
    default:
      return typeFromDataType(type);
  }
}
