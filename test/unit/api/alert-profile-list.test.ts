import { describe, expect, it } from 'vitest';
import { listAlertProfiles } from '../../../server/api/alert-profile-list.ts';
import { createApiClient } from '../../../server/api/client.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { answer, createScriptTransport, type Script } from './support/script-transport.ts';

function bench(script: Script) {
  const transport = createScriptTransport(script);
  const client = createApiClient({
    origin: 'https://acme.example.net',
    vendorPrefix: 'SVC',
    keyId: 'K',
    secret: createSecret('_secret0123'),
    transport,
  });
  const paths = () => transport.requests.slice(1).map((request) => request.url.pathname.slice('/api/v2/'.length));
  return { client, paths };
}

describe('listAlertProfiles', () => {
  it('uses the list of a service that has one', async () => {
    const { client, paths } = bench(() => answer(200, { data: [{ alertProfileId: 'A' }] }));
    expect(await listAlertProfiles(client, ['B'])).toEqual({ profiles: [{ alertProfileId: 'A' }], complete: true });
    expect(paths()).toEqual(['AlertProfiles']);
  });

  it('finds profiles by policies, files and inheritance where there is no list, and asks for the list once', async () => {
    const { client, paths } = bench((request) => {
      const path = request.url.pathname.slice('/api/v2/'.length);
      if (path === 'AlertProfiles') return answer(404, { message: 'Not found' });
      if (path === 'Policies') {
        const policies = [
          { policyId: 'p-1', alertProfile: 'Own.Violation' },
          { policyId: 'p-2', alertProfile: 'Own' },
          { policyId: 'p-3' },
        ];
        return answer(200, { data: policies });
      }
      if (path === 'AlertProfiles/Gone') return answer(404, { message: 'Not found' });
      const id = path.split('/')[1];
      return answer(200, { data: { alertProfileId: id, extends: id === 'Own' ? 'Parent' : null } });
    });
    const found = await listAlertProfiles(client, ['Gone']);
    expect(found.complete).toBe(false);
    expect(found.profiles.map((profile) => profile.alertProfileId)).toEqual(['Own', 'Parent']);
    await listAlertProfiles(client, []);
    expect(paths().filter((path) => path === 'AlertProfiles')).toHaveLength(1);
    expect(paths().slice(0, 5)).toEqual([
      'AlertProfiles',
      'Policies',
      'AlertProfiles/Gone',
      'AlertProfiles/Own',
      'AlertProfiles/Parent',
    ]);
  });

  it('does not hide other failures', async () => {
    const { client } = bench(() => answer(403, { message: 'no' }));
    await expect(listAlertProfiles(client, [])).rejects.toMatchObject({ failure: { kind: 'status', status: 403 } });
  });
});
