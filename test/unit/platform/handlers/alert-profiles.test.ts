import { describe, expect, test } from 'vitest';
import { signIn } from '../signed-in.ts';

const parent = 'SVC_CFG_AWS_DEFAULT_PROFILE';
const template = { name: 'Own', eventName: 'An event', description: 'In {{ACCOUNT_ID}}', subject: '{{RESOURCE_ID}}' };
const profile = { alertProfileId: 'Acme_Profile', extends: parent, alerts: [template] };

describe('alert profiles', () => {
  test('carry what they inherit; their own templates come over those of the same name', async () => {
    const { call } = await signIn();
    const inherited = (await call('GET', `/AlertProfiles/${parent}`)).body.data;
    const created = await call('POST', '/AlertProfiles', {
      ...profile,
      alerts: [template, { ...template, name: 'CFG_AWS_Violation' }],
    });
    expect(created.status).toBe(201);
    const { data } = created.body;
    expect(data.fields).toEqual(inherited.fields);
    expect(data.descriptionKeys).toEqual(inherited.descriptionKeys);
    expect(data.alerts.map((entry: { name: string }) => entry.name).sort()).toEqual([
      'CFG_AWS_NewViolation',
      'CFG_AWS_PolicyChanged',
      'CFG_AWS_Violation',
      'Own',
    ]);
    expect(data.alerts.find((entry: { name: string }) => entry.name === 'CFG_AWS_Violation').eventName).toBe(
      'An event',
    );
    const child = await call('POST', '/AlertProfiles', {
      alertProfileId: 'Acme_Child',
      extends: 'Acme_Profile',
      alerts: [],
    });
    expect(child.body.data.alerts).toHaveLength(4);
    expect((await call('DELETE', '/AlertProfiles/Acme_Profile')).status).toBe(409);
    expect((await call('DELETE', '/AlertProfiles/Acme_Child')).status).toBe(204);
    expect((await call('DELETE', '/AlertProfiles/Acme_Profile')).status).toBe(204);
    expect((await call('GET', '/AlertProfiles/Acme_Profile')).status).toBe(404);
  });

  test('templates are created, override by name, change and go', async () => {
    const { call } = await signIn();
    await call('POST', '/AlertProfiles', profile);
    const base = '/AlertProfiles/Acme_Profile/AlertTemplates';
    expect(await call('POST', base, { ...template, name: 'CFG_AWS_Violation' })).toMatchObject({
      status: 200,
      body: { data: { name: 'CFG_AWS_Violation' } },
    });
    expect((await call('POST', base, { ...template, eventName: 'Again' })).body.data.eventName).toBe('Again');
    expect((await call('PATCH', `${base}/Own`, { subject: 'now {{ARN}}' })).body.data).toEqual({
      ...template,
      eventName: 'Again',
      subject: 'now {{ARN}}',
    });
    expect((await call('PATCH', `${base}/CFG_AWS_NewViolation`, { subject: 'x' })).status).toBe(404);
    expect((await call('DELETE', `${base}/CFG_AWS_Violation`)).status).toBe(204);
    const names = (await call('GET', '/AlertProfiles/Acme_Profile')).body.data.alerts.map(
      (entry: { name: string }) => entry.name,
    );
    expect(names).toEqual(['Own', 'CFG_AWS_NewViolation', 'CFG_AWS_Violation', 'CFG_AWS_PolicyChanged']);
    const whole = await signIn({ switches: { 'template-answers': 'profile' } });
    await whole.call('POST', '/AlertProfiles', profile);
    expect((await whole.call('POST', base, { ...template, name: 'Second' })).body.data.alertProfileId).toBe(
      'Acme_Profile',
    );
  });

  test.each([
    ['the base profile as parent', { extends: 'SVC_LPP_BaseProfile' }, 'must not be extended'],
    ['an unknown parent', { extends: 'Nowhere' }, 'Nowhere'],
    ['a reserved id', { alertProfileId: 'SVC_Mine' }, 'reserved'],
    ['a placeholder nobody knows', { alerts: [{ ...template, subject: '{{NOTHING}}' }] }, 'NOTHING'],
    ['a field that is no description key', { alerts: [{ ...template, subject: '{{_RISK}}' }] }, '_RISK'],
    ['a template name twice', { alerts: [template, template] }, 'twice'],
    ['no templates key', { alerts: undefined }, 'alerts'],
  ])('refuse %s', async (_, change, reason) => {
    const { call } = await signIn();
    const answer = await call('POST', '/AlertProfiles', { ...profile, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(reason);
  });

  test('of the vendor cannot be changed; an id is taken once', async () => {
    const { call } = await signIn();
    expect((await call('PATCH', `/AlertProfiles/${parent}`, { alerts: [] })).status).toBe(403);
    expect((await call('POST', `/AlertProfiles/${parent}/AlertTemplates`, template)).status).toBe(403);
    await call('POST', '/AlertProfiles', profile);
    expect((await call('POST', '/AlertProfiles', profile)).status).toBe(409);
    expect((await call('PATCH', '/AlertProfiles/Acme_Profile', { alerts: [] })).body.data.alerts).toHaveLength(3);
    expect((await call('GET', '/AlertProfiles')).body.data[0]).toMatchObject({
      alertProfileId: 'SVC_LPP_BaseProfile',
      alerts: [],
    });
  });
});
