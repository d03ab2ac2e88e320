/** The smallest content that the service takes, for tests to which it does not matter what it says. */

export const queryText = '{ source { SVC_CFG_AWS_S3 } return { ARN as RESOURCE_KEY } }';

export const policyBody = {
  queryId: 'Q',
  title: 't',
  enabled: true,
  description: 'd',
  remediation: 'r',
  severity: 'low',
  alertEnabled: true,
} as const;
