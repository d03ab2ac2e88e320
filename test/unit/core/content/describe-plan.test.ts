import { expect, it } from 'vitest';
import { compare } from '../../../../server/core/content/compare.ts';
import type { ContentObject } from '../../../../server/core/content/content-object.ts';
import { describePlan } from '../../../../server/core/content/describe-plan.ts';
import { plan } from '../../../../server/core/content/plan.ts';

it('a plan shows the lines that change with two around them, and what goes before what comes', () => {
  const policy = (description: readonly string[]): ContentObject => ({
    kind: 'policy',
    id: '$account-p-1',
    fields: { queryId: 'Q', title: 't', description: description.join('\n') },
  });
  const [before, after] = [
    policy(['one', 'two', 'three', 'four', 'five', 'six']),
    policy(['one', 'two', 'three', 'other', 'more', 'five', 'six', 'seven']),
  ];
  const remote = { remoteId: 'acme-p-1', vendorOwned: false, updateTime: undefined, updateUser: undefined };
  const query: ContentObject = { kind: 'query', id: 'Q', fields: { queryText: 'x' } };
  const made = plan(
    [
      compare(before, { base: before, local: after, remote: { ...before, ...remote }, wasSynchronised: true }),
      compare(query, { base: query, local: query, remote: { ...query, ...remote }, wasSynchronised: true }),
    ],
    {
      names: { account: 'acme', vendorPrefix: 'SVC' },
      prune: false,
      overwrite: new Set(),
      only: undefined,
      fingerprint: (text) => text,
    },
  );
  expect(describePlan(made, 'acme').split('\n').slice(2, -1)).toEqual([
    '~ change policy $account-p-1 (changed here)',
    '    description:',
    '      …',
    '        two',
    '        three',
    '      - four',
    '      + other',
    '      + more',
    '        five',
    '        six',
    '      + seven',
  ]);
});
