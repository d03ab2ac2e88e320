import type { ContentAccount } from '../../../server/api/content/content-sync.ts';
import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import type { Row } from '../runs.ts';

/** The operations of the service that the extension needs today, for one account. Errors are UserErrors. */
export interface AccountApi {
  /** The `data` array of `GET /api/v2/Datasources`. */
  datasources(signal?: AbortSignal): Promise<readonly unknown[]>;
  /** Columns from the schemas endpoints; undefined when the service offers none for this datasource. */
  schema(datasource: string, signal?: AbortSignal): Promise<readonly Column[] | undefined>;
  execute(execution: Execution, signal?: AbortSignal): Promise<readonly Row[]>;
  /** Names of the columns that the service finds in the query's result. Fails with status 400 where it finds fault with it. */
  validate(queryText: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** The queries registered in the account. */
  queries(signal?: AbortSignal): Promise<readonly SavedQuery[]>;
  /** The account as its content is compared with files and changed; its calls fail with ApiErrors. */
  readonly content: ContentAccount;
  /** What is left of this hour's runs, as far as is known; undefined before the first, and where there is no limit. */
  budget(): RunBudget | undefined;
  /** When the token in use was issued; undefined before the first. Milliseconds since 1970 UTC. */
  tokenIssuedAt(): number | undefined;
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

export interface RunBudget {
  /** Runs an hour. */
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since 1970 UTC at which the next run is allowed; undefined while runs are left. */
  readonly resetsAt: number | undefined;
  /** Runs that wait for their turn. */
  readonly queued: number;
}

export interface SavedQuery {
  readonly queryId: string;
  readonly queryText: string;
  readonly owner?: string | undefined;
}
