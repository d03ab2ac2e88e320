import type { TSchema } from 'typebox';
import { ErrorBody, secretHeaderName } from '../core/resources/index.ts';
import { type AnyEndpoint, apiRoot, parameterNames } from './endpoint.ts';

type Json = { readonly [key: string]: unknown };

/**
 * The operations as an OpenAPI 3.1 document. Two operations at one place, a list by type and an object by id, are one there: the value tells
 * which is meant.
 */
export function openApiDocument(endpoints: readonly AnyEndpoint[], vendorPrefix: string): Json {
  const places = new Map<string, AnyEndpoint[]>();
  for (const endpoint of endpoints) {
    const place = endpoint.path.replaceAll(/\{[^}]+\}/g, '{}');
    const group = places.get(place);
    if (group) group.push(endpoint);
    else places.set(place, [endpoint]);
  }
  const paths: Record<string, Json> = {};
  for (const group of places.values()) {
    // The name that most operations of the place use; the others are told in the description.
    const path = group.at(-1)?.path ?? '';
    paths[apiRoot + path] = pathItem(group, path);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cloud security platform REST API',
      version: '2.0',
      description:
        'Generated from the endpoint definitions of LQL Studio. `x-source` tells operations of the specification from those that only ' +
        'public material of the service describes; `x-functionality` names the rate limit bucket.',
    },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        secretKey: { type: 'apiKey', in: 'header', name: secretHeaderName(vendorPrefix) },
      },
      schemas: { Error: plain(ErrorBody) },
    },
  };
}

function pathItem(group: readonly AnyEndpoint[], path: string): Json {
  const item: Record<string, Json> = {};
  for (const method of new Set(group.map((endpoint) => endpoint.method))) {
    const sharing = group.filter((endpoint) => endpoint.method === method);
    const [first] = sharing;
    if (first) item[method.toLowerCase()] = operation(first, sharing, path);
  }
  return item;
}

function operation(endpoint: AnyEndpoint, sharing: readonly AnyEndpoint[], path: string): Json {
  const success = sharing.flatMap(({ response }) => (response === undefined ? [] : [plain(response)]));
  const content = success.length > 1 ? { anyOf: success } : success[0];
  return {
    operationId: sharing.map(({ id }) => id).join(' or '),
    summary: sharing.map(({ summary }) => summary).join(' Or: '),
    tags: [endpoint.id.split('.')[0]],
    security: [endpoint.headers === 'token' ? { secretKey: [] } : { bearer: [] }],
    parameters: [...pathParameters(path, sharing), ...queryParameters(endpoint), ...organizationHeaders(endpoint)],
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: plain(endpoint.body) } } } }),
    responses: {
      [String(endpoint.success)]: {
        description: endpoint.success === 201 ? 'Created' : 'Success',
        ...(content === undefined ? {} : { content: { 'application/json': { schema: content } } }),
      },
      ...(sharing.some(({ emptyAs204 }) => emptyAs204) ? { '204': { description: 'Nothing found' } } : {}),
      '4XX': error('Refused'),
      '5XX': error('Failed'),
    },
    'x-source': endpoint.source,
    'x-functionality': endpoint.functionality,
  };
}

function error(description: string): Json {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
}

function pathParameters(path: string, sharing: readonly AnyEndpoint[]): Json[] {
  return parameterNames(path).map((name, index) => {
    const schemas = sharing.map((endpoint) => endpoint.params[parameterNames(endpoint.path)[index] ?? '']);
    const [only] = schemas;
    const fixed = schemas.length === 1 && only !== undefined ? plain(only) : { type: 'string', minLength: 1 };
    return { name, in: 'path', required: true, schema: fixed };
  });
}

function queryParameters(endpoint: AnyEndpoint): Json[] {
  return Object.entries(endpoint.query).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !('~optional' in schema),
    schema: plain(schema),
  }));
}

function organizationHeaders(endpoint: AnyEndpoint): Json[] {
  if (endpoint.headers !== 'Org') return [];
  return [
    { name: 'Org-Access', in: 'header', required: false, schema: { type: 'boolean' } },
    { name: 'Account-Name', in: 'header', required: false, schema: { type: 'string' } },
  ];
}

// The schema as JSON has it, without the builder's own marks.
function plain(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema));
}
