import { describe, expect, it } from 'vitest';
import { policyCodes } from '../../../../../server/core/language/diagnostics/codes/policy-codes.ts';
import { checkPolicyQuery } from '../../../../../server/core/language/semantics/policy-check.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { parseMarkers } from '../../../../harness/markers.ts';
import { analyzeSmall, analyzeWithoutCatalog } from '../../../../support/small-catalog.ts';

const fields = ['ACCOUNT_ID', 'resource_region'];

describe('checkPolicyQuery', () => {
  it.each([
    ['policy-needs-distinct', '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } <|return|> { m.MID } }'],
    [
      'policy-needs-distinct',
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } <|return|> { e.EVENT } }',
    ],
    [
      'policy-returns-many',
      '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { m.MID, <|p.CMDLINE|> } }',
    ],
    [
      'policy-returns-many',
      '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { m.HOSTNAME, <|p.*|> } }',
    ],
    [
      'policy-returns-many',
      '{ source { SVC_HE_FILES f with SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { f.PATH, m.HOSTNAME, lower(<|p.CMDLINE|>) as C } }',
    ],
    [
      'policy-returns-many',
      '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } return distinct { e.EVENT, <|x|>:b as B } }',
    ],
    ['policy-without-resource-key', '{ source { SVC_CFG_AWS_S3 } <|return|> { ARN } }'],
    [
      'policy-joins-activity',
      '{ source { CloudTrailRawEvents e with <|SVC_CFG_AWS_S3|> b } return distinct { e.EVENT } }',
    ],
  ])('reports %s: %s', (code, marked) => {
    const { text, ranges } = parseMarkers(marked);
    const found = checkPolicyQuery(analyzeSmall(text));
    expect(found.map((each) => [each.code, each.range])).toEqual(ranges.map((range) => [code, range]));
  });

  it.each([
    '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.CMDLINE, m.HOSTNAME } }',
    '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } filter { p.CMDLINE is null } return distinct { m.MID } }',
    '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:a) as (x) } filter { x:b = 1 } return distinct { e.EVENT } }',
    '{ source { SVC_CFG_AWS_S3 } return { ARN as RESOURCE_KEY } }',
    '{ source { CloudTrailRawEvents } return { EVENT } }',
    '{ source { CloudTrailRawEvents e',
    '',
  ])('is silent on %s', (text) => {
    expect(checkPolicyQuery(analyzeSmall(text))).toEqual([]);
  });

  it('asks for the columns that the alert profile reads', () => {
    const found = checkPolicyQuery(
      analyzeSmall('{ source { SVC_CFG_AWS_S3 } return { ARN as RESOURCE_KEY, RESOURCE_REGION } }'),
      {
        alertColumns: fields,
      },
    );
    expect(
      found.map((each) => [each.code, each.message.includes('ACCOUNT_ID'), each.message.includes('resource_region')]),
    ).toEqual([['policy-missing-field', true, false]]);
  });

  it('judges no cardinality without a catalog, and no star of unknown columns', () => {
    expect(
      checkPolicyQuery(
        analyzeWithoutCatalog('{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return { p.MID } }'),
      ),
    ).toEqual([]);
    expect(
      checkPolicyQuery(analyzeWithoutCatalog('{ source { SVC_CFG_AWS_S3 s } return { s.* } }'), {
        alertColumns: fields,
      }),
    ).toEqual([]);
  });

  it('mends what it can', () => {
    const text = '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return { m.MID } }';
    const [finding] = checkPolicyQuery(analyzeSmall(text));
    expect(checkPolicyQuery(analyzeSmall(applyEdits(text, finding?.fixes[0]?.edits ?? [])))).toEqual([]);
    const keyless = '{ source { SVC_CFG_AWS_S3 } return { ARN, ACCOUNT_ID } }';
    const [key] = checkPolicyQuery(analyzeSmall(keyless));
    expect(checkPolicyQuery(analyzeSmall(applyEdits(keyless, key?.fixes[0]?.edits ?? [])))).toEqual([]);
  });

  it.each(Object.entries(policyCodes))(
    'its documentation shows %s in the bad example and not in the good one',
    (code, { bad, good }) => {
      const check = (text: string): readonly string[] =>
        checkPolicyQuery(analyzeSmall(text), { alertColumns: code === 'policy-missing-field' ? fields : [] }).map(
          (each) => each.code,
        );
      expect(check(bad)).toContain(code);
      expect(check(good)).toEqual([]);
    },
  );
});
