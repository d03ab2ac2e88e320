import { assertNever } from '../../server/core/assert-never.ts';
import type { Body, DatasourceItem, ExpansionItem, Expression, Query } from '../../server/core/language/syntax/ast.ts';
import type { Value } from '../../server/core/language/values/value.ts';

/**
 * A second, deliberately simple implementation of the language: it interprets the syntax tree over plain rows, with values that carry their type.
 * It shares nothing with the engine but the tree, so that the two can be held against each other.
 */
export interface OracleTable {
  readonly columns: readonly { readonly name: string; readonly type: OracleType }[];
  readonly timeColumn?: string;
  readonly rows: readonly { readonly [column: string]: Value }[];
}

export interface OracleOptions {
  readonly tables: { readonly [name: string]: OracleTable };
  /** Key columns by `LEFT>RIGHT`. */
  readonly joins: { readonly [pair: string]: readonly { readonly from: string; readonly to: string }[] };
  readonly now: number;
  readonly startTime: number;
  readonly endTime: number;
}

export type OracleType = 'string' | 'number' | 'timestamp' | 'json' | 'boolean' | 'null';
interface Tagged {
  readonly tag: OracleType;
  readonly value: Value;
}
type Bindings = ReadonlyMap<string, Tagged>;

const sqlNull: Tagged = { tag: 'null', value: undefined };
const truth = (value: boolean | undefined): Tagged => (value === undefined ? sqlNull : { tag: 'boolean', value });
const tagged = (tag: OracleType, value: Value): Tagged => (value === undefined ? sqlNull : { tag, value });

/** The rows of a query as they leave the service. */
export function evaluateNaively(query: Query, options: OracleOptions): Value[][] {
  if (query.kind === 'query') return bodyRows(query.body, options).map((row) => row.map(output));
  const rows = query.bodies.flatMap((body) => bodyRows(body, options));
  return (query.all ? rows : withoutDuplicates(rows)).map((row) => row.map(output));
}

function output({ tag, value }: Tagged): Value {
  if (value === undefined) return null;
  return tag === 'timestamp' ? new Date(value as number).toISOString() : value;
}

function bodyRows(body: Body, options: OracleOptions): Tagged[][] {
  let rows: Map<string, Tagged>[] = [new Map()];
  for (const item of body.source?.items ?? []) {
    rows = item.kind === 'datasource' ? joined(rows, item, undefined, options) : expanded(rows, item, options);
  }
  const condition = body.filter?.condition;
  const kept = rows.filter((row) => condition === undefined || toBoolean(evaluate(condition, row, options)) === true);
  const results = kept.map((row) =>
    (body.return?.items ?? []).flatMap((item) => {
      if (item.kind === 'returnColumn') return [evaluate(item.expression, row, options)];
      const prefix = `${item.qualifier?.name}.`;
      return [...row].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
    }),
  );
  return body.return?.distinct ? withoutDuplicates(results) : results;
}

function withoutDuplicates(rows: readonly Tagged[][]): Tagged[][] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = row.map((cell) => (cell.value === undefined ? 'null' : `value ${canonical(cell.value)}`)).join('\n');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item as Value)}`);
    return `{${members.sort().join()}}`;
  }
  return isNumeric(value) ? digits(value) : String(JSON.stringify(value));
}

/** Integers in full, also those that a double holds only nearly. */
function digits(value: number | bigint): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** Adds a datasource to every row: all its rows for the root and for comma items, else the rows with equal keys or one of nulls. */
function joined(
  rows: readonly Map<string, Tagged>[],
  item: DatasourceItem,
  from: DatasourceItem | undefined,
  options: OracleOptions,
): Map<string, Tagged>[] {
  const table = options.tables[item.name.name] as OracleTable;
  const inRange = table.rows.filter((row) => {
    if (table.timeColumn === undefined) return true;
    const time = row[table.timeColumn];
    return typeof time === 'number' && time >= options.startTime && time < options.endTime;
  });
  let result = rows.flatMap((left) => {
    const keys = from === undefined ? [] : (options.joins[`${from.name.name}>${item.name.name}`] ?? []);
    const partners = inRange.filter((right) =>
      keys.every((key) => {
        const a = left.get(`${nameOf(from as DatasourceItem)}.${key.from}`) as Tagged;
        return compare('=', a, cell(table, right, key.to)) === true;
      }),
    );
    if (partners.length === 0) return from === undefined ? [] : [withRow(left, item, table, {})];
    return partners.map((right) => withRow(left, item, table, right));
  });
  for (const join of item.joins) {
    for (const target of join.targets) result = joined(result, target.datasource, item, options);
  }
  return result;
}

function nameOf(item: DatasourceItem): string {
  return item.alias?.name ?? item.name.name;
}

function cell(table: OracleTable, row: { readonly [column: string]: Value }, name: string): Tagged {
  const tag = table.columns.find((column) => column.name === name)?.type ?? 'null';
  return tagged(tag, row[name]);
}

function withRow(
  left: ReadonlyMap<string, Tagged>,
  item: DatasourceItem,
  table: OracleTable,
  right: { readonly [column: string]: Value },
): Map<string, Tagged> {
  const row = new Map(left);
  for (const column of table.columns)
    row.set(`${nameOf(item)}.${column.name}`, tagged(column.type, right[column.name]));
  return row;
}

function expanded(
  rows: readonly Map<string, Tagged>[],
  item: ExpansionItem,
  options: OracleOptions,
): Map<string, Tagged>[] {
  const name = item.columnAlias?.name ?? '';
  return rows.flatMap((row) => {
    const { value } = evaluate(item.argument, row, options);
    const elements: readonly Value[] = Array.isArray(value) ? value : [];
    if (elements.length === 0) return item.nonEmpty ? [] : [new Map(row).set(name, sqlNull)];
    return elements.map((element) => new Map(row).set(name, tagged('json', element)));
  });
}

function evaluate(node: Expression, row: Bindings, options: OracleOptions): Tagged {
  const value = (expression: Expression): Tagged => evaluate(expression, row, options);
  switch (node.kind) {
    case 'string':
      return tagged('string', node.value);
    case 'number':
      return tagged('number', node.value);
    case 'boolean':
      return tagged('boolean', node.value);
    case 'null':
      return sqlNull;
    case 'column':
      return lookUp(node.qualifier?.name, node.name.name, row);
    case 'path': {
      let current: Value = value(node.base).value;
      for (const key of node.keys) {
        const object = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {};
        current = Object.entries(object).find(([name]) => name === key.name)?.[1] as Value;
      }
      return tagged('json', current);
    }
    case 'cast':
      return cast(value(node.operand), node.typeName.name.toLowerCase() as OracleType);
    case 'call':
      return call(node.name.name.toLowerCase(), node.args.map(value), options);
    case 'unary': {
      if (node.operator === '-') return arithmetic('-', tagged('number', 0), value(node.operand));
      const operand = toBoolean(value(node.operand));
      return truth(operand === undefined ? undefined : !operand);
    }
    case 'binary':
      return binary(node.operator, value(node.left), value(node.right));
    case 'like': {
      const text = toText(value(node.operand));
      const results = node.patterns.map((pattern) => like(text, toText(value(pattern)), node.operator));
      return truth(negateIf(node.negated, anyOf(results)));
    }
    case 'inList': {
      const operand = value(node.operand);
      return truth(negateIf(node.negated, anyOf(node.items.map((item) => compare('=', operand, value(item))))));
    }
    case 'inQuery': {
      const operand = node.operand.kind === 'parenthesized' ? node.operand.expression : node.operand;
      const left = (operand.kind === 'tuple' ? operand.items : [operand]).map(value);
      const right = bodyRows(node.body, options).filter((cells) => cells.every((item) => item.value !== undefined));
      if (right.length === 0) return truth(node.negated);
      if (left.some((item) => item.value === undefined)) return sqlNull;
      const found = right.some((cells) =>
        cells.every((item, index) => compare('=', left[index] as Tagged, item) === true),
      );
      return truth(found !== node.negated);
    }
    case 'between': {
      const operand = value(node.operand);
      const inside = both(compare('>=', operand, value(node.low)), compare('<=', operand, value(node.high)));
      return truth(negateIf(node.negated, inside));
    }
    case 'isNull': {
      const operand = value(node.operand);
      if (!node.json) return truth((operand.value === undefined) !== node.negated);
      return operand.value === undefined ? sqlNull : truth((operand.value === null) !== node.negated);
    }
    case 'case': {
      for (const branch of node.branches) {
        const holds =
          node.subject === undefined
            ? toBoolean(value(branch.when))
            : compare('=', value(node.subject), value(branch.when));
        if (holds === true) return value(branch.then);
      }
      return node.otherwise === undefined ? sqlNull : value(node.otherwise);
    }
    case 'parenthesized':
      return value(node.expression);
    case 'tuple':
    case 'missing':
      throw new Error(`The oracle cannot evaluate ${node.kind}.`);
    default:
      return assertNever(node);
  }
}

function lookUp(qualifier: string | undefined, name: string, row: Bindings): Tagged {
  if (qualifier !== undefined) return row.get(`${qualifier}.${name}`) ?? sqlNull;
  const direct = row.get(name);
  if (direct !== undefined) return direct;
  for (const [key, value] of row) if (key.endsWith(`.${name}`)) return value;
  throw new Error(`The oracle knows no column ${name}.`);
}

function anyOf(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(true)) return true;
  return results.includes(undefined) ? undefined : false;
}

function both(a: boolean | undefined, b: boolean | undefined): boolean | undefined {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

function negateIf(negated: boolean, value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : value !== negated;
}

function binary(operator: string, left: Tagged, right: Tagged): Tagged {
  switch (operator) {
    case 'and':
      return truth(both(toBoolean(left), toBoolean(right)));
    case 'or':
      return truth(anyOf([toBoolean(left), toBoolean(right)]));
    case '||': {
      const a = toText(left);
      const b = toText(right);
      return a === undefined || b === undefined ? sqlNull : tagged('string', `${a}${b}`);
    }
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return truth(compare(operator, left, right));
    default:
      return arithmetic(operator, left, right);
  }
}

/** Both values in the type the two are compared in: JSON takes on the other's type, then boolean, timestamp, number go before string. */
function compare(operator: string, left: Tagged, right: Tagged): boolean | undefined {
  if (left.value === undefined || right.value === undefined) return undefined;
  const tags = [left.tag, right.tag].filter((tag) => tag !== 'json');
  const [one] = tags;
  const target: OracleType =
    one === undefined
      ? 'json'
      : tags.every((tag) => tag === one)
        ? one
        : tags.includes('boolean')
          ? 'boolean'
          : tags.includes('timestamp')
            ? 'timestamp'
            : 'number';
  const a = cast(left, target).value;
  const b = cast(right, target).value;
  if (a === undefined || b === undefined) return undefined;
  if (operator === '=' || operator === '<>') return (canonical(a) === canonical(b)) === (operator === '=');
  if (isNumeric(a) ? !isNumeric(b) : typeof a !== typeof b || typeof a === 'object') return undefined;
  const x = a as number;
  const y = b as number;
  return operator === '<' ? x < y : operator === '<=' ? x <= y : operator === '>' ? x > y : x >= y;
}

function isNumeric(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function arithmetic(operator: string, left: Tagged, right: Tagged): Tagged {
  const a = toNumber(left);
  const b = toNumber(right);
  if (a === undefined || b === undefined) return sqlNull;
  const whole = [a, b].every((value) => typeof value === 'bigint' || Number.isInteger(value));
  const divisible = whole && operator === '/' && Number(b) !== 0 && BigInt(a) % BigInt(b) === 0n;
  if (!whole || (operator === '/' && !divisible)) {
    const x = Number(a);
    const y = Number(b);
    const result =
      operator === '+' ? x + y : operator === '-' ? x - y : operator === '*' ? x * y : operator === '/' ? x / y : x % y;
    return tagged('number', oneForm(result));
  }
  const x = BigInt(a);
  const y = BigInt(b);
  if (operator === '%' && y === 0n) return sqlNull;
  const result =
    operator === '+' ? x + y : operator === '-' ? x - y : operator === '*' ? x * y : operator === '/' ? x / y : x % y;
  return tagged('number', oneForm(result));
}

/** Integers up to 2^53 are numbers, up to 38 digits bigint, beyond that decimals. */
function oneForm(value: number | bigint): number | bigint | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return Number.isFinite(value) ? value : undefined;
  const whole = BigInt(value);
  if (whole > -(2n ** 53n) && whole < 2n ** 53n) return Number(whole);
  if (whole < 10n ** 38n && whole > -(10n ** 38n)) return whole;
  return Number.isFinite(Number(whole)) ? Number(whole) : undefined;
}

function toBoolean(value: Tagged): boolean | undefined {
  return cast(value, 'boolean').value as boolean | undefined;
}

function toText(value: Tagged): string | undefined {
  return cast(value, 'string').value as string | undefined;
}

function toNumber(value: Tagged): number | bigint | undefined {
  return cast(value, 'number').value as number | bigint | undefined;
}

function cast({ tag, value }: Tagged, target: OracleType): Tagged {
  if (value === undefined || tag === target) return tagged(tag, value);
  if (target === 'json')
    return tag === 'timestamp' ? tagged('json', new Date(value as number).toISOString()) : tagged('json', value);
  if (value === null) return sqlNull;
  switch (target) {
    case 'string':
      if (tag === 'timestamp') return tagged('string', new Date(value as number).toISOString());
      return tagged(
        'string',
        typeof value === 'string'
          ? value
          : isNumeric(value)
            ? digits(value)
            : isNumeric(value)
              ? digits(value)
              : typeof value === 'object'
                ? JSON.stringify(value)
                : `${value}`,
      );
    case 'number':
      if (isNumeric(value)) return tagged('number', value);
      return tagged('number', typeof value === 'string' ? numberFromText(value) : undefined);
    case 'boolean':
      if (typeof value === 'boolean') return tagged('boolean', value);
      if (isNumeric(value)) return truth(value !== 0 && value !== 0n);
      if (typeof value !== 'string') return sqlNull;
      if (/^\s*(true|t|yes|y|on|1)\s*$/i.test(value)) return truth(true);
      return /^\s*(false|f|no|n|off|0)\s*$/i.test(value) ? truth(false) : sqlNull;
    case 'timestamp':
      if (isNumeric(value)) return timeFromMilliseconds(Number(value) * 1000);
      return typeof value === 'string' ? timeFromText(value.trim()) : sqlNull;
    default:
      return sqlNull;
  }
}

function numberFromText(text: string): number | bigint | undefined {
  if (/^\s*[+-]?\d{1,38}\s*$/.test(text)) {
    return oneForm(BigInt(text.trim().replace('+', '')));
  }
  const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return oneForm(value);
}

function timeFromMilliseconds(value: number): Tagged {
  const whole = Math.floor(value + 1e-6);
  return tagged('timestamp', Math.abs(whole) <= 8.64e15 ? whole : undefined);
}

function timeFromText(text: string): Tagged {
  if (/^\d+$/.test(text)) {
    return text.length === 13
      ? tagged('timestamp', Number(text))
      : text.length <= 10
        ? tagged('timestamp', Number(text) * 1000)
        : sqlNull;
  }
  const full = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text.toUpperCase().replace(' ', 'T');
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(full) ? Date.parse(full) : Number.NaN;
  return tagged('timestamp', Number.isNaN(time) ? undefined : time);
}

function like(text: string | undefined, pattern: string | undefined, operator: string): boolean | undefined {
  if (text === undefined || pattern === undefined) return undefined;
  const source =
    operator === 'rlike'
      ? pattern
      : Array.from(pattern, (c) => (c === '%' ? '.*' : c === '_' ? '.' : c.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'))).join(
          '',
        );
  return new RegExp(`^(?:${source})$`, operator === 'ilike' ? 'isu' : 'su').test(text);
}

const dayMilliseconds = 86_400_000;

function call(name: string, args: readonly Tagged[], options: OracleOptions): Tagged {
  const [first = sqlNull, second = sqlNull, third] = args;
  switch (name) {
    case 'coalesce':
      return args.find((arg) => arg.value !== undefined) ?? sqlNull;
    case 'key_exists':
      return truth(first.value !== undefined);
    case 'value_exists':
      return truth(first.value !== undefined && first.value !== null);
    case 'any_in_array':
      return truth(
        Array.isArray(first.value) &&
          first.value.some((element: Value) =>
            args
              .slice(1)
              .some((arg) =>
                arg.value === undefined || arg.value === null
                  ? element === null
                  : compare('=', tagged('json', element), arg) === true,
              ),
          ),
      );
  }
  if (args.some((arg) => arg.value === undefined)) return sqlNull;
  const text = toText(first);
  switch (name) {
    case 'array_size':
      return tagged('number', Array.isArray(first.value) ? first.value.length : undefined);
    case 'is_array':
      return truth(Array.isArray(first.value));
    case 'is_object':
      return truth(typeof first.value === 'object' && first.value !== null && !Array.isArray(first.value));
    case 'current_timestamp_sec':
      return tagged('number', Math.floor(options.now / 1000));
    case 'abs': {
      const number = toNumber(first);
      return number === undefined ? sqlNull : tagged('number', number < 0 ? -number : number);
    }
    case 'diff_days': {
      const from = cast(first, 'timestamp').value;
      const to = cast(second, 'timestamp').value;
      if (from === undefined || to === undefined) return sqlNull;
      return tagged('number', Math.floor(Number(to) / dayMilliseconds) - Math.floor(Number(from) / dayMilliseconds));
    }
    case 'add_days': {
      const count = toNumber(first);
      const time = cast(second, 'timestamp').value;
      if (count === undefined || time === undefined) return sqlNull;
      return timeFromMilliseconds(Number(time) + Math.round(Number(count)) * dayMilliseconds);
    }
  }
  if (text === undefined) return sqlNull;
  const search = toText(second);
  switch (name) {
    case 'lower':
      return tagged('string', text.toLowerCase());
    case 'upper':
      return tagged('string', text.toUpperCase());
    case 'length':
      return tagged('number', [...text].length);
    case 'contains':
      return search === undefined ? sqlNull : truth(text.indexOf(search) >= 0);
    case 'starts_with':
      return search === undefined ? sqlNull : truth(text.slice(0, search.length) === search);
    case 'substring': {
      const from = toNumber(second);
      const count = third === undefined ? 1_000_000 : toNumber(third);
      if (from === undefined || count === undefined) return sqlNull;
      const characters = [...text];
      const start = Number(from) < 0 ? Math.max(0, characters.length + Number(from)) : Math.max(0, Number(from) - 1);
      return tagged('string', characters.slice(start, start + Math.max(0, Number(count))).join(''));
    }
    default:
      throw new Error(`The oracle knows no function ${name}.`);
  }
}
