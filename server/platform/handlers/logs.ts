import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import type { AuditLogRecord } from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import { cloudActivityRecords } from '../search/cloud-records.ts';
import type { SearchRecord } from '../search/filters.ts';
import { recordFields, search } from '../search/search.ts';
import { listRange, type SearchRange, searchRange } from '../search/time-range.ts';
import { firstPage, timedSearch } from './searches.ts';

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
  list: ({ query }, context) => ({ data: [...auditRecords(context, listRange(query, context.now))] }),
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
      [...cloudActivityRecords(context, listRange(query, context.now))],
      context,
    );
  },
  search: ({ body }, context) =>
    timedSearch(endpoints.cloudActivities.search, body, context, (_, range) => cloudActivityRecords(context, range)),
};
