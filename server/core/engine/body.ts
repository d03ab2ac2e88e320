import type { Scope } from '../language/semantics/semantic-model.ts';
import type { Body, ColumnReference, Expression, ReturnItem } from '../language/syntax/ast.ts';
import type { Value } from '../language/values/value.ts';
import {
  type CompileContext,
  type Compiled,
  convert,
  type Evaluator,
  isConstant,
  type Read,
  readsDocuments,
  type Subquery,
  workUnits,
} from './compile/compiled.ts';
import { compileExpression } from './compile/expression.ts';
import { conjunctsOf } from './compile/operators.ts';
import { EngineFailure } from './engine-failure.ts';
import type { Environment } from './environment.ts';
import { createLevel } from './level.ts';
import { type PathColumn, pathColumn } from './path-column.ts';
import { type Pipeline, type RowSink, runBody } from './run-body.ts';
import {
  createScan,
  filterByCondition,
  filterByDictionary,
  filterByPath,
  filterByRow,
  type RowFilter,
} from './scan.ts';
import { columnOf, elementOf, openSources, type Source, type TableSourceItem, timeRangeTest } from './source.ts';
import type { DictionaryVector } from './table.ts';
import type { Task } from './task.ts';

export interface OutputColumn {
  /** Upper-cased, as the service returns it. */
  readonly name: string;
  readonly compiled: Compiled;
}

/** One `{ source … filter … return … }`, ready to run once. */
export interface BodyPlan {
  readonly outputs: readonly OutputColumn[];
  readonly distinct: boolean;
  run(sink: RowSink): Task;
}

/** Nesting beyond this is refused: evaluators call each other, and the stack is finite. */
const maxDepth = 400;

export function compileBody(body: Body, environment: Environment): BodyPlan {
  const scope = environment.model.scopes.get(body);
  const root = scope?.sources[0];
  if (scope === undefined || root === undefined || body.return === undefined) {
    throw new EngineFailure('incomplete-query', 'The query is incomplete: it needs a source block and a return block.');
  }
  const sources = openSources(scope, environment);
  const prerequisites: Task[] = [];
  const context = createContext(scope, sources, environment, prerequisites);
  const levels = sources.slice(1).map((source) => createLevel(source, sources, context, environment, prerequisites));
  const rootSource = sources[0];
  if (rootSource?.kind !== 'table') {
    throw new EngineFailure(
      'incomplete-query',
      'The source block must begin with a datasource, not with an array expansion.',
    );
  }
  const conditions = compileConditions(body, context);
  const rootFilters = timeFilters(rootSource, environment);
  for (const condition of conditions) {
    const level = Math.max(0, ...condition.reads.map((read) => read.level));
    if (level === 0) rootFilters.push(rootFilter(condition, rootSource));
    else levels[level - 1]?.filters.push(condition);
  }
  // A condition that is false or null whatever the row leaves nothing to read.
  const impossible = conditions.some((condition) => isConstant(condition) && condition.evaluate() !== true);
  const scan = createScan(0, impossible ? 0 : rootSource.table.rowCount, rootFilters);
  const outputs = compileOutputs(body.return.items, scope, sources, context);
  const pipeline: Pipeline = {
    scan,
    root: rootSource.cursor,
    levels,
    prerequisites,
    outputLevel: Math.max(0, ...outputs.flatMap((output) => output.compiled.reads.map((read) => read.level))),
    outputUnits: outputUnits(outputs),
  };
  return {
    outputs,
    distinct: body.return.distinct,
    run: (sink) => runBody(pipeline, sink),
  };
}

/** Rows with whole JSON documents are costly to tell apart, and about as costly to hold. */
const documentUnits = 30;

function outputUnits(outputs: readonly OutputColumn[]): number {
  const expressions = outputs.map((output) => output.compiled);
  const documents = expressions.filter((expression) => expression.type === 'json' && readsDocuments(expression));
  return workUnits(expressions) + documents.length * documentUnits;
}

function createContext(
  scope: Scope,
  sources: readonly Source[],
  environment: Environment,
  prerequisites: Task[],
): CompileContext {
  let depth = 0;
  const paths = new Map<Read, Map<string, Read>>();
  const context: CompileContext = {
    model: environment.model,
    now: environment.options.now,
    compile(expression) {
      if (depth >= maxDepth) {
        throw new EngineFailure(
          'unsupported',
          `The query nests expressions more than ${maxDepth} levels deep. Simplify it.`,
        );
      }
      depth++;
      const compiled = compileExpression(expression, context);
      depth--;
      return compiled;
    },
    column(reference) {
      const symbol = environment.model.references.get(reference);
      const source = symbol === undefined ? undefined : sources[scope.sources.indexOf(symbol.source)];
      if (source?.kind === 'expansion') return elementOf(source);
      // The symbol has the name as the catalog spells it, whatever the case in the query.
      const name = symbol?.kind === 'column' ? symbol.name : reference.name.name;
      const column = source === undefined ? undefined : columnOf(source, name);
      if (column === undefined) throw noSuchColumn(reference);
      return column;
    },
    readPath(read, keys) {
      const ofRead = paths.get(read) ?? new Map<string, Read>();
      paths.set(read, ofRead);
      const name = JSON.stringify(keys);
      const path = ofRead.get(name) ?? { ...read, path: keys };
      ofRead.set(name, path);
      return path;
    },
    subquery(expression) {
      const { subquery, task } = compileSubquery(expression.body, environment);
      prerequisites.push(task);
      return subquery;
    },
  };
  return context;
}

function noSuchColumn(reference: ColumnReference): EngineFailure {
  const { qualifier, name } = reference;
  const written = qualifier === undefined ? name.name : `${qualifier.name}.${name.name}`;
  return new EngineFailure(
    'no-such-column',
    `There is no column ${written}. Check its name: names are case-sensitive.`,
  );
}

/**
 * The conditions that must all be true. Those over dictionaries cost a lookup a row and go before those that compute; as no condition can
 * fail, their order changes nothing else.
 */
function compileConditions(body: Body, context: CompileContext): Compiled[] {
  if (body.filter === undefined) return [];
  const conditions = conjunctsOf(body.filter.condition).map((conjunct) =>
    convert(context.compile(conjunct), 'boolean'),
  );
  return [
    ...conditions.filter((condition) => dictionaryOf(condition) !== undefined),
    ...conditions.filter((condition) => dictionaryOf(condition) === undefined),
  ];
}

/** The dictionary of the only column an expression reads. */
function dictionaryOf(expression: Compiled): DictionaryVector | undefined {
  const [read] = expression.reads;
  return expression.reads.length === 1 && read?.vector?.kind === 'dictionary' ? read.vector : undefined;
}

/** The dictionary of the only JSON path an expression reads, where one is kept. */
function pathColumnOf(expression: Compiled): PathColumn | undefined {
  const [read] = expression.reads;
  if (expression.reads.length !== 1 || read?.path === undefined || read.vector?.kind !== 'values') return undefined;
  return pathColumn(read.vector, read.path);
}

function timeFilters(source: TableSourceItem, environment: Environment): RowFilter[] {
  const test = timeRangeTest(source.table, environment);
  return test === undefined ? [] : [filterByRow(test)];
}

function rootFilter(condition: Compiled, source: TableSourceItem): RowFilter {
  const dictionary = dictionaryOf(condition);
  if (dictionary !== undefined) return filterByDictionary(dictionary, source.cursor, condition);
  const path = pathColumnOf(condition);
  return path === undefined
    ? filterByCondition(source.cursor, condition)
    : filterByPath(path, source.cursor, condition);
}

function compileOutputs(
  items: readonly ReturnItem[],
  scope: Scope,
  sources: readonly Source[],
  context: CompileContext,
): OutputColumn[] {
  const outputs: OutputColumn[] = [];
  for (const item of items) {
    if (item.kind === 'returnColumn') {
      const name = item.alias?.name ?? columnName(item.expression) ?? `COLUMN_${outputs.length + 1}`;
      outputs.push({ name: name.toUpperCase(), compiled: context.compile(item.expression) });
    } else {
      outputs.push(...columnsOfSource(item.qualifier?.name, scope, sources));
    }
  }
  if (outputs.length === 0) throw new EngineFailure('incomplete-query', 'The return block names no columns.');
  return outputs;
}

/** Without an alias a column keeps its name, and a JSON path has the name of the column it starts from. */
function columnName(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'column':
      return expression.name.name;
    case 'path':
      return columnName(expression.base);
    case 'cast':
      return columnName(expression.operand);
    case 'parenthesized':
      return columnName(expression.expression);
    default:
      return undefined;
  }
}

/** `name.*` */
function columnsOfSource(name: string | undefined, scope: Scope, sources: readonly Source[]): OutputColumn[] {
  const position = scope.sources.findIndex(
    (symbol) => (symbol.kind === 'expansion' ? symbol.tableAlias : symbol.name) === name,
  );
  const source = name === undefined ? undefined : sources[position];
  if (source === undefined) {
    throw new EngineFailure(
      'no-such-table',
      `There is no source named ${name ?? '*'} whose columns could be returned.`,
    );
  }
  if (source.kind === 'expansion') {
    return [{ name: source.symbol.name.toUpperCase(), compiled: elementOf(source) }];
  }
  return source.table.columns.flatMap((column) => {
    const compiled = columnOf(source, column.name);
    return compiled === undefined ? [] : [{ name: column.name.toUpperCase(), compiled }];
  });
}

/** Bytes a key takes in a set, beside its text. */
const keyOverhead = 64;

/** Compiles the query on the right of IN to a task that gathers the keys of its rows. */
function compileSubquery(body: Body, environment: Environment): { subquery: Subquery; task: Task } {
  const plan = compileBody(body, environment);
  const keys = new Set<unknown>();
  const evaluators = plan.outputs.map((output) => output.compiled.evaluate);
  const row: Value[] = evaluators.map(() => undefined);
  let keyOf: ((row: readonly Value[]) => unknown) | undefined;
  let hasRows = false;
  const task = plan.run({
    full: false,
    dropsRepeats: true,
    accept() {
      for (let index = 0; index < evaluators.length; index++) row[index] = (evaluators[index] as Evaluator)();
      hasRows ||= !row.includes(undefined);
      const key = keyOf?.(row);
      if (key === undefined || keys.has(key)) return;
      keys.add(key);
      environment.memory.charge(keyOverhead + (typeof key === 'string' ? key.length * 2 : 0));
    },
  });
  const subquery: Subquery = {
    types: plan.outputs.map((output) => output.compiled.type),
    keys,
    get hasRows() {
      return hasRows;
    },
    keyBy(key) {
      keyOf = key;
    },
  };
  return { subquery, task };
}
