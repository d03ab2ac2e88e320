import { builtInQueries } from '../built-in/queries.ts';
import type { AccountContext } from '../context.ts';
import type { StoredQuery } from '../state/account-state.ts';

/** A query of the vendor or of the account. */
export function findQuery(context: AccountContext, queryId: string): StoredQuery | undefined {
  const { queries } = context.account.state;
  if (Object.hasOwn(queries, queryId)) return queries[queryId];
  return builtInQueries(context.settings).find((query) => query.queryId === queryId);
}
