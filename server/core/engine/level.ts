import { comparisonType } from '../language/values/compare.ts';
import { isJsonArray } from '../language/values/json.ts';
import type { Value } from '../language/values/value.ts';
import { type CompileContext, type Compiled, convert, type Evaluator } from './compile/compiled.ts';
import { EngineFailure } from './engine-failure.ts';
import type { Environment } from './environment.ts';
import { type JoinColumn, joinIndexTask } from './join-index.ts';
import { matchKey } from './row-key.ts';
import { columnOf, type ExpansionSource, type Source, type TableSourceItem, timeRangeTest } from './source.ts';
import type { Task } from './task.ts';

/** One source after the root: visits its rows for the current rows of the sources before it. */
export interface Level {
  open(): void;
  /** Puts the next row or element in place. `skip`: something was looked at that does not count. */
  advance(): 'row' | 'skip' | 'done';
  /** Conditions that can be decided once this level has a row. */
  readonly filters: Compiled[];
}

/** `tasks` receives what must be done before the first row is visited. */
export function createLevel(
  source: Source,
  sources: readonly Source[],
  context: CompileContext,
  environment: Environment,
  tasks: Task[],
): Level {
  if (source.kind === 'expansion') return expansionLevel(source, context);
  if (source.symbol.joinedFrom === undefined) return productLevel(source, environment);
  return joinLevel(source, sources, environment, tasks);
}

const nothing: readonly Value[] = [];
const oneNull: readonly Value[] = [undefined];

/** One row for each element. A value that is no array, or an empty one, keeps its row with null, or drops it (`non_empty`). */
function expansionLevel(source: ExpansionSource, context: CompileContext): Level {
  const { cell, symbol } = source;
  const whenEmpty = symbol.node.nonEmpty ? nothing : oneNull;
  const argument = convert(context.compile(symbol.node.argument), 'json').evaluate;
  let elements = nothing;
  let position = 0;
  return {
    filters: [],
    open() {
      const array = argument();
      elements = isJsonArray(array) && array.length > 0 ? array : whenEmpty;
      position = 0;
    },
    advance() {
      if (position >= elements.length) return 'done';
      cell.value = elements[position++];
      return 'row';
    },
  };
}

/** Every row of the table, for datasources listed with a comma. */
function productLevel(source: TableSourceItem, environment: Environment): Level {
  const { table, cursor } = source;
  const inRange = timeRangeTest(table, environment);
  let row = 0;
  return {
    filters: [],
    open() {
      row = 0;
    },
    advance() {
      if (row >= table.rowCount) return 'done';
      cursor.row = row++;
      return inRange === undefined || inRange(cursor.row) ? 'row' : 'skip';
    },
  };
}

/** A left outer join: the partners of the left row in table order, or one row of nulls. */
function joinLevel(
  source: TableSourceItem,
  sources: readonly Source[],
  environment: Environment,
  tasks: Task[],
): Level {
  const { table, cursor } = source;
  const keys = joinKeys(source, leftOf(source, sources), environment);
  const columns = keys.map((key) => key.right);
  const name = keys.map((key) => `${key.name}:${key.right.keyType}`).join(',');
  const task = joinIndexTask(table, name, columns, environment.memory);
  if (!task.done) tasks.push(task);
  const { first, next } = task.index;
  const keyOf = matchKey(columns.map((column) => column.keyType));
  const leftValues = keys.map((key) => key.left.evaluate);
  const values: Value[] = leftValues.map(() => undefined);
  const inRange = timeRangeTest(table, environment);
  let candidate = -1;
  let matched = false;
  return {
    filters: [],
    open() {
      for (let index = 0; index < leftValues.length; index++) values[index] = (leftValues[index] as Evaluator)();
      const key = keyOf(values);
      candidate = key === undefined ? -1 : (first.get(key) ?? -1);
      matched = false;
    },
    advance() {
      if (candidate >= 0) {
        cursor.row = candidate;
        candidate = next[candidate] as number;
        if (inRange !== undefined && !inRange(cursor.row)) return 'skip';
        matched = true;
        return 'row';
      }
      if (matched) return 'done';
      matched = true;
      cursor.row = -1;
      return 'row';
    },
  };
}

function leftOf(source: TableSourceItem, sources: readonly Source[]): TableSourceItem {
  const left = sources.find((item) => item.kind === 'table' && item.symbol === source.symbol.joinedFrom);
  if (left?.kind === 'table' && left.level < source.level) return left;
  throw new EngineFailure('unsupported', `${source.symbol.name} is joined to a source that does not stand before it.`);
}

interface JoinKeyColumns {
  readonly name: string;
  readonly left: Compiled;
  readonly right: JoinColumn;
}

function joinKeys(source: TableSourceItem, left: TableSourceItem, environment: Environment): JoinKeyColumns[] {
  const { relationship } = source.symbol;
  const names = relationship === undefined ? undefined : environment.tables.joinKeys(relationship);
  if (relationship === undefined || names === undefined || names.length === 0) {
    throw new EngineFailure(
      'no-join-keys',
      `It is not known how rows of ${left.table.name} and ${source.table.name} belong together: no relationship with keys joins them.`,
    );
  }
  const leftName = left.symbol.node.name.name;
  const reversed = relationship.from !== leftName && relationship.to === leftName;
  return names.map(({ from, to }) => joinKey(left, source, reversed ? to : from, reversed ? from : to));
}

function joinKey(left: TableSourceItem, right: TableSourceItem, leftName: string, rightName: string): JoinKeyColumns {
  const leftColumn = columnOf(left, leftName);
  const rightColumn = columnOf(right, rightName);
  const vector = right.table.column(rightName);
  const keyType =
    leftColumn === undefined || rightColumn === undefined
      ? undefined
      : comparisonType(leftColumn.type, rightColumn.type);
  if (leftColumn === undefined || rightColumn === undefined || vector === undefined || keyType === undefined) {
    throw new EngineFailure(
      'no-join-keys',
      `${left.table.name} and ${right.table.name} are said to be joined on ${leftName} and ${rightName}, but these columns cannot be compared.`,
    );
  }
  return {
    name: rightName,
    left: convert(leftColumn, keyType),
    right: { vector, type: rightColumn.type, keyType },
  };
}
