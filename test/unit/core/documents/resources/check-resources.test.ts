import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { checkResources, findResources } from '../../../../../server/core/documents/resources/check-resources.ts';
import { readPlacedValues } from '../../../../../server/core/documents/resources/placed-value.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { findCorpusFile } from '../../../../harness/paths.ts';

const policy = `policyId: $account-buckets-1
policyType: Violation
queryId: Custom_Buckets
title: Open buckets
enabled: true
severity: high
description: |-
  A bucket is open.
remediation: Close it.
alertEnabled: false
alertProfile: SVC_CFG.Default
tags:
  - team:storage
`;

function codes(document: string): string[] {
  return checkResources(document).map(({ code, range }) => `${code}: ${document.slice(range.start, range.end)}`);
}

/** The document after the first fix of the first finding. */
function mended(document: string): string {
  const [first] = checkResources(document);
  return applyEdits(document, first?.fixes[0]?.edits ?? []);
}

describe('what is sound is silent', () => {
  test.each([
    policy,
    `policies:\n  - ${policy.trimEnd().replace(/\n/g, '\n    ')}\n`,
    `---\n${policy}---\n${policy}`,
    JSON.stringify(
      {
        policies: [
          {
            queryId: 'Q',
            title: 't',
            enabled: true,
            description: 'd',
            remediation: 'r',
            severity: 'low',
            alertEnabled: true,
          },
        ],
      },
      null,
      2,
    ),
    'queryId: Custom_Q\nqueryText: |-\n  { source { A } return { B } }\n',
    'alertProfileId: P\nextends: SVC_X\nalerts:\n  - name: A\n    eventName: e\n    description: "{{X}}"\n    subject: s\n',
    'policyId: svc-global-1\ndescription: d\nconstraints:\n  - fieldKey: accountIds\n    fieldValues: ["*"]\n',
  ])('%#', (document) => {
    expect(findResources(document).length).toBeGreaterThan(0);
    expect(codes(document)).toEqual([]);
  });

  test.each([
    'apiVersion: v1\nkind: Pod\nenabled: true\ntitle: x\n',
    'title: x\nseverity: Critical\npolicyId: a-1\nalertId: 7\n',
    '- a\n- b\n',
    'queryText: { a: 1 }\n',
    '',
    'plain',
    '{"data": [{"policyId": 1}]}',
  ])('what could be anything else is left alone: %j', (document) => expect(codes(document)).toEqual([]));

  test('a document with a syntax error is left to whoever types there', () => {
    expect(readPlacedValues(`${policy}severty: "high\n`)).toBeUndefined();
    expect(codes(`${policy}x: [\n`)).toEqual([]);
  });
});

describe('findings', () => {
  test('a misspelt key, with its fix', () => {
    const document = policy.replace('severity:', 'severty:');
    expect(codes(document)).toEqual(
      ['missing-field: policyId', 'unknown-field: severty'].sort((a) => (a.startsWith('unknown') ? -1 : 1)),
    );
    expect(mended(document)).toBe(policy);
  });

  test('a value outside of its list, with its fix', () => {
    expect(codes(policy.replace('high', 'High'))).toEqual(['unknown-field-value: High']);
    expect(mended(policy.replace('high', 'High'))).toBe(policy);
    expect(codes(policy.replace('high', 'severe'))).toEqual(['unknown-field-value: severe']);
  });

  test('wrong types, with their fixes', () => {
    expect(codes(policy.replace('enabled: true', 'enabled: "true"'))).toEqual(['wrong-field-type: "true"']);
    expect(mended(policy.replace('enabled: true', 'enabled: "true"'))).toBe(policy);
    expect(codes(policy.replace('title: Open buckets', 'title: 42'))).toEqual(['wrong-field-type: 42']);
    expect(codes(policy.replace('tags:\n  - team:storage', 'tags: team'))).toEqual(['wrong-field-type: team']);
    expect(codes(policy.replace('title: Open buckets', 'title:'))).toEqual(['wrong-field-type: ']);
  });

  test('missing fields, with a fix that adds them', () => {
    const document = policy.replace('remediation: Close it.\n', '');
    const [finding] = checkResources(document);
    expect(finding?.message).toContain('"remediation"');
    expect(mended(document)).toContain('remediation: ""\n');
    const inList = `policies:\n  - ${document.trimEnd().replace(/\n/g, '\n    ')}\n`;
    expect(readPlacedValues(mended(inList))).toBeDefined();
    expect(checkResources(mended(inList)).map(({ code }) => code)).toEqual(['wrong-field-value']);
  });

  test('templates of a profile and constraints of an exception', () => {
    const profile =
      'alertProfileId: P\nextends: X\nalerts:\n  - name: A\n    eventname: e\n    description: d\n    subject: s\n';
    expect(codes(profile)).toEqual(['unknown-field: eventname', 'missing-field: name']);
    expect(mended(profile)).toContain('    eventName: e\n');
    expect(codes('policyId: p\nconstraints:\n  - fieldKey: accountIds\n    fieldValues: []\n')).toEqual([
      'wrong-field-value: []',
    ]);
  });

  test('what the service sets, and what it no longer needs, is a hint', () => {
    const document = `${policy}evaluatorId: Cloudtrail\nlastUpdateUser: me\n`;
    expect(checkResources(document).map(({ code, severity }) => [code, severity])).toEqual([
      ['deprecated-field', 'hint'],
      ['service-field', 'hint'],
    ]);
  });

  test('empty texts and too small numbers', () => {
    expect(codes(policy.replace('Close it.', '""'))).toEqual(['wrong-field-value: ""']);
    expect(codes(`${policy}limit: 0\n`)).toEqual(['wrong-field-value: 0']);
  });

  test('aliases and merged maps are not judged', () => {
    expect(
      codes(`base: &b { title: x }\npolicies:\n  - <<: *b\n    queryId: Q\n    enabled: true\n    severity: *b\n`),
    ).toEqual([]);
  });
});

test('generated objects: ranges inside, fixes apply, sound ones stay silent', () => {
  const text = fc.string({ minLength: 1, maxLength: 20 }).filter((value) => value.trim() !== '');
  const object = fc.record({
    queryId: text,
    title: text,
    enabled: fc.boolean(),
    severity: fc.constantFrom('low', 'high', 'critical'),
    description: text,
    remediation: text,
    alertEnabled: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.nat(), (objects, asJson, cut) => {
      const document = asJson ? JSON.stringify({ policies: objects }, null, 2) : stringify({ policies: objects });
      expect(checkResources(document)).toEqual([]);
      const broken = document.slice(0, cut % document.length) + document.slice((cut % document.length) + 3);
      for (const { range, fixes } of checkResources(broken)) {
        expect(0 <= range.start && range.start <= range.end && range.end <= broken.length).toBe(true);
        for (const { edits } of fixes) applyEdits(broken, edits);
      }
    }),
    { numRuns: process.env['DEEP'] ? 10_000 : 500 },
  );
});

const corpus = findCorpusFile('policies.jsonl');
test.runIf(corpus !== undefined)('policies of public repositories that the service took bring no errors', () => {
  const lines = readFileSync(corpus ?? '', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const complete = lines.filter((line) => line['queryId'] !== undefined && line['alertEnabled'] !== undefined);
  expect(complete.length).toBeGreaterThan(3);
  for (const { id: _id, repo: _repo, path: _path, format: _format, head: _head, ...fields } of complete)
    expect(
      checkResources(stringify(fields)).filter(({ severity }) => severity === 'error' || severity === 'warning'),
    ).toEqual([]);
});
