/** A query and a policy on it, as files. */

export const bucketQuery =
  'queryId: Acme_Buckets\nqueryText: |-\n  { source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY } }\n';

export const bucketPolicy = (alertEnabled: boolean): string => `policyId: $account-buckets-1
queryId: Acme_Buckets
title: Open bucket
enabled: true
severity: high
description: d
remediation: r
alertEnabled: ${alertEnabled}
`;
