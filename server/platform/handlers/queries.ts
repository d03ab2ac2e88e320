import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import { type QueryRecord, reservedQueryIdPrefix } from '../../core/resources/index.ts';
import { builtInQueries } from '../built-in/queries.ts';
import { commit, type RequestContext } from '../context.ts';
import { checkQueryText, executionRange, maxExecutionRows, resultSchema, runQuery } from '../execution.ts';
import { searchContent } from '../search/search.ts';
import { badRequest, conflict, forbidden, notFound } from '../service-error.ts';
import type { StoredQuery } from '../state/account-state.ts';
import { allPolicies } from './policy-records.ts';
import { findQuery } from './query-records.ts';

export const queryHandlers: Handlers<RequestContext>['queries'] = {
  list: async (_, context) => ({ data: await allRecords(context) }),
  async search({ body }, context) {
    const records = await allRecords(context);
    return { data: await searchContent(endpoints.queries.search, records, body.filters, context) };
  },
  async create({ body }, context) {
    const { settings, account, user, now } = context;
    refuseReserved(body.queryId, settings.vendorPrefix);
    if (findQuery(context, body.queryId) !== undefined) throw conflict(`Query ${body.queryId} already exists`);
    await checkQueryText(context, body.queryText);
    // Another request may have taken the id while the text was checked.
    if (findQuery(context, body.queryId) !== undefined) throw conflict(`Query ${body.queryId} already exists`);
    const query: StoredQuery = {
      queryId: body.queryId,
      queryText: body.queryText,
      owner: user,
      lastUpdateTime: new Date(now).toISOString(),
      lastUpdateUser: user,
    };
    account.state.queries[body.queryId] = query;
    commit(context, 'Query', 'CREATE', `Query ${body.queryId} was created.`);
    return { data: await recordOf(query, context) };
  },
  get: async ({ params }, context) => ({ data: await recordOf(requireQuery(context, params.queryId), context) }),
  async update({ params, body }, context) {
    requireOwnQuery(context, params.queryId);
    if (body.queryText !== undefined) await checkQueryText(context, body.queryText);
    const query = requireOwnQuery(context, params.queryId);
    Object.assign(query, body, { lastUpdateTime: new Date(context.now).toISOString(), lastUpdateUser: context.user });
    commit(context, 'Query', 'UPDATE', `Query ${params.queryId} was changed.`);
    return { data: await recordOf(query, context) };
  },
  delete({ params }, context) {
    requireOwnQuery(context, params.queryId);
    const users = allPolicies(context).filter((policy) => policy.queryId === params.queryId);
    if (users.length > 0) {
      const ids = users.map((policy) => policy.policyId).join(', ');
      throw conflict(
        `Query ${params.queryId} is used by ${ids}. Delete the policies first, or give them another query.`,
      );
    }
    delete context.account.state.queries[params.queryId];
    commit(context, 'Query', 'DELETE', `Query ${params.queryId} was deleted.`);
    return undefined;
  },
  async validate({ body }, context) {
    const model = await checkQueryText(context, body.queryText);
    return { data: { queryText: body.queryText, resultSchema: resultSchema(model) } };
  },
  execute: ({ body }, context) => execute(body.query.queryText, body, context),
  executeById({ params, body }, context) {
    return execute(requireQuery(context, params.queryId).queryText, body, context);
  },
};

function allRecords(context: RequestContext): Promise<QueryRecord[]> {
  const own = Object.values(context.account.state.queries);
  return Promise.all([...builtInQueries(context.settings), ...own].map((query) => recordOf(query, context)));
}

async function execute(
  text: string,
  request: {
    readonly options?: { readonly limit?: number };
    readonly arguments?: Parameters<typeof executionRange>[0];
  },
  context: RequestContext,
) {
  const range = executionRange(request.arguments, context.now);
  const limit = Math.min(request.options?.limit ?? maxExecutionRows, maxExecutionRows);
  return { data: await runQuery(context, await checkQueryText(context, text), range, limit) };
}

function requireQuery(context: RequestContext, queryId: string): StoredQuery {
  const query = findQuery(context, queryId);
  if (query === undefined) throw notFound(`Query id ${queryId} not found`);
  return query;
}

function requireOwnQuery(context: RequestContext, queryId: string): StoredQuery {
  const query = requireQuery(context, queryId);
  if (!Object.hasOwn(context.account.state.queries, queryId)) {
    throw forbidden(
      `Query ${queryId} belongs to the vendor and cannot be changed. Create one of your own with its text.`,
    );
  }
  return query;
}

function refuseReserved(queryId: string, vendorPrefix: string): void {
  const reserved = reservedQueryIdPrefix(vendorPrefix);
  if (queryId.startsWith(reserved))
    throw badRequest(`Query ids that begin with ${reserved} are reserved. Choose another id.`);
}

/** The columns of stored queries are worked out anew: datasources may have changed since. A text that no longer fits has none. */
async function recordOf(query: StoredQuery, context: RequestContext): Promise<QueryRecord> {
  const { queryName, description, ...rest } = query;
  return {
    ...rest,
    ...(queryName === undefined ? {} : { queryName }),
    ...(description === undefined ? {} : { description }),
    resultSchema: await schemaOfText(query.queryText, context),
  };
}

const schemas = new WeakMap<object, Map<string, QueryRecord['resultSchema']>>();

async function schemaOfText(text: string, context: RequestContext): Promise<NonNullable<QueryRecord['resultSchema']>> {
  const catalog = context.datasets.catalog();
  let known = schemas.get(catalog);
  if (known === undefined) {
    known = new Map();
    schemas.set(catalog, known);
  }
  let schema = known.get(text);
  if (schema === undefined) {
    try {
      schema = resultSchema(await checkQueryText(context, text));
    } catch {
      schema = [];
    }
    known.set(text, schema);
  }
  return schema ?? [];
}
