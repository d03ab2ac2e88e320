import type { Catalog } from '../../server/core/language/catalog/catalog.ts';
import { analyze } from '../../server/core/language/semantics/analyze.ts';
import type { SemanticModel } from '../../server/core/language/semantics/semantic-model.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { catalogFromDatasources, withSchemas } from '../../server/core/resources/index.ts';

type Field = readonly [name: string, dataType: string];

const awsConfig: readonly Field[] = [
  ['ARN', 'String'],
  ['ACCOUNT_ID', 'String'],
  ['ACCOUNT_ALIAS', 'String'],
  ['RESOURCE_REGION', 'String'],
  ['RESOURCE_TYPE', 'String'],
  ['RESOURCE_CONFIG', 'JSON'],
  ['RESOURCE_TAGS', 'JSON'],
];

const entries: readonly {
  name: string;
  fields?: readonly Field[];
  to?: readonly (readonly [string, string, string?])[];
}[] = [
  {
    name: 'CloudTrailRawEvents',
    fields: [
      ['INSERT_ID', 'Number'],
      ['INSERT_TIME', 'Timestamp'],
      ['EVENT_TIME', 'Timestamp'],
      ['EVENT', 'JSON'],
      ['EVENT_SOURCE', 'String'],
      ['EVENT_NAME', 'String'],
      ['ERROR_CODE', 'String'],
    ],
  },
  {
    name: 'SVC_HE_MACHINES',
    fields: [
      ['MID', 'Number'],
      ['HOSTNAME', 'String'],
      ['TAGS', 'JSON'],
      ['CREATED_TIME', 'Timestamp'],
    ],
    to: [
      ['SVC_HE_PROCESSES', 'MANY'],
      ['SVC_HE_FILES', 'MANY', 'files'],
    ],
  },
  {
    name: 'SVC_HE_PROCESSES',
    fields: [
      ['MID', 'Number'],
      ['PID_HASH', 'Number'],
      ['PPID_HASH', 'Number'],
      ['CMDLINE', 'String'],
      ['PROCESS_START_TIME', 'Timestamp'],
    ],
    to: [['SVC_HE_MACHINES', 'ONE']],
  },
  {
    name: 'SVC_HE_FILES',
    fields: [
      ['MID', 'Number'],
      ['PATH', 'String'],
    ],
    to: [['SVC_HE_MACHINES', 'ONE']],
  },
  { name: 'SVC_CFG_AWS_S3', fields: awsConfig },
  { name: 'SVC_CFG_AWS_EC2_VOLUMES', fields: awsConfig },
  { name: 'SVC_NO_COLUMNS_YET' },
  { name: 'SVC_FROM_SCHEMA' },
];

/** The datasources of `smallCatalog` as `GET /api/v2/Datasources` would list them. */
export const smallDatasources = entries.map(({ name, fields, to }) => ({
  name,
  resultSchema: fields?.map(([fieldName, dataType]) => ({ name: fieldName, dataType })),
  sourceRelationships: to?.map(([target, toCardinality, relationship]) => ({
    name: relationship ?? '(default)',
    from: name,
    to: target,
    toCardinality,
  })),
}));

/** Eight datasources: six with columns of their own, one whose schema is unknown, one with columns from a schema endpoint. */
export function smallCatalog(origin: Catalog['origin'] = 'account'): Catalog {
  const catalog = catalogFromDatasources(smallDatasources, { origin, vendorPrefix: 'SVC' });
  const schema = [
    { name: 'HOST', type: 'string' as const, description: undefined },
    { name: 'SIZE', type: 'number' as const, description: undefined },
  ];
  return withSchemas(catalog, { SVC_FROM_SCHEMA: schema });
}

const account = smallCatalog();

export function analyzeSmall(text: string, catalog: Catalog | undefined = account): SemanticModel {
  return analyze(parse(text), { catalog, vendorPrefix: 'SVC' });
}

export function analyzeWithoutCatalog(text: string): SemanticModel {
  return analyze(parse(text), { catalog: undefined, vendorPrefix: 'SVC' });
}
