import { defineCodes } from '../code-definition.ts';

/** Codes of the checks that a query gets when a policy is built on it. The query alone may be fine with each of them. */
export const policyCodes = defineCodes('policy', {
  'policy-needs-distinct': {
    severity: 'error',
    title: "A policy's query with multiplied rows is not distinct",
    why: 'A policy takes each row for one violating resource. A MANY relationship or an array expansion gives several rows for one resource, so the service demands `return distinct`.',
    whatToDo: 'Write `return distinct`.',
    bad: '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } filter { p.CMDLINE is not null } return { m.MID } }',
    good: '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } filter { p.CMDLINE is not null } return distinct { m.MID } }',
  },
  'policy-returns-many': {
    severity: 'error',
    title: "A policy's query returns a column of a MANY source or an expansion",
    why: 'With a MANY relationship or an array expansion in the query, a policy may return only columns of the first datasource and of those it reaches by ONE relationships; else one resource would give several violations.',
    whatToDo: 'Use the column in the filter only, or start from the datasource it belongs to.',
    bad: '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } return distinct { m.MID, p.CMDLINE } }',
    good: '{ source { SVC_HE_MACHINES m with SVC_HE_PROCESSES p } filter { p.CMDLINE is not null } return distinct { m.MID } }',
  },
  'policy-without-resource-key': {
    severity: 'warning',
    title: "A policy's query on configuration data returns no RESOURCE_KEY",
    why: 'Alerts and compliance reports name the violating resource by the column RESOURCE_KEY; without it they cannot say which resource is meant.',
    whatToDo:
      'Return the identifying column under that name: `ARN as RESOURCE_KEY` (AWS) or `URN as RESOURCE_KEY` (Azure, Google Cloud).',
    bad: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN, ACCOUNT_ID } }',
    good: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY, ACCOUNT_ID } }',
  },
  'policy-missing-field': {
    severity: 'warning',
    title: "A column that the policy's alert profile reads is missing",
    why: 'The alert profile words its alerts with result columns; where one is missing, the alert has a hole.',
    whatToDo: 'Return the column, with an alias where it is called differently, or choose another alert profile.',
    bad: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY } }',
    good: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY, ACCOUNT_ID, RESOURCE_REGION } }',
  },
  'policy-joins-activity': {
    severity: 'warning',
    title: "A policy's query joins activity logs with configuration",
    why: 'Policies on activity logs and on configuration run at different times on different data; people report that a policy which joins the two is refused.',
    whatToDo: 'Make it two policies, or keep to one kind of data.',
    bad: '{ source { CloudTrailRawEvents e with SVC_CFG_AWS_S3 b } return distinct { e.EVENT } }',
    good: '{ source { CloudTrailRawEvents e } return distinct { e.EVENT } }',
  },
});

export type PolicyCode = keyof typeof policyCodes;
