import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { toWireText } from '../../../server/core/language/format/wire.ts';
import { type Parsed, type SignedIn, signIn } from './signed-in.ts';

const folder = path.join(import.meta.dirname, '../../../examples');

function documents(name: string): readonly (readonly [string, Parsed])[] {
  const files = readdirSync(path.join(folder, name)).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => [`${name}/${file}`, parse(readFileSync(path.join(folder, name, file), 'utf8'))]);
}

const policies = documents('policies');
const profiles = documents('alert-profiles');
const queries = documents('queries');

describe('example content', () => {
  let platform: SignedIn;
  beforeAll(async () => {
    platform = await signIn();
    for (const [file, { queryId, queryText }] of queries) {
      const wire = toWireText(queryText);
      if (wire.kind !== 'ok') throw new Error(wire.diagnostics[0]?.message);
      const { status, body } = await platform.call('POST', '/Queries', { queryId, queryText: wire.text });
      expect(status, `${file}: ${JSON.stringify(body)}`).toBe(201);
    }
    for (const [file, profile] of profiles) {
      expect((await platform.call('POST', '/AlertProfiles', profile)).status, file).toBe(201);
    }
  });

  test.each(policies)('%s is deployed, fires, and its alert is worded by its template', async (_, policy) => {
    const created = await platform.call('POST', '/Policies', policy);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { policyId } = created.body.data;
    expect(policyId).toBe(policy.policyId.replace('$account', 'harborline'));
    const alerts = (await platform.call('POST', '/Alerts/search', {})).body.data;
    const alert = alerts.find((candidate: { policyId: string }) => candidate.policyId === policyId);
    expect(alert, 'no alert').toBeDefined();
    expect(alert.alertInfo.subject).not.toMatch(/\{\{|\}\}/);
    expect(alert.alertInfo.subject.trim()).not.toBe('');
    const events = (await platform.call('GET', `/Alerts/${alert.alertId}?scope=Events`)).body.data;
    expect(events.length).toBeGreaterThan(0);
  });

  test('the bucket that was opened is named in words of our own', async () => {
    const alerts = (await platform.call('POST', '/Alerts/search', {})).body.data;
    expect(alerts.map((alert: Parsed) => alert.alertInfo.subject)).toContain(
      'Bucket arn:aws:s3:::harborline-customer-exports is public',
    );
  });

  test('the README lists every file', () => {
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8');
    for (const [file] of [...queries, ...policies, ...profiles]) expect(readme).toContain(`(${file})`);
  });
});
