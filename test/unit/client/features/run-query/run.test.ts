import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { run, uncheckedWireText } = await import('../../../../../client/features/run-query/run.ts');
const { accountKey } = await import('../../../../../client/infrastructure/session/catalog-cache.ts');
const { localProfile } = await import('../../../../../client/infrastructure/session/profile.ts');
const { UserError } = await import('../../../../../client/infrastructure/errors.ts');
type RunRequest = Parameters<typeof run>[0];
type RunTools = Parameters<typeof run>[1];

const day = 86_400_000;
const request: RunRequest = {
  wireText: '{ source { A } return { B } }',
  account: { key: accountKey(localProfile), label: 'Local platform' },
  window: { startTime: 0, endTime: 30 * day, label: 'last 30 days' },
  arguments: [],
  limit: undefined,
  sliceMs: undefined,
  doubts: [],
  again: (changes) => ({ command: 'lql.runQuery', arguments: [changes] }),
};

const sent: { readonly startTime: number; readonly endTime: number }[] = [];
const said: { note?: string | undefined; actions?: readonly string[] | undefined; failure?: unknown } = {};
beforeEach(() => {
  sent.length = 0;
  for (const key of ['note', 'actions', 'failure'] as const) delete said[key];
});

function tools(answer: () => readonly object[]): RunTools {
  const execute = async (execution: { startTime: number; endTime: number }) => {
    sent.push(execution);
    return answer();
  };
  const view = {
    succeeded: (_rows: unknown, _duration: number, note?: string, actions?: readonly { title: string }[]) => {
      said.note = note;
      said.actions = actions?.map(({ title }) => title);
    },
    failed: (failure: unknown) => {
      said.failure = failure;
    },
    cancelled: () => undefined,
  };
  const session = { profile: localProfile, withApi: async (work: (api: object) => unknown) => work({ execute }) };
  const log = { warn: () => undefined };
  return { session, log, view, signal: new AbortController().signal } as unknown as RunTools;
}

test('a refused length is answered with an offer that says beforehand what slices cost', async () => {
  const outcome = await run(
    request,
    tools(() => {
      throw new UserError('The service refused the query: the time range must not exceed 7 days', [], { status: 400 });
    }),
  );
  expect(sent).toHaveLength(1);
  expect(outcome).toMatchObject({ kind: 'failed', aboutText: false });
  expect(said.failure).toMatchObject({
    message: expect.stringMatching(
      /exceed 7 days\. It can be run in 5 slices of at most 7 days instead: distinct, joins and subqueries are then evaluated in each slice by itself\.$/,
    ),
    action: { title: 'Run in Slices' },
  });
});

test('a run that waits is not sent to the account that the window goes over to meanwhile', async () => {
  const waiting = tools(() => [{ B: 1 }]);
  const acme = { kind: 'remote', name: 'acme', origin: 'https://acme.example.net', vendorPrefix: 'SVC' };
  const over = (): void => void Object.assign(waiting.session, { profile: acme });
  const { withApi } = waiting.session;
  // The second slice waits for the first: it is on its way while the window is switched.
  waiting.session.withApi = (work) => withApi((api) => work(api)).finally(over);
  const outcome = await run({ ...request, sliceMs: 7 * day }, waiting);
  expect(sent).toHaveLength(1);
  expect(outcome).toMatchObject({ kind: 'failed', aboutText: false });
  expect(said.failure).toEqual({
    message: 'Not sent, because the window went over to acme while this waited to be run on Local platform.',
    action: { title: 'Run Again', command: 'lql.runQuery', arguments: [{}] },
  });
});

test('a result that may be cut says what slices cost before it offers them', async () => {
  await run(
    request,
    tools(() => Array.from({ length: 5000 }, () => ({ B: 1 }))),
  );
  expect(said.note).toMatch(/^Exactly 5,000 rows came at once.* In slices, distinct, joins and subqueries are then/);
  expect(said.actions).toEqual(['Run in 5 Slices of 7 days']);
});

test('rows of a query in which the editor finds an error come with that error', async () => {
  const doubts = ["Unknown column 'C'.", "Unknown column 'D'."];
  expect(
    await run(
      { ...request, doubts },
      tools(() => [{ B: 1 }]),
    ),
  ).toMatchObject({ kind: 'succeeded' });
  expect(said.note).toBe(
    "The service ran this although the editor finds an error in the query: Unknown column 'C'. (and 1 more)",
  );
  expect(said.actions).toEqual(['Show Problems']);
});

test('rows that nothing is to be said of come without a note', async () => {
  await run(
    request,
    tools(() => [{ B: 1 }]),
  );
  expect(said.note).toBeUndefined();
  expect(said.actions).toEqual([]);
});

test('a text that the grammar refuses is sent on one line, without comments, its words untouched', async () => {
  const text = "{ -- what\n  source { A }\r\n  /* never\n mind */ filter { B ~~ 'x  --y' }\n  return {{ B }\n}\n";
  expect(await uncheckedWireText(text)).toBe("{ source { A } filter { B ~~ 'x  --y' } return {{ B } }");
});
