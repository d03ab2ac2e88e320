import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import type { Row } from '../runs.ts';

/** The operations of the service that the extension needs today, for one account. Errors are UserErrors. */
export interface AccountApi {
  /** The `data` array of `GET /api/v2/Datasources`. */
  datasources(signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Columns from the schemas endpoints; undefined when the service offers none for this datasource. */
  schema(datasource: string, signal?: AbortSignal): Promise<readonly Column[] | undefined>;
  execute(execution: Execution, signal?: AbortSignal): Promise<readonly Row[]>;
  /** Closes connections; calls under way fail. */
  close(): Promise<void>;
}

export interface Execution {
  /** One line, without comments and id. */
  readonly queryText: string;
  /** Milliseconds since 1970 UTC. */
  readonly startTime: number;
  readonly endTime: number;
  readonly arguments: readonly QueryArgument[];
  /** Most rows to ask for. */
  readonly limit: number | undefined;
}

export interface QueryArgument {
  readonly name: string;
  readonly value: string;
}
