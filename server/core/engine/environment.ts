import type { SemanticModel } from '../language/semantics/semantic-model.ts';
import type { MemoryBudget } from './engine-failure.ts';
import type { ExecutionOptions } from './execution.ts';
import type { TableProvider } from './table.ts';

/** What all parts of one execution share. */
export interface Environment {
  readonly model: SemanticModel;
  readonly tables: TableProvider;
  readonly options: ExecutionOptions;
  readonly memory: MemoryBudget;
}
