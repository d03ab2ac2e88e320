import { describe, expect, it } from 'vitest';
import { overriddenFields, parseOverrides } from '../../../../server/core/content/overrides.ts';

const names = { account: 'acme', vendorPrefix: 'SVC' };
const text = `accounts:
  Staging.example.net:
    policies:
      '*': { alertEnabled: false, severity: LOW }
      acme-buckets-1: { severity: medium }
    queries:
      Acme_Buckets: { description: Of staging. }
`;
const fieldsOf = (kind: 'policy' | 'query', id: string, labels: readonly string[], from = text) =>
  overriddenFields({ kind, id }, parseOverrides(from), labels, names);

describe('overrides', () => {
  it('hold for the account they name, the single object before all of the kind', () => {
    expect(parseOverrides(text).problems).toEqual([]);
    expect(fieldsOf('policy', '$account-buckets-1', ['staging.example.net'])).toEqual({
      alertEnabled: false,
      severity: 'medium',
    });
    expect(fieldsOf('policy', '$account-other-1', ['x', 'STAGING.example.net'])).toEqual({
      alertEnabled: false,
      severity: 'low',
    });
    expect(fieldsOf('query', 'Acme_Buckets', ['staging.example.net'])).toEqual({ description: 'Of staging.' });
    expect(fieldsOf('query', 'Other', ['staging.example.net'])).toBeUndefined();
    expect(fieldsOf('policy', '$account-buckets-1', ['prod.example.net'])).toBeUndefined();
  });

  it.each([
    ['other: 1\n', 1, /'other' is not known/],
    ['accounts:\n  a:\n    rules: {}\n', 3, /'rules' is no kind/],
    ['accounts:\n  a:\n    policies:\n      x: { enabld: false }\n', 4, /'enabld' is no field of policies/],
    ['accounts:\n  a:\n    policies:\n      x: { policyType: Manual }\n', 4, /same in every account/],
    ['accounts:\n  a:\n    policies:\n      x: low\n', 4, /needs fields/],
    ['accounts: [', 1, /./],
    ['accounts:\n  a:\n    policies:\n      x: { severity: *nope }\n', 4, /aliases/],
    ['accounts:\n  Acme:\n    policies: {}\n  acme:\n    policies: {}\n', 4, /'acme' stands here twice/],
    [
      'accounts:\n  a:\n    policies:\n      __proto__: { enabled: false }\n    constructor: {}\n',
      5,
      /'constructor' is no kind/,
    ],
  ])('says what cannot be used: %j', (wrong, line, message) => {
    expect(parseOverrides(wrong).problems[0]).toEqual({ line, message: expect.stringMatching(message) });
  });

  it('name an exception by its policy in each spelling of the id', () => {
    const description = 'Of staging.';
    for (const id of ['$account-buckets-1/known', 'buckets-1/known', 'acme-buckets-1/known']) {
      const written = `accounts:\n  a:\n    exceptions:\n      ${id}: { description: ${description} }\n`;
      const overrides = parseOverrides(written);
      const exception = { kind: 'exception', id: '$account-buckets-1/known' } as const;
      expect(overriddenFields(exception, overrides, ['a'], names)).toEqual({ description });
    }
  });

  it('never changes what ties objects together', () => {
    const wrong = 'accounts:\n  a:\n    policies:\n      "*": { policyType: Manual }\n';
    expect(fieldsOf('policy', '$account-x-1', ['a'], wrong)).toBeUndefined();
  });

  it('an empty file says nothing', () => {
    expect(parseOverrides('# nothing yet\n')).toEqual({ accounts: new Map(), problems: [] });
  });
});
