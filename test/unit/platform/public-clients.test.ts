import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from '../../../server/core/language/syntax/parse.ts';
import { readAnswer, signIn } from './signed-in.ts';

/** With the prefix LW the platform speaks as public clients of the real service expect: header names, quirks, names of things. */
describe('platform --vendor-prefix LW', () => {
  const base = 'http://platform.test/api/v2';

  test('token, list, validate, execute and the life of a policy, sent as those clients send them', async () => {
    const { app } = await signIn({ vendorPrefix: 'LW' });
    const tokenAnswer = await readAnswer(
      await app.request(`${base}/access/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-LW-UAKS': app.key.secret },
        body: JSON.stringify({ keyId: app.key.keyId, expiryTime: 3600 }),
      }),
    );
    expect(tokenAnswer.status).toBe(201);
    // One client reads the expiry with a format that demands milliseconds.
    expect(tokenAnswer.body.expiresAt).toMatch(/\.\d{3}Z$/);
    // The bare token, as two of the clients send it; account headers on every call.
    const headers = {
      Authorization: tokenAnswer.body.token,
      'Content-Type': 'application/json',
      'Account-Name': 'HARBORLINE',
      'Org-Access': 'false',
    };
    const call = async (method: string, target: string, body?: unknown) =>
      readAnswer(
        await app.request(base + target, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      );

    const named =
      'LW_Custom_Keys {\n  source {\n    CloudTrailRawEvents // all events\n  }\n  filter {\n    EVENT_NAME = "CreateAccessKey"\n  }\n  return distinct {\n    INSERT_ID,\n    INSERT_TIME,\n    EVENT_TIME,\n    EVENT\n  }\n}';
    expect(
      (await call('POST', '/Queries/validate', { queryText: named, evaluatorId: 'Cloudtrail' })).body.data.resultSchema,
    ).toHaveLength(4);
    const created = await call('POST', '/Queries', {
      queryId: 'LW_Custom_Keys',
      queryText: named,
      evaluatorId: 'Cloudtrail',
      usageContext: {},
    });
    expect(created.status).toBe(201);
    expect(created.body.data.queryText).toBe(named);
    expect((await call('POST', '/Queries', { queryId: 'LW_Custom_Keys', queryText: named })).body.message).toContain(
      'already exists',
    );
    const range = [
      { name: 'StartTimeRange', value: '2031-04-01T12:00:00.000Z' },
      { name: 'EndTimeRange', value: '2031-04-02T12:00:00.000Z' },
    ];
    const run = await call('POST', '/Queries/execute', { query: { queryText: named }, options: {}, arguments: range });
    expect(run.body.data).toHaveLength(1);
    expect(
      (await call('POST', '/Queries/LW_Custom_Keys/execute', { options: { limit: 10 }, arguments: range })).body.data,
    ).toHaveLength(1);
    const preview = 'CLIAdhocPreview { source { LW_HE_MACHINES } return distinct { MID, HOSTNAME, TAGS } }';
    expect(
      (
        await call('POST', '/Queries/execute', {
          query: { queryText: preview },
          options: { limit: 1 },
          arguments: range,
        })
      ).body.data,
    ).toHaveLength(1);
    expect((await call('PATCH', '/Queries/ID_NOT_FOUND', { queryText: named })).body.message).toContain(
      'Query id ID_NOT_FOUND not found',
    );

    const policy = await call('POST', '/Policies', {
      evaluatorId: 'Cloudtrail',
      policyId: '$account-clitest-1',
      policyType: 'Violation',
      queryId: 'LW_Custom_Keys',
      title: 'Access key created',
      enabled: true,
      description: 'A key was created.',
      remediation: 'Ask who did it.',
      severity: 'high',
      alertEnabled: true,
      alertProfile: 'LW_CloudTrail_Alerts',
      tags: ['team:platform'],
    });
    expect(policy.status).toBe(201);
    expect(policy.body.data.policyId).toBe('harborline-clitest-1');
    expect(
      (await call('PATCH', '/Policies', [{ policyId: 'harborline-clitest-1', enabled: true, severity: 'critical' }]))
        .body.data[0].severity,
    ).toBe('critical');
    const template = { name: 'Mine', eventName: 'e', description: '{{_POLICY_TITLE}}', subject: 's' };
    await call('POST', '/AlertProfiles', {
      alertProfileId: 'Custom_Profile',
      extends: 'LW_CloudTrail_Alerts',
      alerts: [template],
    });
    expect(
      (await call('PATCH', '/AlertProfiles/Custom_Profile/AlertTemplates/Mine', { subject: 't' })).body.data
        .alertProfileId,
    ).toBe('Custom_Profile');
    const atTemplate = '/AlertProfiles/Custom_Profile/AlertTemplates/Mine';
    const posted = await call('POST', atTemplate, { subject: 'u' });
    expect([posted.status, posted.body.data.alerts[0].subject]).toEqual([200, 'u']);
    expect(await call('POST', atTemplate)).toMatchObject({ status: 204, body: undefined });
    expect((await call('POST', atTemplate)).status).toBe(404);
    const agent = { tokenAlias: 'fleet', tokenEnabled: 1, props: { description: 'web' } };
    const { accessToken } = (await call('POST', '/AgentAccessTokens', agent)).body.data;
    const disabled = await call('PATCH', `/AgentAccessTokens/${accessToken}`, { ...agent, tokenEnabled: 0 });
    expect(disabled.body.data).toMatchObject({ tokenAlias: 'fleet', tokenEnabled: '0' });
    expect(
      (await call('POST', '/AlertProfiles', { alertProfileId: 'LW_Mine', extends: 'LW_CloudTrail_Alerts', alerts: [] }))
        .status,
    ).toBe(400);
    const alerts = await call('POST', '/Alerts/search', {
      timeFilter: { startTime: '2031-04-01T00:00:00Z' },
      filters: [{ field: 'severity', expression: 'eq', value: 'Critical' }],
    });
    expect(alerts.body.data.map((alert: { policyId: string }) => alert.policyId)).toContain('harborline-clitest-1');
    expect((await call('DELETE', '/Policies/harborline-clitest-1')).status).toBe(204);
    expect((await call('DELETE', '/Queries/LW_Custom_Keys')).status).toBe(204);
    expect((await call('GET', '/AgentAccessTokens')).status).toBe(204);
  });

  test('what those clients do beside the specification is refused where the specification rules', async () => {
    const { call } = await signIn();
    const alerts = [{ name: 'Mine', eventName: 'e', description: 'd', subject: 's' }];
    await call('POST', '/AlertProfiles', { alertProfileId: 'P', extends: 'SVC_HE_Machines', alerts });
    expect((await call('POST', '/AlertProfiles/P/AlertTemplates/Mine', { subject: 'u' })).status).toBe(405);
    const agent = { tokenAlias: 'fleet', tokenEnabled: 1 };
    const created = await call('POST', '/AgentAccessTokens', agent);
    // Numbers are understood in and are text out, whoever sends them.
    expect(created.body.data.tokenEnabled).toBe('1');
    const changed = await call('PATCH', `/AgentAccessTokens/${created.body.data.accessToken}`, agent);
    expect(changed.body.message).toBe('key tokenAlias is unrecognized');
    expect((await call('POST', '/Queries', { queryId: 'Q', queryText: '{\n}' })).status).toBe(400);
  });

  test('other names for the header and prefix are not understood', async () => {
    const { app } = await signIn({ vendorPrefix: 'LW' });
    const answer = await app.request(`${base}/access/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-SVC-UAKS': app.key.secret },
      body: JSON.stringify({ keyId: app.key.keyId }),
    });
    expect(answer.status).toBe(400);
  });
});

const shared = process.env['LQL_SHARED'] ?? path.resolve(import.meta.dirname, '../../../../shared');
const corpus = path.join(shared, 'corpus', 'queries.jsonl');

interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  readonly template: boolean;
  readonly parses: boolean;
}

describe('queries that people published', () => {
  test('run, or are refused with a reason, where their datasources exist', async (context) => {
    if (!existsSync(corpus)) return context.skip(`no corpus at ${corpus}`);
    const { app, execute } = await signIn({ vendorPrefix: 'LW' });
    const names = new Set(app.datasets.records().map((record) => record.name));
    const queries = readFileSync(corpus, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as CorpusQuery)
      .filter((query) => query.parses && !query.template);
    const counts = { present: 0, ran: 0, withRows: 0, rows: 0, absent: 0 };
    const refusals = new Map<string, number>();
    const unexplained: string[] = [];
    for (const query of queries) {
      const { query: tree } = parse(query.text).file;
      const used = [...query.text.matchAll(/\b(LW_[A-Z0-9]+(?:_[A-Za-z0-9]+)+|CloudTrailRawEvents)\b/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => /^(LW_(CFG|HE|HA|ACT|CE|APA)|CloudTrail)/.test(name));
      const present = tree !== undefined && used.length > 0 && used.every((name) => names.has(name));
      counts[present ? 'present' : 'absent']++;
      const range = [{ name: 'StartTimeRange', value: '2031-03-26T12:00:00.000Z' }];
      const { status, body } = await execute(query.text, { arguments: range });
      if (status === 200) {
        counts.ran++;
        counts.rows += body.data.length;
        if (body.data.length > 0) counts.withRows++;
        continue;
      }
      const reason = String(body?.message);
      if (status !== 400 || !/^Error: .{20,}/.test(reason)) {
        unexplained.push(`${query.id}: ${status} ${reason}`);
        continue;
      }
      // A refusal for want of a datasource is one that the list of datasources bears out.
      if (/^Error: Unable to translate due to: Unknown datasource/.test(reason) && present)
        unexplained.push(`${query.id}: ${reason}`);
      const short = reason.replace('Error: Unable to translate due to: ', '').slice(0, 120);
      refusals.set(short, (refusals.get(short) ?? 0) + 1);
    }
    const refused = [...refusals.values()].reduce((sum, count) => sum + count, 0);
    const list = [...refusals].map(([reason, count]) => `  ${count} × ${reason}`);
    console.log(
      `${queries.length} published queries: ${counts.present} have their datasources in the sample, ${counts.absent} have not; ` +
        `${counts.ran} ran, ${counts.withRows} of them with rows (${counts.rows} in all); ${refused} refused with a reason, ${unexplained.length} unexplained:\n${list.join('\n')}`,
    );
    expect(unexplained).toEqual([]);
    expect(counts.ran + refused).toBe(queries.length);
    expect(counts.ran).toBeGreaterThan(queries.length * 0.85);
  });
});
