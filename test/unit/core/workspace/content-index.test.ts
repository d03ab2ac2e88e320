import { expect, test } from 'vitest';
import { findRegions } from '../../../../server/core/documents/find-regions.ts';
import type { HostKind } from '../../../../server/core/documents/region.ts';
import { findResources } from '../../../../server/core/documents/resources/check-resources.ts';
import { createContentIndex, mentionsOf } from '../../../../server/core/workspace/content-index.ts';

function mentions(document: string, host: HostKind = 'yaml', uri = 'file:///a') {
  return mentionsOf(uri, document, host === 'yaml' ? findResources(document) : [], findRegions(document, host));
}

const policy = 'policyId: $account-a-1\nqueryId: Custom_Q\ntitle: t\nenabled: true\nalertProfile: Mine.Default\n';

test('what objects define and mention', () => {
  const found = mentions(
    `${policy}---\nalertProfileId: Mine\nextends: SVC_X\nalerts: []\n---\npolicyId: $account-a-1\nconstraints: []\n`,
  );
  expect(found.map(({ role, kind, id, by }) => `${by}: ${role} ${kind} ${id}`)).toEqual([
    'policy: definition policy $account-a-1',
    'policy: reference query Custom_Q',
    'policy: reference alertProfile Mine',
    'alertProfile: definition alertProfile Mine',
    'alertProfile: reference alertProfile SVC_X',
    'exception: reference policy $account-a-1',
  ]);
  expect(found[1]?.from).toEqual({ line: 1, character: 9 });
});

test('queries of hosts whose objects are not read', () => {
  const document = 'resource "x_query" "q" {\n  query_id = "Custom_Q"\n  query = "{ source { A } }"\n}\n';
  expect(mentions(document, 'hcl')).toMatchObject([{ role: 'definition', kind: 'query', id: 'Custom_Q' }]);
});

test('a query of YAML is defined once, where its id stands', () => {
  const document = 'queryText: |-\n  { source { A } return { B } }\nqueryId: Custom_Q\n';
  const [only, ...rest] = mentions(document);
  expect(rest).toEqual([]);
  expect(document.slice(only?.range.start, only?.range.end)).toBe('Custom_Q');
});

test('the index follows documents as they change and go', () => {
  const index = createContentIndex();
  const query = 'queryId: Custom_Q\nqueryText: x {\n';
  index.set('file:///p', mentions(policy, 'yaml', 'file:///p'));
  index.set('file:///q', mentions(query, 'yaml', 'file:///q'));
  expect(index.definitions('query', 'Custom_Q').map(({ uri }) => uri)).toEqual(['file:///q']);
  expect(index.references('query', 'Custom_Q').map(({ uri }) => uri)).toEqual(['file:///p']);
  expect(index.at('file:///p', policy.indexOf('Custom_Q') + 3)).toMatchObject({ kind: 'query', role: 'reference' });
  index.set('file:///p', mentions(policy.replace('Custom_Q', 'Other'), 'yaml', 'file:///p'));
  expect(index.references('query', 'Custom_Q')).toEqual([]);
  index.remove('file:///q');
  expect(index.definitions('query', 'Custom_Q')).toEqual([]);
  expect([...index.all()].map(({ id }) => id)).toEqual(['$account-a-1']);
});
