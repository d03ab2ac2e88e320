import { awsComputeDatasources } from './aws-compute.ts';
import { awsIdentityDatasources } from './aws-identity.ts';
import { awsServiceDatasources } from './aws-services.ts';
import { awsStorageDatasources } from './aws-storage.ts';
import { awsColumns } from './collections.ts';
import type { SampleDatasource } from './datasource.ts';

/** Datasources of one kind of AWS resource each. */
export const awsDatasources: readonly SampleDatasource[] = [
  ...awsStorageDatasources,
  ...awsComputeDatasources,
  ...awsIdentityDatasources,
  ...awsServiceDatasources,
];

/** All of them in one, as older queries expect. */
export const wholeAwsDatasource: SampleDatasource = {
  name: 'SVC_CFG_AWS',
  description: 'Every collected AWS resource, whatever its kind',
  columns: awsColumns,
  relationships: [],
  timeColumn: 'BATCH_END_TIME',
  snapshot: 'lastCollection',
  *rows(world) {
    for (const datasource of awsDatasources) yield* datasource.rows(world);
  },
};
