import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import type { Row } from '../runs.ts';

/** The operations of the service that the extension needs today, for one account. Errors are UserErrors. */
export interface AccountApi {
  /** The `data` array of `GET /api/v2/Datasources`. */
  datasources(signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Columns from the schemas endpoints; undefined when the service offers none for this datasource. */
  schema(datasource: string, signal?: AbortSignal): Promise<readonly Column[] | undefined>;
  execute(queryText: string, queryArguments: readonly QueryArgument[], signal?: AbortSignal): Promise<readonly Row[]>;
  /** Closes connections; calls under way fail. */
  close(): Promise<void>;
}

export interface QueryArgument {
  readonly name: string;
  readonly value: string;
}
