import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import type { DatasourceRecord } from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import { searchContent } from '../search/search.ts';
import { notFound } from '../service-error.ts';

export const datasourceHandlers: Handlers<RequestContext>['datasources'] = {
  list: (_, context) => ({ data: context.datasets.records().map((record) => asListed(record, context)) }),
  get({ params }, context) {
    const record = context.datasets.records().find((candidate) => candidate.name === params.datasource);
    if (record === undefined) throw notFound(`Datasource ${params.datasource} not found`);
    return { data: asListed(record, context) };
  },
  async search({ body }, context) {
    const records = context.datasets.records().map((record) => asListed(record, context));
    return { data: await searchContent(endpoints.datasources.search, records, body.filters, context) };
  },
};

/** In the mode without columns a client has to find them by the schemas endpoints, as it does where the list leaves them out. */
function asListed(record: DatasourceRecord, { settings }: RequestContext): DatasourceRecord {
  if (!settings.columnless) return record;
  const { resultSchema: _, ...rest } = record;
  return rest;
}
