import { describe, expect, it } from 'vitest';
import {
  findColumn,
  knowsRelationships,
  suggestDatasources,
} from '../../../../../server/core/language/catalog/lookup.ts';
import { catalogFromDatasources } from '../../../../../server/core/resources/index.ts';

const names = [
  'SVC_CFG_AWS_S3',
  'SVC_CFG_AWS_S3_GET_BUCKET_ENCRYPTION',
  'SVC_CFG_AWS_EC2_INSTANCES',
  'SVC_HE_MACHINES',
  'CloudTrailRawEvents',
];
const catalog = catalogFromDatasources(
  names.map((name) => ({
    name,
    resultSchema: Array.from({ length: 40 }, (_, i) => ({ name: `C${i}`, dataType: 'String' })),
  })),
  { origin: 'account', vendorPrefix: 'SVC' },
);

describe('suggestDatasources', () => {
  it.each([
    ['cloudtrailrawevents', ['CloudTrailRawEvents'], true],
    ['CloudTrailRawEvent', ['CloudTrailRawEvents'], false],
    ['SVC_CFG_AWS_EC2_INSTANCE', ['SVC_CFG_AWS_EC2_INSTANCES'], false],
    ['SVC_CFG_AWS_S3_BUCKET_ENCRYPTION', ['SVC_CFG_AWS_S3_GET_BUCKET_ENCRYPTION'], false],
    ['SVC_CFG_AWS_S3_BUCKETS', ['SVC_CFG_AWS_S3'], false],
    ['NOTHING_LIKE_IT_AT_ALL', [], false],
  ])('%s', (wanted, expected, caseOnly) => {
    expect(suggestDatasources(catalog, wanted)).toEqual({ names: expected, caseOnly });
    expect(suggestDatasources(catalog, wanted)).toBe(suggestDatasources(catalog, wanted));
  });
});

describe('findColumn', () => {
  it('finds columns by exact name, in long lists as well', () => {
    const datasource = catalog.datasources.get('SVC_HE_MACHINES');
    if (datasource === undefined) throw new Error('missing');
    expect(findColumn(datasource, 'C39')?.name).toBe('C39');
    expect(findColumn(datasource, 'c39')).toBeUndefined();
  });
});

describe('knowsRelationships', () => {
  it('is false when the answer carried none', () => {
    expect(knowsRelationships(catalog)).toBe(false);
  });
});
