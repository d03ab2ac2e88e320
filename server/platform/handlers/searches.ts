import type { AnyEndpoint } from '../../api/endpoint.ts';
import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import { type RequestContext, unlessGone } from '../context.ts';
import type { Page } from '../http/pages.ts';
import {
  complianceRecords,
  containerVulnerabilityRecords,
  eventRecords,
  inventoryRecords,
} from '../search/cloud-records.ts';
import type { SearchRecord } from '../search/filters.ts';
import { type HostSearch, hostDatasource, hostRecords } from '../search/host-records.ts';
import { recordFields, type SearchRequest, search } from '../search/search.ts';
import { type SearchRange, searchRange } from '../search/time-range.ts';
import { badRequest } from '../service-error.ts';

/** Days of compliance evaluations and of inventory that are kept. */
const historyDays = 90;

interface TimedRequest extends SearchRequest {
  readonly timeFilter?: { readonly startTime?: string; readonly endTime?: string };
}

type Records = (
  context: RequestContext,
  range: SearchRange,
) => Iterable<SearchRecord> | Promise<Iterable<SearchRecord>>;

/** Runs a search over a time range and answers its first page. */
export async function timedSearch(
  endpoint: AnyEndpoint,
  body: TimedRequest,
  context: RequestContext,
  records: Records,
  history?: number,
): Promise<Page<SearchRecord>> {
  const rules = { bounded: endpoint.boundedTime, ...(history === undefined ? {} : { historyDays: history }) };
  const range = searchRange(body.timeFilter, rules, context.now);
  return firstPage(
    endpoint,
    await search(await records(context, range), body, recordFields(endpoint), context),
    context,
  );
}

/** The first page of a result whose further pages can be fetched below the operation's path. */
export function firstPage(
  endpoint: AnyEndpoint,
  rows: readonly SearchRecord[],
  context: RequestContext,
): Page<SearchRecord> {
  const { account, user, origin, now } = context;
  return context.pages.first(rows, `${account.name}/${user}`, endpoint.path.replace(/\/search$/, ''), origin, now);
}

const { searches } = endpoints;

function hostSearch(name: HostSearch & keyof typeof searches) {
  return (input: { readonly body: TimedRequest }, context: RequestContext) =>
    timedSearch(searches[name], input.body, context, async (_, range) => {
      await unlessGone(context, context.datasets.prepare([hostDatasource(name, context)]));
      return hostRecords(name, context, range);
    });
}

export const searchHandlers: Handlers<RequestContext>['searches'] = {
  changedFiles: hostSearch('changedFiles'),
  connections: hostSearch('connections'),
  dns: hostSearch('dns'),
  userLogins: hostSearch('userLogins'),
  agentInfo: hostSearch('agentInfo'),
  images: hostSearch('images'),
  internalIpAddresses: hostSearch('internalIpAddresses'),
  k8sPods: hostSearch('k8sPods'),
  machines: hostSearch('machines'),
  machineDetails: hostSearch('machineDetails'),
  networkInterfaces: hostSearch('networkInterfaces'),
  newFileHashes: hostSearch('newFileHashes'),
  packages: hostSearch('packages'),
  processes: hostSearch('processes'),
  users: hostSearch('users'),
  // The specification shows no paging for events: the whole list is answered.
  async events({ body }, context) {
    const range = searchRange(body.timeFilter, { bounded: false }, context.now);
    return { data: await search(eventRecords(context, range), body, recordFields(searches.events), context) };
  },
  complianceEvaluations: ({ body }, context) =>
    timedSearch(
      searches.complianceEvaluations,
      body,
      context,
      (_, range) => complianceRecords(body.dataset, context, range),
      historyDays,
    ),
  inventory({ body }, context) {
    const csp =
      body.csp ?? (body.dataset === 'AwsCompliance' ? 'AWS' : body.dataset === 'GcpCompliance' ? 'GCP' : undefined);
    if (csp === undefined) throw badRequest('Invalid data: #1: [csp: one of csp and dataset is required]');
    return timedSearch(searches.inventory, body, context, (_, range) => inventoryRecords(csp, context, range));
  },
  containerVulnerabilities: ({ body }, context) =>
    timedSearch(searches.containerVulnerabilities, body, context, (_, range) =>
      containerVulnerabilityRecords(context, range),
    ),
};
