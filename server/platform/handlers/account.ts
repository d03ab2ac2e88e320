import { randomBytes } from 'node:crypto';
import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import type { DataExportRulePatch, DataExportRuleRecord, InventoryScan } from '../../core/resources/index.ts';
import { commit, type RequestContext } from '../context.ts';
import type { SearchRecord } from '../search/filters.ts';
import { recordFields, search } from '../search/search.ts';
import { notFound } from '../service-error.ts';

export const configHandlers: Handlers<RequestContext>['configs'] = {
  azureSubscriptions({ query }, context) {
    const azure = context.datasets.sample()?.world.azure;
    const known = azure !== undefined && (query.tenantId === undefined || query.tenantId === azure.tenantId);
    return { data: known ? [azure.subscriptionId] : [] };
  },
  gcpProjects({ query }, context) {
    const gcp = context.datasets.sample()?.world.gcp;
    const known = gcp !== undefined && (query.orgId === undefined || query.orgId === String(gcp.organizationId));
    return { data: known ? [gcp.projectId] : [] };
  },
};

export const accountHandlers: Handlers<RequestContext>['account'] = {
  contractInfo(_, { now }) {
    const year = new Date(now).getUTCFullYear();
    const props = (numPurchased: number) => ({
      contractStartUtc: `${year}-01-01T00:00:00.000Z`,
      renewalUtc: `${year + 1}-01-01T00:00:00.000Z`,
      numPurchased,
      dataRetentionInDay: 90,
    });
    return {
      data: ['CloudActivities', 'Agents', 'Containers'].map((objName, index) => ({
        objName,
        props: props(100 * (index + 1)),
      })),
    };
  },
  organizationInfo: (_, { settings, origin }) => ({
    data: [{ orgAccount: settings.subAccounts.length > 0, orgAccountUrl: new URL(origin).host }],
  }),
};

export const dataExportRuleHandlers: Handlers<RequestContext>['dataExportRules'] = {
  create({ body }, context) {
    const { account, user, now } = context;
    const mcGuid = `${account.name.toUpperCase().replaceAll('-', '')}_EXPORT_${randomBytes(16).toString('hex').toUpperCase()}`;
    const rule = {
      mcGuid,
      type: body.type,
      filters: { ...body.filters, createdOrUpdatedBy: user, createdOrUpdatedTime: new Date(now).toISOString() },
      intgGuidList: [...body.intgGuidList],
    };
    account.state.dataExportRules[mcGuid] = rule;
    commit(context, 'DataExportRule', 'CREATE', `Data export rule ${mcGuid} was created.`);
    return { data: rule };
  },
  list: (_, context) => ({ data: Object.values(context.account.state.dataExportRules) }),
  async search({ body }, context) {
    const records = Object.values(context.account.state.dataExportRules) as unknown as SearchRecord[];
    const fields = recordFields(endpoints.dataExportRules.search);
    return { data: (await search(records, body, fields, context)) as DataExportRuleRecord[] };
  },
  get: ({ params }, context) => ({ data: requireRule(params.mcGuid, context) }),
  update: ({ params, body }, context) => ({ data: changeRule(params.mcGuid, body, context) }),
  replace: ({ params, body }, context) => ({ data: changeRule(params.mcGuid, body, context) }),
  delete({ params }, context) {
    requireRule(params.mcGuid, context);
    delete context.account.state.dataExportRules[params.mcGuid];
    commit(context, 'DataExportRule', 'DELETE', `Data export rule ${params.mcGuid} was deleted.`);
    return undefined;
  },
};

function requireRule(mcGuid: string, context: RequestContext): DataExportRuleRecord {
  const { dataExportRules } = context.account.state;
  const rule = Object.hasOwn(dataExportRules, mcGuid) ? dataExportRules[mcGuid] : undefined;
  if (rule === undefined) throw notFound('Not found');
  return rule;
}

function changeRule(mcGuid: string, change: DataExportRulePatch, context: RequestContext): DataExportRuleRecord {
  const rule = requireRule(mcGuid, context);
  if (change.type !== undefined) rule.type = change.type;
  if (change.intgGuidList !== undefined) rule.intgGuidList = [...change.intgGuidList];
  const time = new Date(context.now).toISOString();
  rule.filters = {
    ...(change.filters ?? rule.filters),
    createdOrUpdatedBy: context.user,
    createdOrUpdatedTime: time,
  };
  commit(context, 'DataExportRule', 'UPDATE', `Data export rule ${mcGuid} was changed.`);
  return rule;
}

/** A scan takes this long; the next may start an hour after it ended. */
const scanLength = 10 * 60_000;
const scanPause = 60 * 60_000;

export const inventoryScanHandlers: Handlers<RequestContext>['inventoryScans'] = {
  start({ query }, context) {
    const { state } = context.account;
    if (scanState(query.csp, context).status === 'available') {
      state.scans[query.csp] = { startedAt: context.now };
      commit(context, 'InventoryScan', 'EXECUTE', `An inventory scan of ${query.csp} was started.`);
    }
    return { data: scanState(query.csp, context) };
  },
  get: ({ query }, context) => ({ data: scanState(query.csp, context) }),
};

function scanState(csp: string, context: RequestContext): InventoryScan {
  const scan = context.account.state.scans[csp];
  const age = scan === undefined ? Number.POSITIVE_INFINITY : context.now - scan.startedAt;
  if (age < scanLength) return { status: 'scanning', details: 'Scan is in progress' };
  if (age < scanLength + scanPause) return { status: 'pending', details: 'Scan recently completed within an hour' };
  return { status: 'available', details: 'Scan is available' };
}
