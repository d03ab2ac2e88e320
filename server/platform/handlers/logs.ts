import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import type { AuditLogRecord } from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import { cloudActivityRecords } from '../search/cloud-records.ts';
import type { SearchRecord } from '../search/filters.ts';
import { recordFields, search } from '../search/search.ts';
import { type SearchRange, searchRange } from '../search/time-range.ts';
import { firstPage, timedSearch } from './searches.ts';

const dayMilliseconds = 86_400_000;

/** The range of the lists that take it behind the question mark: the 24 hours before its end where no start is given. */
function listRange(
  query: { readonly startTime?: string; readonly endTime?: string },
  context: RequestContext,
): SearchRange {
  const range = searchRange(query, { bounded: false }, context.now);
  return query.startTime === undefined ? { ...range, startTime: range.endTime - dayMilliseconds } : range;
}

function auditRecords(context: RequestContext, range: SearchRange): readonly AuditLogRecord[] {
  return context.account
    .audit()
    .filter(({ createdTime }) => {
      const time = Date.parse(createdTime);
      return time >= range.startTime && time < range.endTime;
    })
    .toReversed();
}

export const auditLogHandlers: Handlers<RequestContext>['auditLogs'] = {
  list: ({ query }, context) => ({ data: [...auditRecords(context, listRange(query, context))] }),
  async search({ body }, context) {
    const range = searchRange(body.timeFilter, { bounded: false }, context.now);
    const records = auditRecords(context, range) as unknown as SearchRecord[];
    return { data: await search(records, body, recordFields(endpoints.auditLogs.search), context) };
  },
};

export const cloudActivityHandlers: Handlers<RequestContext>['cloudActivities'] = {
  list({ query }, context) {
    return firstPage(
      endpoints.cloudActivities.list,
      [...cloudActivityRecords(context, listRange(query, context))],
      context,
    );
  },
  search: ({ body }, context) =>
    timedSearch(endpoints.cloudActivities.search, body, context, (_, range) => cloudActivityRecords(context, range)),
};
