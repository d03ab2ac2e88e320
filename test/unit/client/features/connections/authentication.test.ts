import { expect, test, vi } from 'vitest';

const registered: { provider?: AccountsProvider } = {};
vi.mock('vscode', async () => ({
  ...(await import('../../../../support/fake-vscode.ts')),
  Disposable: { from: () => ({ dispose: () => undefined }) },
  authentication: {
    registerAuthenticationProvider: (_id: string, _label: string, provider: AccountsProvider) => {
      registered.provider = provider;
    },
  },
}));

interface AccountsProvider {
  getSessions(): Promise<readonly { id: string; accessToken: string; account: { label: string } }[]>;
  removeSession(id: string): Promise<void>;
}

const { registerAccountsMenu } = await import('../../../../../client/features/connections/authentication.ts');
type Session = Parameters<typeof registerAccountsMenu>[0];

const profile = {
  kind: 'remote',
  name: 'acme',
  origin: 'https://acme.example.net',
  vendorPrefix: 'SVC',
  subAccount: undefined,
  organization: false,
  environment: 'none',
  readOnly: false,
} as const;

test('what another extension gets of an account is an id that means nothing, and the name', async () => {
  const signedOut: string[] = [];
  const session = {
    profile,
    onDidChange: () => ({ dispose: () => undefined }),
    signedIn: async () => [profile],
    signOut: async ({ name }: { name: string }) => void signedOut.push(name),
  };
  registerAccountsMenu(session as unknown as Session);
  const sessions = (await registered.provider?.getSessions()) ?? [];
  const [entry] = sessions;
  expect(sessions).toEqual([
    { id: entry?.id, accessToken: entry?.id, account: { id: entry?.id, label: 'acme' }, scopes: [] },
  ]);
  expect(entry?.id).toMatch(/^[0-9a-f]{32}$/);
  await registered.provider?.removeSession('another');
  expect(signedOut).toEqual([]);
  await registered.provider?.removeSession(entry?.id ?? '');
  expect(signedOut).toEqual(['acme']);
});
