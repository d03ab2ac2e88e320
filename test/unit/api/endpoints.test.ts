import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Check } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { functionalityOf, pageFunctionality, parameterNames, pathOf } from '../../../server/api/endpoint.ts';
import { allEndpoints, endpoints } from '../../../server/api/endpoints/index.ts';
import { openApiDocument } from '../../../server/api/openapi.ts';

describe('endpoints', () => {
  it('are found under their ids, each once', () => {
    for (const [family, members] of Object.entries(endpoints)) {
      for (const [name, endpoint] of Object.entries(members)) expect(endpoint.id).toBe(`${family}.${name}`);
    }
    expect(new Set(allEndpoints.map((endpoint) => endpoint.id)).size).toBe(allEndpoints.length);
    expect(new Set(allEndpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(
      allEndpoints.length,
    );
  });

  it('describe only parameters that their paths have', () => {
    for (const endpoint of allEndpoints) {
      expect(parameterNames(endpoint.path)).toEqual(expect.arrayContaining(Object.keys(endpoint.params)));
    }
  });

  it('have a response exactly where the answer has a body', () => {
    for (const endpoint of allEndpoints)
      expect([endpoint.id, endpoint.success === 204]).toEqual([endpoint.id, endpoint.response === undefined]);
  });

  it('tell reads from writes', () => {
    const readingPosts = allEndpoints
      .filter((endpoint) => endpoint.method === 'POST' && endpoint.effect === 'read')
      .map(({ path: place }) => place);
    for (const place of readingPosts) expect(place).toMatch(/\/(search|execute|validate|tokens)$/);
    for (const endpoint of allEndpoints) {
      if (endpoint.method === 'GET') expect(endpoint.effect).toBe('read');
      if (endpoint.effect === 'write') expect(endpoint.idempotent).toBe(false);
    }
  });

  it('hide what holds credentials', () => {
    for (const endpoint of allEndpoints) {
      if (
        /^(agentAccessTokens|alertChannels|cloudAccounts|containerRegistries)\./.test(endpoint.id) &&
        endpoint.response
      ) {
        expect([endpoint.id, endpoint.sensitive]).toEqual([endpoint.id, expect.arrayContaining(['response'])]);
      }
    }
  });

  it('share rate limit buckets as the service counts', () => {
    expect(endpoints.queries.list.functionality).toBe(endpoints.queries.get.functionality);
    expect(endpoints.alertChannels.list.functionality).toBe(endpoints.alertChannels.listByType.functionality);
    expect(endpoints.queries.execute.functionality).toBe(endpoints.queries.executeById.functionality);
    expect(endpoints.queries.update.functionality).not.toBe(endpoints.queries.list.functionality);
    expect(functionalityOf('DELETE', '/AlertProfiles/{a}/AlertTemplates/{b}')).toBe(
      'DELETE AlertProfiles/AlertTemplates',
    );
    expect(pageFunctionality(endpoints.searches.machines)).toBe('GET Entities/Machines');
  });

  it('accept what the service may add to its answers', () => {
    const extra = { data: [{ queryId: 'A', queryText: 'x', added: { later: true } }], added: 1 };
    expect(Check(endpoints.queries.list.response, extra)).toBe(true);
    expect(
      Check(endpoints.datasources.list.response, {
        data: [{ name: 'A', sourceRelationships: null, description: null }],
      }),
    ).toBe(true);
  });

  it('escape what goes into a path', () => {
    expect(pathOf(endpoints.policies.get, { policyId: 'a/b c' })).toBe('/api/v2/Policies/a%2Fb%20c');
    for (const policyId of ['', '.', '..'])
      expect(() => pathOf(endpoints.policies.get, { policyId })).toThrow(RangeError);
  });
});

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument(allEndpoints, 'SVC')));

  it('holds every operation once, each place named once', () => {
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId }) => operationId.split(' or '));
    expect(ids.sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
    const places = Object.keys(document.paths).map((place) => place.replaceAll(/\{[^}]+\}/g, '{}'));
    expect(new Set(places).size).toBe(places.length);
  });

  it('is the one in docs', () => {
    const kept = readFileSync(path.resolve(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual(document);
  });
});
