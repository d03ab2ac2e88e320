import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeResources } from '../../../../../server/core/documents/resources/complete-resources.ts';
import { hoverResource } from '../../../../../server/core/documents/resources/field-text.ts';
import { parseMarkers } from '../../../../harness/markers.ts';

const options = { queryIds: ['Custom_A', 'Custom_B'], snippets: true };

function labels(marked: string): string[] | undefined {
  const { text, cursor } = parseMarkers(marked);
  return completeResources(text, cursor, options)?.items.map(({ label }) => label);
}

describe('fields', () => {
  test('of a policy: those not written yet, what is required first', () => {
    const found = labels('policyId: $account-a-1\npolicyType: Violation\n$0\nseverity: high\n') ?? [];
    expect(found).not.toContain('severity');
    expect(found).toEqual(expect.arrayContaining(['queryId', 'title', 'enabled', 'tags']));
    expect(found).not.toContain('evaluatorId');
  });

  test('in a list below its wrapper, and in a list at the top', () => {
    expect(labels('policies:\n  - policyId: a\n    $0\n')).toContain('remediation');
    expect(labels('policies:\n- policyId: a\n  $0\n')).toContain('remediation');
    expect(labels('policies:\n  - $0\n')).toContain('remediation');
    expect(labels('- queryId: A\n  $0\n')).toContain('queryText');
    expect(labels('- queryId: A\n  queryText: x\n- queryId: B\n  $0\n')).toContain('queryText');
  });

  test('of the templates of a profile and of constraints', () => {
    expect(labels('alertProfileId: P\nalerts:\n  - name: A\n    $0\n')).toEqual([
      'eventName',
      'description',
      'subject',
    ]);
    expect(labels('policyId: p\nconstraints:\n  - $0\n')).toEqual(['fieldKey', 'fieldValues']);
  });

  test.each([
    'services:\n  web:\n    $0\n',
    'name: x\n$0\n',
    'policyId: a\nqueryId: b\ndescription: |\n  text\n  $0\n',
    'policyId: a\ntitle: some $0',
    '# $0',
  ])('none in: %j', (text) => expect(labels(text) ?? []).toEqual([]));

  test('the word at the cursor is replaced, a colon that is there stays', () => {
    const { text, cursor } = parseMarkers('queryId: A\nqueryT$0ex: |\n  x\n');
    const found = completeResources(text, cursor, options);
    expect(text.slice(found?.range.start, found?.range.end)).toBe('queryTex');
    expect(found?.items.find(({ label }) => label === 'queryText')?.insertText).toBe('queryText');
  });

  test('an empty document offers whole objects', () => {
    expect(labels('# mine\n$0')).toEqual(['LQL query', 'LQL policy', 'LQL alert profile', 'LQL policy exception']);
  });
});

describe('values', () => {
  test.each([
    ['severity: $0', ['info', 'low', 'medium', 'high', 'critical']],
    ['severity: h$0', ['info', 'low', 'medium', 'high', 'critical']],
    ['enabled: $0', ['true', 'false']],
    ['queryId: $0', ['Custom_A', 'Custom_B']],
    ['title: $0', []],
  ])('of %s', (line, expected) => expect(labels(`policyId: a\npolicyType: Violation\n${line}\n`)).toEqual(expected));
});

test('any text, any place: ranges stay inside', () => {
  const piece = fc.constantFrom(
    'policyId',
    'queryId',
    'alerts',
    ': ',
    ':',
    '\n',
    '\r\n',
    '  ',
    '- ',
    '|',
    '"',
    'x',
    '---\n',
    '#',
    'severity',
    'policies',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.nat(),
      (text, at) => {
        const offset = at % (text.length + 1);
        const found = completeResources(text, offset, options);
        if (found !== undefined)
          expect(found.range.start <= offset && offset <= found.range.end && found.range.end <= text.length).toBe(true);
        const hover = hoverResource(text, offset);
        if (hover !== undefined) expect(hover.range.end).toBeLessThanOrEqual(text.length);
      },
    ),
    { numRuns: 1000 },
  );
});

describe('hover', () => {
  function hover(marked: string): string | undefined {
    const { text, cursor } = parseMarkers(marked);
    return hoverResource(text, cursor)?.markdown;
  }

  test('a field, with its values and default', () => {
    const rest = 'queryId: Q\ntitle: t\nenabled: true\nlimit: 5\n';
    expect(hover(`sever$0ity: high\n${rest}`)).toContain('one of info, low, medium, high, critical');
    expect(hover(`severity: high\n${rest.replace('limit', 'li$0mit')}`)).toContain('Default: `1000`');
    expect(hover(`severity: hi$0gh\n${rest}`)).toBeUndefined();
  });

  test('a field of a template', () => {
    const profile = 'alertProfileId: P\nextends: X\nalerts:\n  - name: A\n    sub$0ject: s\n';
    expect(hover(profile)).toContain('**field** `subject`');
  });
});
