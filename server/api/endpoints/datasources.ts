import { DatasourceRecord, envelope, FilterSearch, listEnvelope } from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const datasources = {
  list: defineEndpoint({
    id: 'datasources.list',
    summary: 'List the datasources that queries can read.',
    method: 'GET',
    path: '/Datasources',
    response: listEnvelope(DatasourceRecord),
    emptyAs204: true,
  }),
  get: defineEndpoint({
    id: 'datasources.get',
    summary: 'Get one datasource.',
    method: 'GET',
    path: '/Datasources/{datasource}',
    response: envelope(DatasourceRecord),
    source: 'public',
  }),
  search: defineEndpoint({
    id: 'datasources.search',
    summary: 'Search datasources.',
    method: 'POST',
    path: '/Datasources/search',
    body: FilterSearch,
    response: listEnvelope(DatasourceRecord),
    effect: 'read',
    source: 'public',
  }),
};
