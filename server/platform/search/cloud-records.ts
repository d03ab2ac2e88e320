import { type TableSource, valueAt } from '../../core/engine/table.ts';
import type { SemanticModel } from '../../core/language/semantics/semantic-model.ts';
import { jsonProperty } from '../../core/language/values/json.ts';
import type { Value } from '../../core/language/values/value.ts';
import type { RequestContext } from '../context.ts';
import { checkQueryText, runQuery } from '../execution.ts';
import { allPolicies } from '../handlers/policy-records.ts';
import { findQuery } from '../handlers/query-records.ts';
import { ServiceError } from '../service-error.ts';
import type { SearchRecord } from './filters.ts';
import { keptRecords } from './kept-records.ts';
import type { SearchRange } from './time-range.ts';

type Provider = 'AWS' | 'Azure' | 'GCP';

/** The inventory of a cloud provider as of the last collection inside the range; nothing when the range misses it. */
export function* inventoryRecords(csp: Provider, context: RequestContext, range: SearchRange): Iterable<SearchRecord> {
  const family = `${context.settings.vendorPrefix}_CFG_${csp.toUpperCase()}_`;
  for (const { name } of context.datasets.records()) {
    if (!name.startsWith(family)) continue;
    const table = context.datasets.table(name, range.startTime, range.endTime);
    if (table === undefined) continue;
    const recordOf = keptRecords(table, 'inventory', (row) => inventoryRecord(csp, reader(table, row)));
    for (let row = 0; row < table.rowCount; row++) {
      const record = recordOf(row);
      if (record !== undefined) yield record;
    }
  }
}

type Cell = (column: string) => Value;

/** Reads the cells of a row, timestamps as text. */
function reader(table: TableSource, row: number): Cell {
  return (column) => {
    const vector = table.column(column);
    const value = vector === undefined ? undefined : valueAt(vector, row);
    return vector?.kind === 'timestamp' && typeof value === 'number' ? new Date(value).toISOString() : value;
  };
}

function inventoryRecord(csp: Provider, cell: Cell): SearchRecord {
  return {
    apiKey: cell('API_KEY'),
    cloudDetails: cloudDetails(csp, cell),
    csp,
    startTime: cell('BATCH_START_TIME'),
    endTime: cell('BATCH_END_TIME'),
    resourceConfig: cell('RESOURCE_CONFIG'),
    resourceId: cell('RESOURCE_ID'),
    resourceRegion: cell('RESOURCE_REGION'),
    resourceTags: cell('RESOURCE_TAGS'),
    resourceType: cell('RESOURCE_TYPE'),
    service: cell('SERVICE'),
    status: { formatVersion: 5, props: null, status: 'success' },
    urn: csp === 'AWS' ? cell('ARN') : cell('URN'),
  };
}

function cloudDetails(csp: Provider, cell: Cell): Value {
  switch (csp) {
    case 'AWS':
      return { accountID: cell('ACCOUNT_ID'), accountAlias: cell('ACCOUNT_ALIAS') };
    case 'Azure':
      return { tenantID: cell('TENANT_ID'), tenantName: cell('TENANT_NAME'), subscriptionID: cell('SUBSCRIPTION_ID') };
    case 'GCP':
      return { organizationID: cell('ORGANIZATION_ID'), projectID: cell('PROJECT_ID') };
  }
}

/** Calls to the cloud provider that changed something, as events. */
export function eventRecords(context: RequestContext, range: SearchRange): Iterable<SearchRecord> {
  return trailRecords('events', context, range, (cell, event) => {
    if (jsonProperty(event, 'readOnly') !== false) return undefined;
    return {
      id: cell('INSERT_ID'),
      startTime: cell('EVENT_TIME'),
      endTime: cell('EVENT_TIME'),
      eventType: 'CloudTrailDefaultAlert',
      srcType: 'AwsResource',
      srcEvent: {
        awsRegion: jsonProperty(event, 'awsRegion'),
        eventName: cell('EVENT_NAME'),
        eventSource: cell('EVENT_SOURCE'),
        recipientAccountId: jsonProperty(event, 'recipientAccountId'),
        requestParameters: jsonProperty(event, 'requestParameters'),
      },
      dstType: 'IpAddress',
      dstEvent: { ip_addr: jsonProperty(event, 'sourceIPAddress') },
      eventCount: 1,
    };
  });
}

/** Who did what at the cloud provider. */
export function cloudActivityRecords(context: RequestContext, range: SearchRange): Iterable<SearchRecord> {
  return trailRecords('activities', context, range, (cell, event) => {
    const identity = jsonProperty(event, 'userIdentity');
    const failed = cell('ERROR_CODE') !== undefined;
    return {
      startTime: cell('EVENT_TIME'),
      endTime: cell('EVENT_TIME'),
      eventType: failed
        ? 'ApiFailedWithError'
        : jsonProperty(event, 'readOnly') === false
          ? 'ServiceCalledWrite'
          : 'ServiceCalledRead',
      eventId: cell('INSERT_ID'),
      eventModel: 'CloudTrailCep',
      eventActor: 'Aws',
      entityMap: {
        CT_User: [{ username: jsonProperty(identity, 'userName'), accountId: jsonProperty(identity, 'accountId') }],
        API: [{ service: cell('EVENT_SOURCE'), api: cell('EVENT_NAME') }],
        Region: [{ region: jsonProperty(event, 'awsRegion') }],
        SourceIpAddress: [{ ip_addr: jsonProperty(event, 'sourceIPAddress') }],
      },
    };
  });
}

/** Records of the audit trail's events inside a range; `make` leaves out those that are not of the kind. */
function* trailRecords(
  kind: string,
  context: RequestContext,
  range: SearchRange,
  make: (cell: Cell, event: Value) => SearchRecord | undefined,
): Iterable<SearchRecord> {
  const table = context.datasets.table('CloudTrailRawEvents', range.startTime, range.endTime);
  const times = table?.column('EVENT_TIME');
  if (table === undefined || times === undefined) return;
  const recordOf = keptRecords(table, kind, (row) => {
    const cell = reader(table, row);
    return make(cell, cell('EVENT'));
  });
  for (let row = 0; row < table.rowCount; row++) {
    const time = valueAt(times, row);
    if (typeof time !== 'number' || time < range.startTime || time >= range.endTime) continue;
    const record = recordOf(row);
    if (record !== undefined) yield record;
  }
}

const datasetFamilies: { readonly [dataset: string]: string } = {
  AwsCompliance: 'AWS',
  AzureCompliance: 'AZURE',
  GcpCompliance: 'GCP',
  K8sCompliance: 'K8S',
};

/**
 * What the policies over configuration say of every resource: those their query finds are NonCompliant, the others of the same datasource
 * Compliant. As of the last collection inside the range.
 */
export async function complianceRecords(
  dataset: string,
  context: RequestContext,
  range: SearchRange,
): Promise<SearchRecord[]> {
  const records: SearchRecord[] = [];
  const family = `${context.settings.vendorPrefix}_CFG_${datasetFamilies[dataset] ?? ''}_`;
  for (const policy of allPolicies(context)) {
    const query = findQuery(context, policy.queryId);
    if (query === undefined || !policy.enabled) continue;
    const model = await checkedModel(query.queryText, context);
    if (model === undefined) continue;
    const root = model.datasourceNames[0];
    if (root === undefined || !root.startsWith(family)) continue;
    const table = context.datasets.table(root, range.startTime, range.endTime);
    if (table === undefined || table.rowCount === 0) continue;
    const rows = await runQuery(context, model, range, policy.limit);
    const reasons = new Map(rows.map((row) => [String(row['RESOURCE_KEY']), row['COMPLIANCE_FAILURE_REASON']]));
    for (let row = 0; row < table.rowCount; row++) {
      const cell = reader(table, row);
      const resource = String(cell('ARN') ?? cell('URN'));
      const failed = reasons.has(resource);
      records.push({
        account: {
          AccountId: cell('ACCOUNT_ID') ?? cell('SUBSCRIPTION_ID') ?? cell('PROJECT_ID') ?? cell('CLUSTER_ID'),
          Account_Alias: cell('ACCOUNT_ALIAS'),
        },
        evalType: `${context.settings.vendorPrefix}_SA`,
        id: policy.policyId,
        reason: failed ? (reasons.get(resource) ?? policy.title) : '',
        recommendation: policy.title,
        region: cell('RESOURCE_REGION'),
        reportTime: cell('BATCH_END_TIME'),
        resource,
        section: '',
        severity: policy.severity.charAt(0).toUpperCase() + policy.severity.slice(1),
        status: failed ? 'NonCompliant' : 'Compliant',
      });
    }
  }
  return records;
}

/** What a stored text means; undefined where it cannot run any more, because its datasource is gone. */
async function checkedModel(text: string, context: RequestContext): Promise<SemanticModel | undefined> {
  try {
    return await checkQueryText(context, text);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

interface Weakness {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  readonly fixedIn: string;
  readonly severity: 'Critical' | 'High' | 'Medium';
  readonly score: number;
  /** Images whose repository name contains this are affected. */
  readonly image: string;
}

const weaknesses: readonly Weakness[] = [
  {
    id: 'CVE-2023-44487',
    packageName: 'nghttp2',
    version: '1.51.0',
    fixedIn: '1.57.0',
    severity: 'High',
    score: 7.5,
    image: 'payments/gateway',
  },
  {
    id: 'CVE-2023-38545',
    packageName: 'curl',
    version: '7.88.1',
    fixedIn: '8.4.0',
    severity: 'Critical',
    score: 9.8,
    image: 'orders/',
  },
  {
    id: 'CVE-2024-6119',
    packageName: 'openssl',
    version: '3.0.13',
    fixedIn: '3.0.15',
    severity: 'Medium',
    score: 5.9,
    image: 'tracking/',
  },
];

/** Weaknesses of the images that run in the cluster. */
export function* containerVulnerabilityRecords(context: RequestContext, range: SearchRange): Iterable<SearchRecord> {
  const table = context.datasets.table(`${context.settings.vendorPrefix}_HE_IMAGES`, range.startTime, range.endTime);
  if (table === undefined) return;
  const seen = new Set<string>();
  for (let row = 0; row < table.rowCount; row++) {
    const cell = reader(table, row);
    const repo = String(cell('REPO'));
    const imageId = String(cell('IMAGE_ID'));
    if (seen.has(imageId)) continue;
    seen.add(imageId);
    for (const weakness of weaknesses) {
      if (!repo.includes(weakness.image)) continue;
      yield {
        startTime: cell('BATCH_END_TIME'),
        vulnId: weakness.id,
        imageId,
        evalCtx: { image_info: { digest: imageId, id: imageId, repo, tags: [cell('TAG')], size: cell('SIZE') } },
        evalGuid: imageId.slice(7, 39),
        featureKey: { name: weakness.packageName, namespace: 'debian:12', version: weakness.version },
        featureProps: { src: 'var/lib/dpkg/status', version_format: 'dpkg' },
        packageStatus: 'ACTIVE',
        fixInfo: { fix_available: 1, fixed_version: weakness.fixedIn },
        severity: weakness.severity,
        status: 'VULNERABLE',
        props: { first_time_seen: cell('IMAGE_CREATED_TIME') },
        riskScore: weakness.score,
        riskInfo: { factors: ['internet_exposure'] },
      };
    }
  }
}
