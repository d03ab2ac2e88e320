import { compileLike } from '../../core/engine/patterns/like.ts';
import { compileRegex } from '../../core/engine/patterns/regex.ts';
import { isJsonArray, isJsonObject, jsonText } from '../../core/language/values/json.ts';
import { compareNumbers, parseNumber } from '../../core/language/values/numbers.ts';
import type { Value } from '../../core/language/values/value.ts';
import { filterProblem, type SearchFilter } from '../../core/resources/index.ts';
import { badRequest } from '../service-error.ts';

/** A record of a search's result: field names in lowerCamelCase. */
export type SearchRecord = { readonly [field: string]: Value };

/** Tells whether a record satisfies a filter, and gives it as the filter leaves it: `rlike` narrows arrays to what matches. */
export type RecordFilter = (record: SearchRecord) => SearchRecord | undefined;

/**
 * Compiles the filters of a search, all of which a record has to satisfy.
 * @throws ServiceError 400 for a field the records do not have, a misplaced operand, a bad pattern or the reserved operator.
 */
export function compileFilters(
  filters: readonly SearchFilter[] | undefined,
  fields: ReadonlySet<string>,
): RecordFilter {
  const compiled = (filters ?? []).map((filter) => compileFilter(filter, fields));
  return (record) => {
    let current: SearchRecord | undefined = record;
    for (const filter of compiled) {
      current = filter(current);
      if (current === undefined) return undefined;
    }
    return current;
  };
}

function compileFilter(filter: SearchFilter, fields: ReadonlySet<string>): RecordFilter {
  const problem = filterProblem(filter);
  if (problem !== undefined) throw badRequest(problem);
  const path = fieldPath(filter.field);
  const [first = ''] = path;
  if (!fields.has(first)) {
    throw badRequest(`Invalid field: '${filter.field}'. Valid fields are [${[...fields].join(', ')}].`);
  }
  const { test, negative } = compileTest(filter);
  if (filter.expression === 'rlike') {
    return (record) => {
      const narrowed = narrow(record, path, test);
      return narrowed === undefined ? undefined : (narrowed as SearchRecord);
    };
  }
  return (record) => {
    const values = valuesAt(record, path);
    // What is missing satisfies no filter, not even a negative one: it is unknown, as in SQL.
    if (values.length === 0) return undefined;
    return (negative ? values.every(test) : values.some(test)) ? record : undefined;
  };
}

/** Names of a dotted field path; a name in double quotes may hold dots, colons and slashes, these with a backslash before them. */
export function fieldPath(field: string): string[] {
  const names: string[] = [];
  let position = 0;
  while (position <= field.length) {
    if (field[position] === '"') {
      const end = field.indexOf('"', position + 1);
      if (end < 0) throw badRequest(`Invalid field: '${field}' has a double quote that is not closed.`);
      names.push(field.slice(position + 1, end).replaceAll('\\/', '/'));
      position = end + 1;
      if (position < field.length && field[position] !== '.') {
        throw badRequest(`Invalid field: '${field}' needs a dot after the quoted name.`);
      }
      position++;
    } else {
      const dot = field.indexOf('.', position);
      const end = dot < 0 ? field.length : dot;
      names.push(field.slice(position, end));
      position = end + 1;
    }
  }
  return names;
}

/** The values a path leads to: arrays on the way, and at its end, count element by element. Nulls and missing keys give nothing. */
function valuesAt(value: Value, path: readonly string[]): readonly Value[] {
  if (isJsonArray(value)) return value.flatMap((element) => valuesAt(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  return isJsonObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

/** The value with every array on the path cut down to the elements that match; undefined when nothing does. */
function narrow(value: Value, path: readonly string[], test: (value: Value) => boolean): Value {
  if (isJsonArray(value)) {
    const kept = value.map((element) => narrow(element, path, test)).filter((element) => element !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined && value !== null && test(value) ? value : undefined;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
  const inner = narrow(value[name], rest, test);
  return inner === undefined ? undefined : inner === value[name] ? value : { ...value, [name]: inner };
}

type Operand = string | number | boolean;

function compileTest(filter: SearchFilter): { readonly test: (value: Value) => boolean; readonly negative: boolean } {
  const { expression } = filter;
  const value = filter.value ?? '';
  const values = filter.values ?? [];
  const positive = (test: (value: Value) => boolean) => ({ test, negative: false });
  const negative = (test: (value: Value) => boolean) => ({ test: (item: Value) => !test(item), negative: true });
  const text = (test: (text: string) => boolean) => (item: Value) => test(textOf(item));
  switch (expression) {
    case 'eq':
      return positive((item) => compare(item, value) === 0);
    case 'ne':
      return negative((item) => compare(item, value) === 0);
    case 'in':
      return positive((item) => values.some((entry) => compare(item, entry) === 0));
    case 'not_in':
      return negative((item) => values.some((entry) => compare(item, entry) === 0));
    case 'like':
      return positive(text(compileLike(String(value), false)));
    case 'not_like':
      return negative(text(compileLike(String(value), false)));
    case 'ilike':
      return positive(text(compileLike(String(value), true)));
    case 'not_ilike':
      return negative(text(compileLike(String(value), true)));
    case 'rlike':
      return positive(text(regex(String(value))));
    case 'not_rlike':
      return negative(text(regex(String(value))));
    case 'gt':
      return positive((item) => compare(item, value) > 0);
    case 'lt':
      return positive((item) => compare(item, value) < 0);
    case 'ge':
      return positive((item) => compare(item, value) >= 0);
    case 'le':
      return positive((item) => compare(item, value) <= 0);
    case 'between': {
      const [low = '', high = ''] = values;
      return positive((item) => compare(item, low) >= 0 && compare(item, high) <= 0);
    }
    case 'expr':
      throw badRequest('The operator expr is reserved.');
  }
}

function regex(pattern: string): (text: string) => boolean {
  const result = compileRegex(pattern);
  if (result.kind === 'invalid') throw badRequest(`Invalid data: #1: [filters: ${result.reason}]`);
  return result.test;
}

/** Negative, zero or positive; not a number where the two cannot be compared, which no operator takes for a match. */
function compare(item: Value, operand: Operand): number {
  if (typeof item === 'bigint' || typeof item === 'number') return compareNumber(item, operand);
  const left = textOf(item);
  const right = String(operand);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Operands are texts even where numbers are meant; integers of any length compare exactly. */
function compareNumber(item: number | bigint, operand: Operand): number {
  const right = parseNumber(String(operand));
  return right === undefined ? Number.NaN : compareNumbers(item, right);
}

function textOf(value: Value): string {
  return typeof value === 'string' ? value : jsonText(value);
}
