import type { Value } from '../../core/language/values/value.ts';
import { type AwsResource, awsColumns, awsRow, collections, standardTags } from './collections.ts';
import { defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion } from './story.ts';
import { isoSeconds } from './time.ts';
import { awsAccounts, type Bucket, type World } from './world.ts';

/** S3 and what S3 answers bucket by bucket. */
export const awsStorageDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_AWS_S3',
    description: 'S3 buckets: name, creation date, versioning and website settings',
    columns: awsColumns,
    relationships: [
      bucketDetail('SVC_CFG_AWS_S3_GET_BUCKET_ENCRYPTION', 'Default encryption of the bucket, when it has one'),
      bucketDetail('SVC_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS', 'Whether the policy of the bucket makes it public'),
      bucketDetail('SVC_CFG_AWS_S3_GET_PUBLIC_ACCESS_BLOCK', 'Public access block of the bucket'),
      bucketDetail('SVC_CFG_AWS_S3_GET_BUCKET_LOGGING', 'Access logging of the bucket'),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      bucketRows(world, 'list-buckets', (bucket) => ({
        Name: bucket.name,
        CreationDate: isoSeconds(bucket.createdAt),
        BucketRegion: bucket.account.region,
        Versioning: bucket.versioning ? { Status: 'Enabled', MFADelete: 'Disabled' } : {},
        ...(bucket.website ? { Website: { IndexDocument: { Suffix: 'index.html' } } } : {}),
      })),
  },
  bucketDatasource(
    'SVC_CFG_AWS_S3_GET_BUCKET_ENCRYPTION',
    'Default encryption of S3 buckets; a bucket without one has no row',
    'get-bucket-encryption',
    (bucket) =>
      bucket.encryption === undefined
        ? undefined
        : {
            ServerSideEncryptionConfiguration: {
              Rules: [
                {
                  ApplyServerSideEncryptionByDefault:
                    bucket.encryption === 'aws:kms'
                      ? { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: storageKeyArn(bucket) }
                      : { SSEAlgorithm: 'AES256' },
                  BucketKeyEnabled: bucket.encryption === 'aws:kms',
                },
              ],
            },
          },
  ),
  bucketDatasource(
    'SVC_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS',
    'Whether the policy of an S3 bucket makes it public',
    'get-bucket-policy-status',
    (bucket, world, at) => ({ PolicyStatus: { IsPublic: isPublic(bucket, world, at) } }),
  ),
  bucketDatasource(
    'SVC_CFG_AWS_S3_GET_PUBLIC_ACCESS_BLOCK',
    'Public access block of S3 buckets; a bucket without one has no row',
    'get-public-access-block',
    (bucket, world, at) => {
      if (bucket.website || bucket.name === 'harborline-staging-scratch') return undefined;
      const blocked = !isPublic(bucket, world, at);
      return {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: blocked,
          IgnorePublicAcls: blocked,
          BlockPublicPolicy: blocked,
          RestrictPublicBuckets: blocked,
        },
      };
    },
  ),
  bucketDatasource(
    'SVC_CFG_AWS_S3_GET_BUCKET_LOGGING',
    'Access logging of S3 buckets; empty where it is switched off',
    'get-bucket-logging',
    (bucket) =>
      bucket.logging
        ? { LoggingEnabled: { TargetBucket: 'harborline-production-access-logs', TargetPrefix: `${bucket.name}/` } }
        : {},
  ),
];

/** The customer managed key of an account's storage. Also listed by the KMS datasources. */
export function storageKeyArn(bucket: { readonly account: Bucket['account'] }): string {
  const { account } = bucket;
  const key =
    account === awsAccounts.production
      ? '4a0e6c1d-58f7-4f43-9b1e-6f0f2b7d1c33'
      : account === awsAccounts.staging
        ? '9d2b7f60-1c0e-4a77-b8c5-0a4f5e2d6b91'
        : 'e3f81c52-7b6d-4d0c-8f2a-5c9e7a1b4d08';
  return `arn:aws:kms:${account.region}:${account.id}:key/${key}`;
}

/** True for web sites, and for the bucket the intruder opened, from then on. */
function isPublic(bucket: Bucket, world: World, at: number): boolean {
  if (bucket.website) return true;
  return bucket.name === intrusion.bucket && at >= world.anchor - intrusion.bucketPublic;
}

function bucketDetail(to: string, description: string): ReturnType<typeof defaultRelationship> {
  return defaultRelationship(to, 'ONE', description, ['ARN', 'ARN']);
}

type BucketConfig = (bucket: Bucket, world: World, at: number) => Value;

function bucketDatasource(name: string, description: string, apiKey: string, config: BucketConfig): SampleDatasource {
  return {
    name,
    description,
    columns: awsColumns,
    relationships: [defaultRelationship('SVC_CFG_AWS_S3', 'ONE', 'The bucket', ['ARN', 'ARN'])],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => bucketRows(world, apiKey, config),
  };
}

function* bucketRows(world: World, apiKey: string, config: BucketConfig): Iterable<SampleRow> {
  const resources = world.buckets.map((bucket): AwsResource => bucketResource(bucket, apiKey));
  for (const run of collections(world)) {
    for (let index = 0; index < world.buckets.length; index++) {
      const bucket = world.buckets[index];
      const resource = resources[index];
      if (bucket === undefined || resource === undefined) continue;
      const document = config(bucket, world, run.end);
      if (document !== undefined) yield awsRow(run, index, resource, document);
    }
  }
}

function bucketResource(bucket: Bucket, apiKey: string): AwsResource {
  const team =
    bucket.name.includes('orders') || bucket.name.includes('customer')
      ? 'orders'
      : bucket.name.includes('tracking')
        ? 'tracking'
        : 'platform';
  return {
    account: bucket.account,
    arn: `arn:aws:s3:::${bucket.name}`,
    service: 's3',
    apiKey,
    type: 's3:bucket',
    id: bucket.name,
    tags: standardTags(bucket.account, team),
  };
}
