import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../../server/api/endpoints/index.ts';
import { policyBody, queryText } from '../bodies.ts';
import { type SignedIn, signIn } from '../signed-in.ts';

const webhook = { name: 'n', type: 'Webhook', enabled: 1, data: {} };
const cloud = { name: 'n', type: 'AzureCfg', enabled: 1, data: {} };
const registry = { name: 'n', type: 'ContVulnCfg', enabled: 1, data: { registryType: 'GHCR' } };
const rule = { type: 'Dataexport', filters: { name: 'n' }, intgGuidList: [] };
const template = { name: 'T', eventName: 'e', description: 'd', subject: 's' };
const constraints = [{ fieldKey: 'accountIds', fieldValues: ['1'] }];

type Write = readonly [endpoint: string, method: string, path: string, body?: unknown];

/** Every operation that changes something, in an order in which each finds what it needs; `$x` is an id that an answer gave. */
const writes: readonly Write[] = [
  ['queries.create', 'POST', '/Queries', { queryId: 'Q', queryText }],
  ['queries.update', 'PATCH', '/Queries/Q', { queryText: `${queryText} ` }],
  ['alertProfiles.create', 'POST', '/AlertProfiles', { alertProfileId: 'P', extends: 'SVC_HE_Machines', alerts: [] }],
  ['alertProfiles.update', 'PATCH', '/AlertProfiles/P', { alerts: [] }],
  ['alertProfiles.createTemplate', 'POST', '/AlertProfiles/P/AlertTemplates', template],
  ['alertProfiles.updateTemplate', 'PATCH', '/AlertProfiles/P/AlertTemplates/T', { subject: 'x' }],
  ['alertProfiles.deleteTemplate', 'DELETE', '/AlertProfiles/P/AlertTemplates/T'],
  ['alertProfiles.delete', 'DELETE', '/AlertProfiles/P'],
  ['policies.create', 'POST', '/Policies', { ...policyBody, policyId: 'p' }],
  ['policies.update', 'PATCH', '/Policies/harborline-p', { severity: 'high' }],
  ['policies.updateMany', 'PATCH', '/Policies', [{ policyId: 'harborline-p', enabled: true }]],
  ['exceptions.create', 'POST', '/Exceptions?policyId=harborline-p', { constraints }],
  ['exceptions.update', 'PATCH', '/Exceptions/$exceptionId?policyId=harborline-p', { description: 'x' }],
  ['exceptions.delete', 'DELETE', '/Exceptions/$exceptionId?policyId=harborline-p'],
  ['alerts.comment', 'POST', '/Alerts/$alertId/comment', { comment: 'c' }],
  ['alerts.close', 'POST', '/Alerts/$alertId/close', { reason: 1 }],
  ['policies.delete', 'DELETE', '/Policies/harborline-p'],
  ['queries.delete', 'DELETE', '/Queries/Q'],
  ['agentAccessTokens.create', 'POST', '/AgentAccessTokens', { tokenAlias: 'a', tokenEnabled: '1' }],
  ['agentAccessTokens.update', 'PATCH', '/AgentAccessTokens/$accessToken', { tokenEnabled: '0' }],
  ['alertChannels.create', 'POST', '/AlertChannels', webhook],
  ['alertChannels.update', 'PATCH', '/AlertChannels/$intgGuid', { name: 'm' }],
  ['alertChannels.replace', 'PUT', '/AlertChannels/$intgGuid', webhook],
  ['alertChannels.delete', 'DELETE', '/AlertChannels/$intgGuid'],
  ['cloudAccounts.create', 'POST', '/CloudAccounts', cloud],
  ['cloudAccounts.update', 'PATCH', '/CloudAccounts/$intgGuid', { name: 'm' }],
  ['cloudAccounts.replace', 'PUT', '/CloudAccounts/$intgGuid', cloud],
  ['cloudAccounts.delete', 'DELETE', '/CloudAccounts/$intgGuid'],
  ['containerRegistries.create', 'POST', '/ContainerRegistries', registry],
  ['containerRegistries.update', 'PATCH', '/ContainerRegistries/$intgGuid', { name: 'm' }],
  ['containerRegistries.mapPolicies', 'POST', '/ContainerRegistries/$intgGuid/mapPolicies', { evaluate: true }],
  ['containerRegistries.delete', 'DELETE', '/ContainerRegistries/$intgGuid'],
  ['dataExportRules.create', 'POST', '/DataExportRules', rule],
  ['dataExportRules.update', 'PATCH', '/DataExportRules/$mcGuid', { filters: { name: 'm' } }],
  ['dataExportRules.replace', 'PUT', '/DataExportRules/$mcGuid', rule],
  ['dataExportRules.delete', 'DELETE', '/DataExportRules/$mcGuid'],
  ['inventoryScans.start', 'POST', '/Inventory/scan?csp=AWS'],
];

/** Sends something and changes nothing. */
const withoutChange = new Set(['alertChannels.test']);

async function firstAlert({ call }: SignedIn): Promise<string> {
  return String((await call('POST', '/Alerts/search', {})).body.data[0].alertId);
}

describe('the audit log', () => {
  test('knows every operation that changes something', () => {
    const changing = allEndpoints
      .filter((endpoint) => endpoint.effect === 'write' && !withoutChange.has(endpoint.id))
      .map((endpoint) => endpoint.id);
    expect(writes.map(([id]) => id).sort()).toEqual([...changing].sort());
  });

  test('gets one entry of each change, after it took effect, and none of one that was refused or only looked', async () => {
    const platform = await signIn();
    const { call, app } = platform;
    const entries = () => app.store.open('harborline').audit();
    const ids = new Map<string, string>([['alertId', await firstAlert(platform)]]);
    const fill = (path: string) => path.replace(/\$(\w+)/g, (_, name: string) => ids.get(name) ?? 'missing');
    for (const [id, method, path, body] of writes) {
      const before = entries().length;
      // Refused: unknown keys in the body, or an id that nothing has.
      if (body !== undefined && !Array.isArray(body))
        await call(method, fill(path), { ...Object(body), unknownKey: 1 });
      await call('GET', fill(path));
      expect(entries(), `${id} refused`).toHaveLength(before);
      const { status, body: answer } = await call(method, fill(path), body);
      expect(status, id).toBeLessThan(300);
      for (const [key, value] of Object.entries(answer?.data ?? {})) {
        if (/^(intgGuid|mcGuid|exceptionId|accessToken)$/.test(key)) ids.set(key, String(value));
      }
      const added = entries().slice(before);
      expect(added, id).toHaveLength(1);
      const action = /create$|createTemplate$/.test(id)
        ? 'CREATE'
        : method === 'DELETE'
          ? 'DELETE'
          : id === 'inventoryScans.start'
            ? 'EXECUTE'
            : 'UPDATE';
      expect(added[0], id).toMatchObject({
        userAction: action,
        accountName: 'harborline',
        userName: 'analyst@harborline.example',
        eventDescription: expect.stringMatching(/\.$/),
      });
    }
    const listed = (await call('GET', '/AuditLogs')).body.data;
    expect(listed).toEqual([...entries()].reverse());
  });

  test('is kept per account', async () => {
    const { call } = await signIn();
    const labs = { 'Account-Name': 'harborline-labs' };
    await call('POST', '/Queries', { queryId: 'Q', queryText }, labs);
    expect((await call('GET', '/AuditLogs')).status).toBe(204);
    expect((await call('GET', '/AuditLogs', undefined, labs)).body.data).toMatchObject([
      { accountName: 'harborline-labs' },
    ]);
  });
});
