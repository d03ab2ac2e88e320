import type { SemanticModel } from '../language/semantics/semantic-model.ts';
import type { LqlType } from '../language/types/types.ts';
import type { Value } from '../language/values/value.ts';
import { type BodyPlan, compileBody, type OutputColumn } from './body.ts';
import { type Compiled, convert, type Evaluator } from './compile/compiled.ts';
import { createMemoryBudget, EngineFailure, type MemoryBudget } from './engine-failure.ts';
import type { Environment } from './environment.ts';
import type { EngineError, Execution, ExecutionColumn, ExecutionOptions } from './execution.ts';
import { createRowSet, type RowSet } from './row-set.ts';
import type { RowSink } from './run-body.ts';
import type { TableProvider } from './table.ts';
import { allDone, stepAll, type Task } from './task.ts';

const defaultMemoryLimit = 512 * 1_048_576;

/**
 * Prepares a run of a query over tables. The model should be free of errors; what the engine cannot run it says in `error`.
 * Nothing is read before the first `step`.
 */
export function createExecution(model: SemanticModel, tables: TableProvider, options: ExecutionOptions): Execution {
  const memory = createMemoryBudget(options.memoryLimit ?? defaultMemoryLimit);
  let columns: readonly ExecutionColumn[] = [];
  let error: EngineError | undefined;
  let tasks: readonly Task[] = [];
  let work = 0;
  const collector = createCollector(options.limit, memory);
  const attempt = (action: () => void): void => {
    try {
      action();
    } catch (thrown) {
      error = engineError(thrown);
      tasks = [];
    }
  };
  attempt(() => {
    const plans = compilePlans({ model, tables, options, memory });
    columns = resultColumns(plans);
    tasks = plans.map((plan) => plan.run(collector.sinkOf(plan, columns)));
  });
  return {
    columns,
    step(maxRows) {
      attempt(() => {
        const budget = Math.max(1, Math.floor(maxRows));
        if (!collector.full) work += budget - stepAll(tasks, budget);
        if (collector.full) tasks = [];
      });
      return allDone(tasks);
    },
    takeRows: collector.takeRows,
    get error() {
      return error;
    },
    get work() {
      return work;
    },
  };
}

/** A union's bodies side by side: same number of columns, compatible types, distinct over all of them unless `all`. */
interface UnitedPlan extends BodyPlan {
  /** Rows equal to earlier ones, of whatever body, are left out. */
  readonly unique: 'no' | 'within' | 'across';
}

function compilePlans(environment: Environment): UnitedPlan[] {
  const { query } = environment.model;
  if (query === undefined) throw new EngineFailure('incomplete-query', 'The text holds no query.');
  if (query.kind === 'query') {
    const plan = compileBody(query.body, environment);
    return [{ ...plan, unique: plan.distinct ? 'within' : 'no' }];
  }
  const plans = query.bodies.map((body): UnitedPlan => {
    const plan = compileBody(body, environment);
    return { ...plan, unique: query.all ? (plan.distinct ? 'within' : 'no') : 'across' };
  });
  const count = plans[0]?.outputs.length;
  if (count === undefined) throw new EngineFailure('incomplete-query', 'The union holds no query.');
  if (plans.some((plan) => plan.outputs.length !== count)) {
    throw new EngineFailure('unsupported', 'The queries of a union must return the same number of columns.');
  }
  return plans;
}

function resultColumns(plans: readonly UnitedPlan[]): ExecutionColumn[] {
  const outputs = (plans[0] as UnitedPlan).outputs;
  return outputs.map((output, index) => ({
    name: output.name,
    type: plans.map((plan) => (plan.outputs[index] as OutputColumn).compiled.type).reduce(unitedType),
  }));
}

/** The type of a column over two queries of a union; JSON holds types that have nothing in common. */
function unitedType(a: LqlType, b: LqlType): LqlType {
  if (a === b || b === 'null') return a;
  return a === 'null' ? b : 'json';
}

interface Collector {
  sinkOf(plan: UnitedPlan, columns: readonly ExecutionColumn[]): RowSink;
  takeRows(): Value[][];
  readonly full: boolean;
}

function createCollector(limit: number | undefined, memory: MemoryBudget): Collector {
  let rows: Value[][] = [];
  let held = 0;
  let count = 0;
  let rowsOfAll: RowSet | undefined;
  const shared = (types: readonly LqlType[]): RowSet => {
    rowsOfAll ??= createRowSet(types, memory);
    return rowsOfAll;
  };
  const isFull = (): boolean => limit !== undefined && count >= limit;
  return {
    get full() {
      return isFull();
    },
    takeRows() {
      const taken = rows;
      rows = [];
      memory.release(held);
      held = 0;
      return taken;
    },
    sinkOf(plan, columns) {
      const types = columns.map((column) => column.type);
      const outputs = plan.outputs.map((output, index): Compiled => convert(output.compiled, types[index] as LqlType));
      const evaluators = outputs.map((output) => output.evaluate);
      const seen =
        plan.unique === 'no' ? undefined : plan.unique === 'within' ? createRowSet(types, memory) : shared(types);
      const rowBytes = 32 + 16 * evaluators.length;
      return {
        dropsRepeats: plan.unique !== 'no',
        get full() {
          return isFull();
        },
        accept() {
          const row = new Array<Value>(evaluators.length);
          for (let index = 0; index < evaluators.length; index++) row[index] = (evaluators[index] as Evaluator)();
          if (seen !== undefined && !seen.add(row)) return;
          rows.push(row);
          count++;
          held += rowBytes;
          memory.charge(rowBytes);
        },
      };
    },
  };
}

/** What ended the run, in words for people. Anything but the engine's own failures and the limits of the machine is a defect and goes up. */
function engineError(thrown: unknown): EngineError {
  if (thrown instanceof EngineFailure) return thrown.failure;
  if (thrown instanceof RangeError && /call stack/.test(thrown.message)) {
    return { code: 'unsupported', message: 'The query nests expressions too deeply. Simplify it.' };
  }
  if (thrown instanceof RangeError) {
    return {
      code: 'memory-limit',
      message: 'The query builds a text or list larger than can be held. Shorten what it puts together.',
    };
  }
  throw thrown;
}
