import { describe, expect, test } from 'vitest';
import { createClock, noon, signIn } from './signed-in.ts';

const hour = 3_600_000;
const text =
  "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'CreateAccessKey' } return { INSERT_ID, EVENT_TIME, EVENT:userIdentity.userName::String as userName } }";
const range = (start: number, end: number) => ({
  arguments: [
    { name: 'StartTimeRange', value: new Date(start).toISOString() },
    { name: 'EndTimeRange', value: new Date(end).toISOString() },
  ],
});

describe('queries', () => {
  test('live: create, get, list, change, run, delete', async () => {
    const clock = createClock();
    const { call } = await signIn({}, clock);
    const created = await call('POST', '/Queries', { queryId: 'Acme_Keys', queryText: text });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      queryId: 'Acme_Keys',
      queryText: text,
      lastUpdateTime: new Date(noon).toISOString(),
      resultSchema: [
        { name: 'INSERT_ID', dataType: 'Number' },
        { name: 'EVENT_TIME', dataType: 'Timestamp' },
        { name: 'USERNAME', dataType: 'String' },
      ],
    });
    expect(await call('POST', '/Queries', { queryId: 'Acme_Keys', queryText: text })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('already exists') },
    });
    clock.advance(1000);
    const shorter = '{ source { CloudTrailRawEvents } return { INSERT_ID } }';
    const changed = await call('PATCH', '/Queries/Acme_Keys', { queryText: shorter });
    expect(changed.body.data).toMatchObject({
      queryText: shorter,
      lastUpdateTime: new Date(noon + 1000).toISOString(),
    });
    expect((await call('GET', '/Queries/Acme_Keys')).body.data.queryText).toBe(shorter);
    expect((await call('GET', '/Queries')).body.data.map((query: { queryId: string }) => query.queryId)).toContain(
      'Acme_Keys',
    );
    const run = await call('POST', '/Queries/Acme_Keys/execute', { options: { limit: 3 } });
    expect(run.body.data).toHaveLength(3);
    expect(await call('DELETE', '/Queries/Acme_Keys')).toMatchObject({ status: 204, body: undefined });
    expect((await call('GET', '/Queries/Acme_Keys')).body.message).toBe('Query id Acme_Keys not found');
    expect((await call('POST', '/Queries/Acme_Keys/execute', {})).status).toBe(404);
  });

  test('those of the vendor are listed, run, and cannot be changed or taken', async () => {
    const { call } = await signIn();
    const { body } = await call('GET', '/Queries');
    const vendor = body.data.filter((query: { queryId: string }) => query.queryId.startsWith('SVC_Global_'));
    expect(vendor.length).toBeGreaterThan(3);
    for (const query of vendor) {
      expect(query.resultSchema.length, query.queryId).toBeGreaterThan(0);
      const run = await call('POST', `/Queries/${query.queryId}/execute`, range(noon - 24 * hour, noon));
      expect(run.body.data?.length, query.queryId).toBeGreaterThan(0);
    }
    expect((await call('PATCH', `/Queries/${vendor[0].queryId}`, { queryText: text })).status).toBe(403);
    expect((await call('DELETE', `/Queries/${vendor[0].queryId}`)).status).toBe(403);
    expect((await call('POST', '/Queries', { queryId: 'SVC_Global_Mine', queryText: text })).status).toBe(400);
  });

  test('ids are names of their own, even those that objects have anyway', async () => {
    const { call } = await signIn();
    expect((await call('GET', '/Queries/constructor')).status).toBe(404);
    expect((await call('POST', '/Queries', { queryId: '__proto__', queryText: text })).status).toBe(201);
    expect((await call('GET', '/Queries/__proto__')).body.data?.queryId).toBe('__proto__');
  });
});

describe('validation', () => {
  test('gives the columns of the result', async () => {
    const { call } = await signIn();
    const { body } = await call('POST', '/Queries/validate', { queryText: text });
    expect(body.data.resultSchema.map((column: { name: string }) => column.name)).toEqual([
      'INSERT_ID',
      'EVENT_TIME',
      'USERNAME',
    ]);
  });

  test.each([
    ['no query', 'hello'],
    ['half a query', '{ source { CloudTrailRawEvents } return {'],
    ['unknown datasource', '{ source { SVC_CFG_AWS_NOTHING } return { A } }'],
    ['unknown column', '{ source { CloudTrailRawEvents } return { NOTHING } }'],
    ['no relationship', '{ source { CloudTrailRawEvents e with SVC_HE_MACHINES m } return { e.INSERT_ID } }'],
  ])('refuses %s with 400 and a reason', async (_, queryText) => {
    const { call } = await signIn();
    const answer = await call('POST', '/Queries/validate', { queryText });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(/^Error: Unable to translate due to: .{10,}/);
  });

  test('line breaks are refused, and kept as sent behind the switch', async () => {
    const lines = '{\n  source { CloudTrailRawEvents } -- all of them\n  return { INSERT_ID }\n}';
    const strict = await signIn();
    expect(await strict.call('POST', '/Queries/validate', { queryText: lines })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('line breaks') },
    });
    const lenient = await signIn({ vendorPrefix: 'LW' });
    const created = await lenient.call('POST', '/Queries', { queryId: 'Lines', queryText: lines });
    expect(created.body.data.queryText).toBe(lines);
  });

  test('a text of 72,000 characters is read, a longer one is not', async () => {
    const { call } = await signIn();
    const padded = (length: number) => '{ source { CloudTrailRawEvents } return { INSERT_ID } }'.padEnd(length);
    expect((await call('POST', '/Queries/validate', { queryText: padded(72_000) })).status).toBe(200);
    expect((await call('POST', '/Queries/validate', { queryText: padded(72_001) })).status).toBe(400);
  });
});

describe('execution', () => {
  test('names columns in capitals, writes times with milliseconds, keeps integers exact and nulls', async () => {
    const { execute } = await signIn();
    const { body } = await execute(
      '{ source { SVC_HE_PROCESSES } return { MID, PID_HASH as hash, PROCESS_START_TIME } }',
    );
    expect(Object.keys(body.data[0])).toEqual(['MID', 'HASH', 'PROCESS_START_TIME']);
    expect(body.data[0].PROCESS_START_TIME).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body.data.some((row: { HASH: unknown }) => typeof row.HASH === 'bigint')).toBe(true);
    const errors = await execute(
      '{ source { CloudTrailRawEvents } filter { ERROR_CODE is null } return { ERROR_CODE } }',
    );
    expect(errors.body.data[0]).toEqual({ ERROR_CODE: null });
  });

  test('covers the last 24 hours by default, start included and end excluded', async () => {
    const { execute } = await signIn();
    const times = async (options: object) =>
      (await execute('{ source { CloudTrailRawEvents } return { EVENT_TIME } }', options)).body.data.map(
        (row: { EVENT_TIME: string }) => Date.parse(row.EVENT_TIME),
      );
    const usual: number[] = await times({});
    expect(Math.min(...usual)).toBeGreaterThanOrEqual(noon - 24 * hour);
    const [one = 0] = usual;
    expect(await times(range(one, one + 1))).toContain(one);
    expect(await times(range(one - 1000, one))).not.toContain(one);
    const week: number[] = await times(range(noon - 7 * 24 * hour, noon));
    expect(week.length).toBeGreaterThan(usual.length * 4);
    expect(
      (await times({ arguments: [{ name: 'EndTimeRange', value: new Date(noon - 48 * hour).toISOString() }] })).every(
        (time: number) => time < noon - 48 * hour && time >= noon - 72 * hour,
      ),
    ).toBe(true);
  });

  test('configuration shows the last collection of the range, and nothing without one', async () => {
    const { execute } = await signIn();
    const buckets = async (start: number, end: number) =>
      (await execute('{ source { SVC_CFG_AWS_S3 } return { RESOURCE_ID, BATCH_END_TIME } }', range(start, end))).body
        .data;
    const day = await buckets(noon - 24 * hour, noon);
    expect(await buckets(noon - 7 * 24 * hour, noon)).toEqual(day);
    expect(new Set(day.map((row: { RESOURCE_ID: string }) => row.RESOURCE_ID)).size).toBe(day.length);
    expect(await buckets(noon - 2 * hour, noon)).toEqual([]);
    const older = await buckets(noon - 7 * 24 * hour, noon - 24 * hour);
    expect(older.length).toBeGreaterThan(0);
    expect(older[0].BATCH_END_TIME < day[0].BATCH_END_TIME).toBe(true);
  });

  test('returns at most 5,000 rows, fewer when asked', async () => {
    const { execute } = await signIn({ sample: 'lab' });
    const query = '{ source { SVC_HA_FILE_CHANGES } return { PATH } }';
    const week = range(noon - 7 * 24 * hour, noon);
    expect((await execute(query, week)).body.data).toHaveLength(5_000);
    expect((await execute(query, { ...week, options: { limit: 4_999 } })).body.data).toHaveLength(4_999);
    expect((await execute(query, { ...week, options: { limit: 5_001 } })).body.data).toHaveLength(5_000);
    expect((await execute(query, { ...week, options: { limit: 0 } })).status).toBe(400);
  });

  test.each([
    ['a time in another format', [{ name: 'StartTimeRange', value: '-24h' }], 'yyyy-MM-dd'],
    ['a day that does not exist', [{ name: 'StartTimeRange', value: '2031-02-30' }], 'yyyy-MM-dd'],
    ['an unknown argument', [{ name: 'Since', value: '2031-04-01' }], 'Since'],
    [
      'a start after the end',
      [
        { name: 'StartTimeRange', value: '2031-04-02' },
        { name: 'EndTimeRange', value: '2031-04-01' },
      ],
      'before',
    ],
  ])('refuses %s', async (_, list, reason) => {
    const { execute } = await signIn();
    const answer = await execute(text, { arguments: list });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(reason);
  });

  test('takes all four time formats', async () => {
    const { execute } = await signIn();
    for (const value of ['2031-04-01', '2031-04-01T08', '2031-04-01T08:00:00Z', '2031-04-01T08:00:00.000Z']) {
      expect((await execute(text, { arguments: [{ name: 'StartTimeRange', value }] })).status).toBe(200);
    }
  });

  test('ends soon after the client is gone', async () => {
    const { app, token } = await signIn({ sample: 'lab' });
    const controller = new AbortController();
    const query =
      "{ source { SVC_HA_CONNECTION_SUMMARY } filter { ENDPOINT_DETAILS rlike '.*nothing.*like.*this.*' } return { NUM_CONNS } }";
    const running = app.request(
      new Request('http://platform.test/api/v2/Queries/execute', {
        method: 'POST',
        signal: controller.signal,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: { queryText: query }, ...range(noon - 7 * 24 * hour, noon) }),
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = process.cpuUsage();
    controller.abort();
    expect((await running).status).toBe(503);
    const { user, system } = process.cpuUsage(before);
    // Time that this process worked, in microseconds: what else the machine does counts for nothing.
    expect(user + system).toBeLessThan(150_000);
  });
});

describe('a large table', () => {
  test('is made while others are served', async () => {
    const { call, execute } = await signIn({ sample: 'lab' });
    await execute('{ source { SVC_CFG_AWS_S3 } return { ARN } }');
    let finished = false;
    const running = execute(
      "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'StopLogging' } return { INSERT_ID } }",
    ).then((answer) => {
      finished = true;
      return answer;
    });
    let served = 0;
    while (!finished) {
      expect((await call('GET', '/ContractInfo')).status).toBe(200);
      served++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await running).body.data).toHaveLength(1);
    expect(served).toBeGreaterThan(10);
  });
});

describe('datasources and schemas', () => {
  test('list everything inline, or without columns, which then come from the schemas', async () => {
    const whole = await signIn();
    const listed = (await whole.call('GET', '/Datasources')).body.data;
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.every((entry: { resultSchema: unknown[] }) => entry.resultSchema.length > 0)).toBe(true);
    const bare = await signIn({ columnless: true });
    const names = (await bare.call('GET', '/Datasources')).body.data;
    expect(names.every((entry: object) => !('resultSchema' in entry))).toBe(true);
    const [schema] = (await bare.call('GET', '/schemas/Entities/MachineDetails')).body;
    expect(Object.keys(schema.properties)).toContain('hostname');
  });

  test('names follow the vendor prefix, but for the one that has none', async () => {
    const { call, execute } = await signIn({ vendorPrefix: 'LW' });
    const names: string[] = (await call('GET', '/Datasources')).body.data.map((entry: { name: string }) => entry.name);
    expect(names).toContain('LW_CFG_AWS_S3');
    expect(names).toContain('CloudTrailRawEvents');
    expect(names.some((name) => name.startsWith('SVC_'))).toBe(false);
    const joined = await execute(
      '{ source { LW_HA_DNS_REQUESTS d with LW_HE_MACHINES m } return distinct { m.HOSTNAME as MACHINE } }',
    );
    expect(joined.body.data.length).toBeGreaterThan(5);
    expect((await call('GET', '/Datasources/LW_CFG_AWS_S3')).body.data.sourceRelationships[0].to).toMatch(/^LW_/);
    expect((await call('GET', '/Datasources/SVC_CFG_AWS_S3')).status).toBe(404);
  });

  test('schemas are listed by type and subtype, and unknown ones name the known', async () => {
    const { call } = await signIn();
    const types: string[] = (await call('GET', '/schemas')).body;
    for (const type of types) {
      const { status, body } = await call('GET', `/schemas/${type}`);
      expect(status, type).toBe(200);
      expect('properties' in body || 'oneOf' in body, type).toBe(true);
    }
    expect((await call('GET', '/schemas/Audits')).body.message).toMatch(
      /^Invalid type: Audits. Available type\(s\): \[.*AuditLogs/,
    );
    expect((await call('GET', '/schemas/AlertChannels/Slack')).body.message).toContain('Available subtype(s): [AwsS3');
    const [slack] = (await call('GET', '/schemas/AlertChannels/SlackChannel')).body;
    expect(slack.properties.type.enum).toEqual(['SlackChannel']);
    expect((await call('GET', '/schemas/MACHINE_DETAILS_V')).body[0].properties.hostname).toBeDefined();
  });
});
