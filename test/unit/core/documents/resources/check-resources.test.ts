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
    `---\n${policy}---\n${policy.replace('buckets-1', 'buckets-2')}`,
    JSON.stringify(
      {
        policies: [
          {
            policyId: '$account-t-1',
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
  });
});

describe('ids', () => {
  const without = policy.replace('policyId: $account-buckets-1\n', '');

  test('a policy without one is told to choose, and shown which it could be', () => {
    expect(codes(without)).toEqual(['missing-id: policyType']);
    expect(checkResources(without)[0]?.severity).toBe('warning');
    expect(mended(without)).toBe(policy.replace('buckets-1', 'openbuckets-1'));
    expect(codes(mended(without))).toEqual([]);
    const empty = policy.replace('$account-buckets-1', '""');
    expect(codes(empty)).toEqual(['missing-id: ""']);
    expect(codes(mended(empty))).toEqual([]);
    const two = `---\n${without}---\n${without}`;
    const all = checkResources(two).flatMap(({ fixes }) => fixes[0]?.edits ?? []);
    expect(codes(applyEdits(two, all))).toEqual([]);
  });

  test('a policy in JSON gets one too', () => {
    const document = `{\n  "policyType": "Violation",\n  "queryId": "Q",\n  "title": "Ünlesbar 7", "enabled": true, "severity": "low",
  "description": "d", "remediation": "r", "alertEnabled": false\n}`;
    const found = checkResources(document, 'json');
    expect(found.map(({ code }) => code)).toEqual(['missing-id']);
    const fixed = applyEdits(document, found[0]?.fixes[0]?.edits ?? []);
    expect(JSON.parse(fixed)).toMatchObject({ policyId: '$account-nlesbar-1', queryId: 'Q' });
  });

  test('a query without one takes it from its text or its name, where they have one', () => {
    const text = 'queryText: |-\n  { source { A } return { B } }\n';
    expect(codes(text)).toEqual(['missing-id: queryText']);
    expect(checkResources(text)[0]?.fixes).toEqual([]);
    expect(mended(`queryName: Öffentliche Buckets (alle)\n${text}`)).toContain('queryId: ffentliche_Buckets_alle\n');
    expect(mended(text.replace('{ source', 'Acme_Old { source'))).toContain('queryId: Acme_Old\n');
    expect(codes(`deployment: x\n${text}`)).toEqual([]);
  });

  test('exceptions in one file need names, and different ones', () => {
    const exception = (name: string): string =>
      `  - ${name}policyId: $account-a-1\n    description: Dev accounts\n    constraints:\n      - fieldKey: accountIds\n        fieldValues: ["1"]\n`;
    const document = `exceptions:\n${exception('')}${exception('')}`;
    expect(checkResources(document).map(({ code }) => code)).toEqual(['missing-id', 'missing-id']);
    const all = checkResources(document).flatMap(({ fixes }) => fixes[0]?.edits ?? []);
    expect(codes(applyEdits(document, all))).toEqual([]);
    const same = `exceptions:\n${exception('name: dev\n    ')}${exception('name: dev\n    ')}`;
    expect(codes(same)).toEqual(['duplicate-id: dev']);
  });

  test.each([
    ['$account-Buckets-1', 'lower-case letters'],
    ['$account-default-1', 'given out by the service'],
    ['$account-', 'lower-case letters'],
  ])('a policy cannot be called %s', (id, why) => {
    const [finding, ...others] = checkResources(policy.replace('$account-buckets-1', id));
    expect([finding?.code, finding?.severity, others]).toEqual(['invalid-id', 'error', []]);
    expect(finding?.message).toContain(why);
  });

  test('a query cannot have hyphens in its id; ids that only an account can judge are left to it', () => {
    expect(codes('queryId: Acme-Q\nqueryText: "{ source { A } return { B } }"\n')).toEqual(['invalid-id: Acme-Q']);
    expect(codes(policy.replace('$account-buckets-1', 'acme-default-12'))).toEqual([]);
    expect(codes(policy.replace('$account-buckets-1', 'svc-global-1'))).toEqual([]);
  });

  test('one id twice in a document is told, in each of its spellings', () => {
    expect(codes(`---\n${policy}---\n${policy}`)).toEqual(['duplicate-id: $account-buckets-1']);
    expect(codes(`---\n${policy}---\n${policy.replace('$account-', '')}`)).toEqual(['duplicate-id: buckets-1']);
  });
});

describe('a file that cannot be read', () => {
  test.each([
    [`${policy}x: [\n`, 'yaml'],
    [`${policy}remediation: "half\n`, 'yaml'],
    [`${policy}title: again\n`, 'yaml'],
    ['queryId: "Q\nqueryText: |', 'yaml'],
    ['{"queryId": "Q", "queryText": "{ source', 'json'],
    ['{"queryId": "Q" "queryText": "x"}', 'json'],
  ] as const)('has one finding that says where: %j', (document, form) => {
    const [finding, ...others] = checkResources(document, form);
    expect([finding?.code, finding?.severity, others]).toEqual(['unreadable-file', 'error', []]);
    const { start, end } = finding?.range ?? { start: 0, end: 0 };
    expect(end).toBeGreaterThan(start);
    expect(document.slice(start, end)).not.toContain('\n');
    expect(finding?.message).toMatch(/no valid (YAML|JSON): .+nothing is pulled into it\.$/);
  });

  test.each([
    ['title: "half\n', 'yaml'],
    ['spec:\n  queryId: {{ .Values.id }}\n  x: [\n', 'yaml'],
    ['{"policy": "x"', 'json'],
    ['{"queryId": "Q", /* mine */ "queryText": "{ source { A } return { B } }",}', 'json'],
  ] as const)('is none of ours, or is one: %j', (document, form) => {
    expect(checkResources(document, form)).toEqual([]);
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
    fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.nat(), (fields, asJson, cut) => {
      const objects = fields.map((each, index) => ({ policyId: `$account-generated-${index}`, ...each }));
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
