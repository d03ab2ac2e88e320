import { expect, test, vi } from 'vitest';
import { createSecret } from '../../../../../server/api/transport/redact.ts';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { createApiSession } = await import('../../../../../client/infrastructure/session/api-session.ts');
const { UserError } = await import('../../../../../client/infrastructure/errors.ts');
const { EventEmitter } = await import('../../../../support/fake-vscode.ts');
type ApiSessionOptions = Parameters<typeof createApiSession>[0];
type AccountApi = Awaited<ReturnType<ApiSessionOptions['openApi']>>;
type RemoteProfile = Extract<Parameters<ReturnType<typeof createApiSession>['use']>[0], { kind: 'remote' }>;

const acme: RemoteProfile = {
  kind: 'remote',
  name: 'acme',
  origin: 'https://acme.example.net',
  vendorPrefix: 'LW',
  subAccount: undefined,
  organization: false,
  environment: 'none',
  readOnly: false,
};
const key = { keyId: 'KEY', secret: createSecret('SECRET-SECRET') };
const local = { origin: 'http://127.0.0.1:1', ...key };
const datasource = (name: string): object => ({ name });

interface SetUp {
  trusted?: boolean;
  accounts?: Partial<AccountApi>[];
  storedKey?: boolean;
  cached?: { fetchedAt: number; datasources: object[]; schemas: Record<string, never[]> };
}

function setUp({ trusted = true, accounts = [], storedKey = false, cached }: SetUp = {}) {
  const missing = new EventEmitter<{ version: string; datasources: readonly string[] }>();
  const platformEnd = new EventEmitter<void>();
  const language = { setCatalog: vi.fn(), addSchemas: vi.fn(), onMissingSchemas: missing.event };
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), protect: vi.fn() };
  const stored = new Map<string, typeof key>(storedKey ? [[acme.origin, key]] : []);
  const opened: unknown[][] = [];
  const queue = [...accounts];
  const startLocalPlatform = vi.fn(async () => local);
  const written: string[] = [];
  const caches = new Map<string, unknown>();
  const options = {
    language,
    log,
    cache: {
      read: async () => cached,
      write: async (account: string, catalog: unknown) => void caches.set(account, catalog),
    },
    credentials: {
      read: async ({ origin }: RemoteProfile) => {
        const found = stored.get(origin);
        return found && { origin, ...found };
      },
      store: async ({ origin }: RemoteProfile, given: typeof key) => void stored.set(origin, given),
      forget: async ({ origin }: RemoteProfile) => void stored.delete(origin),
    },
    startLocalPlatform,
    onDidLocalPlatformEnd: platformEnd.event,
    localPauseMs: 1,
    chosen: { read: () => undefined, write: async (name: string) => void written.push(name) },
    isTrusted: () => trusted,
    openApi: async (...given: unknown[]) => {
      opened.push(given);
      return {
        datasources: async () => [datasource('A')],
        schema: async () => undefined,
        execute: async () => [],
        close: async () => undefined,
        ...queue.shift(),
      };
    },
  };
  // Only what the session uses of its services is there.
  const session = createApiSession(options as object as ApiSessionOptions);
  return { session, language, missing, platformEnd, startLocalPlatform, opened, stored, written, caches };
}

test('an untrusted workspace starts nothing and asks nothing', async () => {
  const { session, startLocalPlatform, opened } = setUp({ trusted: false });
  await session.start();
  expect(session.state.kind).toBe('restricted');
  await expect(session.api()).rejects.toThrow(/not trusted/);
  await expect(session.signIn(acme, key)).rejects.toThrow(/not trusted/);
  expect(startLocalPlatform).not.toHaveBeenCalled();
  expect(opened).toEqual([]);
});

test('without an account the local platform is the one, and its catalog is called a sample', async () => {
  const { session, language, startLocalPlatform } = setUp();
  await session.start();
  expect(session.state).toMatchObject({ kind: 'ready', profile: { kind: 'local' }, catalog: { datasources: ['A'] } });
  expect(startLocalPlatform).toHaveBeenCalledOnce();
  expect(language.setCatalog).toHaveBeenLastCalledWith(
    expect.objectContaining({ origin: 'sample', vendorPrefix: 'SVC' }),
  );
});

test('a cached catalog serves the editor while the account is asked, and when it does not answer', async () => {
  const { session, language } = setUp({
    cached: { fetchedAt: 5, datasources: [datasource('OLD')], schemas: {} },
    accounts: [{ datasources: async () => Promise.reject(new UserError('The service failed (500).')) }],
  });
  await session.start();
  expect(language.setCatalog).toHaveBeenCalledWith(expect.objectContaining({ fetchedAt: 5 }));
  expect(session.state).toMatchObject({
    kind: 'failed',
    message: 'The service failed (500).',
    catalog: { datasources: ['OLD'], fetchedAt: 5 },
  });
});

test('a call that succeeds brings back a catalog that could not be read, with one request', async () => {
  const datasources = vi.fn(async () => [datasource('A')]);
  datasources.mockRejectedValueOnce(new UserError('The service failed (500).'));
  const { session } = setUp({ accounts: [{ datasources }] });
  await session.start();
  expect(session.state.kind).toBe('failed');
  await session.withApi((api) =>
    api.execute({ queryText: '', startTime: 0, endTime: 1, arguments: [], limit: undefined }),
  );
  await vi.waitFor(() => expect(session.state.kind).toBe('ready'));
  expect(datasources).toHaveBeenCalledTimes(2);
});

test('a local platform that is gone is started again and the call goes on, though not for ever', async () => {
  const gone = async (): Promise<never> => {
    throw new UserError('cannot be reached', [], { unreachable: true });
  };
  const { session, startLocalPlatform } = setUp({ accounts: [{ datasources: gone }] });
  await session.start();
  expect(session.state.kind).toBe('ready');
  expect(startLocalPlatform).toHaveBeenCalledTimes(2);

  const dead = setUp({ accounts: Array.from({ length: 20 }, () => ({ datasources: gone })) });
  await dead.session.start();
  expect(dead.session.state.kind).toBe('failed');
  expect(dead.startLocalPlatform.mock.calls.length).toBeLessThan(10);
});

test('a local platform that ended is not asked again before it is started again', async () => {
  const execute = vi.fn(async () => []);
  const { session, platformEnd, startLocalPlatform, opened } = setUp({ accounts: [{ execute }] });
  await session.start();
  platformEnd.fire();
  await session.withApi((api) =>
    api.execute({ queryText: '', startTime: 0, endTime: 1, arguments: [], limit: undefined }),
  );
  expect(execute).not.toHaveBeenCalled();
  expect(startLocalPlatform).toHaveBeenCalledTimes(2);
  expect(opened).toHaveLength(2);
});

test('a profile without a key is signed out, and no request is made', async () => {
  const { session, opened } = setUp();
  await session.use(acme);
  expect(session.state).toMatchObject({ kind: 'signed-out', profile: { name: 'acme' } });
  await expect(session.api()).rejects.toThrow(/not signed in/);
  expect(opened).toEqual([]);
});

test('a key that the service refuses is not kept', async () => {
  const refused = new UserError('refused (401)');
  const { session, stored, written } = setUp({ accounts: [{ datasources: async () => Promise.reject(refused) }] });
  await expect(session.signIn(acme, key)).rejects.toBe(refused);
  expect(stored.size).toBe(0);
  expect(written).toEqual([]);
  expect(session.profile.kind).toBe('local');
});

test('a good key is kept for its origin, and the window works on the account', async () => {
  const { session, stored, written, opened } = setUp();
  await session.signIn(acme, key);
  expect([...stored.keys()]).toEqual([acme.origin]);
  expect(written).toEqual(['acme']);
  expect(opened[0]?.[1]).toEqual({ origin: acme.origin, ...key });
  expect(session.profile).toBe(acme);
  await session.signOut(acme);
  expect(stored.size).toBe(0);
  expect(session.state.kind).toBe('signed-out');
});

test('an answer that arrives after the profile was switched is dropped', async () => {
  let answer = (_: object[]): void => undefined;
  const late = new Promise<object[]>((resolve) => {
    answer = resolve;
  });
  const { session, language, stored } = setUp({ accounts: [{ datasources: () => late }], storedKey: true });
  const starting = session.start();
  await vi.waitFor(() => expect(session.state.kind).toBe('connecting'));
  await session.use(acme);
  expect(stored.size).toBe(1);
  language.setCatalog.mockClear();
  answer([datasource('OF_THE_OLD_ACCOUNT')]);
  await starting;
  expect(language.setCatalog).not.toHaveBeenCalled();
  expect(session.state).toMatchObject({ kind: 'ready', profile: { name: 'acme' }, catalog: { datasources: ['A'] } });
});

test('a missing schema is asked for once, whatever comes back, and a failure is asked again', async () => {
  const schema = vi.fn(async (name: string) => {
    if (name === 'FAILS') throw new UserError('no');
    return name === 'A' ? [{ name: 'COLUMN', type: 'string' as const, description: undefined }] : undefined;
  });
  const { session, language, missing } = setUp({ accounts: [{ schema }] });
  await session.start();
  const version: string = language.setCatalog.mock.lastCall?.[0].version;
  const ask = async (...datasources: string[]): Promise<void> => {
    missing.fire({ version, datasources });
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  await ask('A', 'NONE', 'FAILS');
  await ask('A', 'NONE', 'FAILS');
  expect(schema.mock.calls.map(([name]) => name)).toEqual(['A', 'NONE', 'FAILS', 'FAILS']);
  expect(language.addSchemas).toHaveBeenCalledWith({
    version,
    schemas: { A: [expect.objectContaining({ name: 'COLUMN' })] },
  });
  expect(language.addSchemas).toHaveBeenCalledWith({ version, schemas: { NONE: [] } });
  expect(await session.columnsOf('A')).toHaveLength(1);
  expect(await session.columnsOf('NONE')).toBeUndefined();
});

test('schemas for a catalog that has been replaced are not asked for', async () => {
  const schema = vi.fn(async () => undefined);
  const { session, missing } = setUp({ accounts: [{ schema }] });
  await session.start();
  missing.fire({ version: 'another', datasources: ['A'] });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(schema).not.toHaveBeenCalled();
});
