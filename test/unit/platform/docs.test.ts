import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { toWireText } from '../../../server/core/language/format/wire.ts';
import { type RunningPlatform, startPlatform } from '../../../server/platform/index.ts';
import { signIn } from './signed-in.ts';

// What the guide shows is run as it stands there.
const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/local-platform.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');

type Row = Readonly<Record<string, unknown>>;

describe('the story of the guide', () => {
  test('can be followed from the stolen key to the bucket, in the order it happened', async () => {
    const { execute } = await signIn();
    const results: (readonly Row[])[] = [];
    for (const text of blocks('lql')) {
      const wire = toWireText(text);
      if (wire.kind !== 'ok') throw new Error(text);
      const { body } = await execute(wire.text);
      expect(body.message, text).toBeUndefined();
      expect(body.data.length, text).toBeGreaterThan(0);
      expect(body.data.length, text).toBeLessThan(150);
      results.push(body.data);
    }
    const [first, rights, keys, ports, logins, programs, files, calls, bindings, pods, bucket, paths] = results;
    expect(first?.some((row) => row['ERROR_CODE'] !== null)).toBe(true);
    expect(rights?.some((row) => String(row['PRINCIPAL_ID']).endsWith('/ci-deployer'))).toBe(true);
    expect(keys).toEqual([expect.objectContaining({ FOR_USER: 'svc-backup' })]);
    expect(logins?.map((row) => row['MACHINE'])).toEqual(['bastion-01', 'orders-api-02']);
    expect(programs?.map((row) => row['EXE_PATH'])).toEqual(['/tmp/.cache-8f2e/kworkerd']);
    expect(files?.map((row) => row['PATH'])).toContain('/etc/cron.d/sysstat-refresh');
    expect(new Set(calls?.map((row) => row['MACHINE']))).toEqual(new Set(['orders-api-02']));
    expect(bindings?.map((row) => row['BINDING'])).toContain('payments-debug');
    expect(pods?.some((row) => row['REQUESTED'] !== null)).toBe(true);
    expect(new Set(bucket?.map((row) => row['EVENT_NAME']))).toEqual(
      new Set(['PutBucketPolicy', 'GetObject', 'StopLogging']),
    );
    expect(paths?.map((row) => row['STEP'])).toEqual(expect.arrayContaining(['ci-deployer', 'svc-backup']));
    const began = (rows: readonly Row[] | undefined, column: string) =>
      Math.min(...(rows ?? []).map((row) => Date.parse(String(row[column]))));
    const order = [
      began(first, 'EVENT_TIME'),
      began(keys, 'EVENT_TIME'),
      began(ports, 'EVENT_TIME'),
      began(logins, 'LOGIN_TIME'),
      began(programs, 'PROCESS_START_TIME'),
      began(
        calls?.filter((row) => String(row['ASKED_FOR']).startsWith('telemetry.')),
        'RECORD_CREATED_TIME',
      ),
      began(
        pods?.filter((row) => row['REQUESTED'] !== null),
        'EVENT_TIME',
      ),
      began(bucket, 'EVENT_TIME'),
    ];
    expect(order).toEqual([...order].sort((left, right) => left - right));
  });
});

let platform: RunningPlatform | undefined;
afterEach(async () => {
  await platform?.stop();
  platform = undefined;
});

/** Runs a script of the guide in a shell; undefined where the machine has no shell or no curl. */
async function runScript(script: string, variables: Readonly<Record<string, string>>): Promise<string | undefined> {
  const child = spawn('bash', ['-c', `command -v curl >/dev/null || exit 77\n${script}`], {
    env: { PATH: process.env['PATH'] ?? '', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = await Promise.race([once(child, 'spawn'), once(child, 'error').then(() => undefined)]);
  if (started === undefined) return undefined;
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  const code = child.exitCode ?? (await once(child, 'exit'))[0];
  return code === 77 ? undefined : output;
}

test('a policy deployed by curl fires; its alert reads as the template says, is commented, and closes once', async (context) => {
  platform = await startPlatform({ rateLimit: false });
  const script = blocks('sh').find((text) => text.includes('/Policies')) ?? '';
  const { url, keyId, secret } = platform;
  const output = await runScript(script, { URL: url, KEY_ID: keyId, SECRET: secret });
  if (output === undefined) return context.skip('no bash or no curl here');
  const answers = output
    .trim()
    .split('\n')
    .map((line) => {
      const [, text = '', status = ''] = /^(.*) (\d{3})$/.exec(line) ?? [];
      return { status: Number(status), body: text === '' ? undefined : JSON.parse(text) };
    });
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 204, 409]);
  const details = answers[3]?.body.data;
  const instance = /^arn:aws:ec2:eu-west-1:\d{12}:instance\/i-\w+$/;
  expect(details).toMatchObject({
    alertName: 'Metadata without a token',
    severity: 'Low',
    status: 'Open',
    policyId: 'harborline-metadata-1',
  });
  const [, resource = ''] = /^(.*) gives its credentials away$/.exec(details.alertInfo.subject) ?? [];
  expect(resource).toMatch(instance);
  expect(details.alertInfo.description).toBe(
    `Instance metadata without a token: seen in account ${resource.split(':')[4]}`,
  );
  expect(answers[4]?.body.data.message).toEqual({
    format: 'Plaintext:1.0',
    value: 'The launch template is being changed.',
  });
  expect(answers[6]?.body.message).toContain('closed already');
});
