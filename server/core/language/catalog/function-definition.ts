import type { LqlType } from '../types/types.ts';
import type { Value } from '../values/value.ts';

/** What an argument accepts. `json` accepts JSON of any kind; `any` accepts everything. Null and unknown fit everywhere. */
export type ParameterType = LqlType | 'any';

export interface Parameter {
  /** As shown in signature help, e.g. `searchFor`. */
  readonly name: string;
  readonly type: ParameterType;
  readonly optional?: boolean;
  /** The last parameter may repeat. */
  readonly variadic?: boolean;
  /** JSON values are converted to `type` by the service itself; without it a JSON argument needs a cast. */
  readonly acceptsJson?: boolean;
  readonly description: string;
}

export interface FunctionExample {
  /** An LQL expression without columns, e.g. `left('bucket', 3)`. */
  readonly expression: string;
  /** Its value as the engine gives it; timestamps as ISO 8601 text. `undefined` (SQL null) is written `null: "sql"`. */
  readonly value?: Exclude<Value, undefined>;
  readonly null?: 'sql';
}

export interface RowExample {
  /** JSON text of the value that is expanded; `undefined` is SQL null. */
  readonly array: string | undefined;
  /** The new column in the rows that one row becomes. */
  readonly rows: readonly Value[];
}

/** One function of the language, defined once: completion, hover, signature help, checking, engine, documentation and tests read this. */
export interface FunctionDefinition {
  /** Lower case, as listed in documentation: `array_size`. Names compare without case. */
  readonly name: string;
  readonly category: 'json' | 'string' | 'conversion' | 'time' | 'number' | 'address';
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** A type, or the index of the parameter whose type it takes over (`coalesce`). */
  readonly returns: LqlType | { readonly sameAsParameter: number };
  /** What the function gives for null arguments, in words, with our choice where nothing public tells. */
  readonly nulls: string;
  readonly examples: readonly FunctionExample[];
  /** For functions that make rows: what they make of one row. */
  readonly rowExamples?: readonly RowExample[];
  /** Set when the service advises against it; names the replacement. */
  readonly deprecated?: string;
  /** True when the result depends on the moment of evaluation. */
  readonly volatile?: boolean;
  /** True where the function stands only as a source item (array expansion). */
  readonly sourceOnly?: boolean;
  /**
   * Evaluates with converted arguments (SQL null is `undefined`). `now` is the query's start in milliseconds.
   * Unless `handlesNull`, the engine answers SQL null when any given argument is SQL null and never calls this.
   */
  readonly evaluate: (args: readonly Value[], context: EvaluationContext) => Value;
  readonly handlesNull?: boolean;
}

export interface EvaluationContext {
  /** Milliseconds since 1970 UTC at which the query started: the same for every row. */
  readonly now: number;
}

export function defineFunction(definition: FunctionDefinition): FunctionDefinition {
  return definition;
}
