/** Audit-trail events for measuring the engine: deterministic, about 430 bytes of JSON each, with the skew of real logs. */
export interface BenchEvent {
  readonly EVENT_TIME: string;
  readonly EVENT_NAME: string;
  readonly EVENT_SOURCE: string;
  readonly EVENT: { readonly [key: string]: unknown };
}

export const firstEventTime = Date.UTC(2024, 4, 1);

const calls: readonly (readonly [name: string, source: string])[] = [
  ['DescribeInstances', 'ec2.amazonaws.com'],
  ['GetObject', 's3.amazonaws.com'],
  ['AssumeRole', 'sts.amazonaws.com'],
  ['PutObject', 's3.amazonaws.com'],
  ['Decrypt', 'kms.amazonaws.com'],
  ['ListBuckets', 's3.amazonaws.com'],
  ['GetCallerIdentity', 'sts.amazonaws.com'],
  ['PutBucketPolicy', 's3.amazonaws.com'],
  ['DeleteBucket', 's3.amazonaws.com'],
  ['AuthorizeSecurityGroupIngress', 'ec2.amazonaws.com'],
  ['ConsoleLogin', 'signin.amazonaws.com'],
  ['CreateUser', 'iam.amazonaws.com'],
];
const regions = ['us-east-1', 'us-west-2', 'eu-central-1', 'eu-west-1', 'ap-southeast-2'] as const;
const userTypes = ['AssumedRole', 'AssumedRole', 'AssumedRole', 'IAMUser', 'AWSService', 'Root'] as const;

/** A small generator of equally distributed 32-bit numbers (mulberry32), so that every run measures the same events. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Calls `take` with each event as one line of JSON. */
export function eachEventLine(count: number, take: (line: string) => void): void {
  const random = createRandom(42);
  for (let index = 0; index < count; index++) {
    // The square of a random number makes the first calls far more frequent than the last, as in real logs.
    const rank = Math.floor((random(1000) * random(1000) * calls.length) / 1_000_000);
    const [name, source] = calls[rank] as (typeof calls)[number];
    const user = random(400);
    const bucket = random(3000);
    const event: BenchEvent = {
      EVENT_TIME: new Date(firstEventTime + index * 86).toISOString(),
      EVENT_NAME: name,
      EVENT_SOURCE: source,
      EVENT: {
        eventName: name,
        awsRegion: regions[random(regions.length)],
        sourceIPAddress: `${random(4) === 0 ? '203.0.113' : '10.20.30'}.${random(250)}`,
        userIdentity: {
          type: userTypes[random(userTypes.length)],
          arn: `arn:aws:iam::${100000000000 + (user % 7)}:user/user-${user}`,
        },
        ...(random(20) === 0 ? { errorCode: 'AccessDenied' } : {}),
        requestParameters: { bucketName: `data-${bucket}`, key: `path/${random(100000)}/object.json` },
        resources: Array.from({ length: random(4) }, (_, n) => ({
          type: n === 0 ? 'AWS::S3::Bucket' : 'AWS::S3::Object',
          ARN: `arn:aws:s3:::data-${(bucket + n) % 3000}`,
        })),
      },
    };
    take(JSON.stringify(event));
  }
}
