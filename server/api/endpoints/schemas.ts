import { SchemaAnswer, SchemaTypes } from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const schemas = {
  listTypes: defineEndpoint({
    id: 'schemas.listTypes',
    summary: 'List the schema types.',
    method: 'GET',
    path: '/schemas',
    response: SchemaTypes,
  }),
  get: defineEndpoint({
    id: 'schemas.get',
    summary: 'Get the schema of a type.',
    method: 'GET',
    path: '/schemas/{type}',
    response: SchemaAnswer,
  }),
  getSubtype: defineEndpoint({
    id: 'schemas.getSubtype',
    summary: 'Get the schema of a subtype.',
    method: 'GET',
    path: '/schemas/{type}/{subtype}',
    response: SchemaAnswer,
  }),
};
