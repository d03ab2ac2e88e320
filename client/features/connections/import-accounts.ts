import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../infrastructure/errors.ts';
import { plainLabel, plainMessage } from '../../infrastructure/plain-text.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import type { FoundAccount } from '../../infrastructure/session/vendor-cli-profiles.ts';
import { createQuestions } from './ask.ts';
import { addProfiles, askClass, freeName, type ProfileEntry, profileOf, tryKey } from './sign-in.ts';

/**
 * Takes over accounts that the vendor's command line tool already knows. Only those the person picks, and each key is
 * tried first. The tool's files are read and never written.
 */
export async function importAccounts(session: ApiSession): Promise<void> {
  const found = await findAccounts();
  const taken = new Set(session.profiles().profiles.map(({ name }) => name));
  const picked = await vscode.window.showQuickPick(
    [
      ...found.map((account) => ({
        label: plainLabel(account.name),
        description: plainLabel(account.subAccount ? `${account.origin} › ${account.subAccount}` : account.origin),
        account: async () => account,
      })),
      {
        label: '$(file) Choose a downloaded key file…',
        description: 'JSON or text, as the console gives it',
        account: fromKeyFile,
      },
    ],
    {
      title: 'Import an account',
      placeHolder: found.length > 0 ? 'Found on this computer' : 'Nothing was found on this computer',
    },
  );
  const account = await picked?.account();
  if (!account) return;
  const name = freeName(/^(?:default|environment)$/.test(account.name) ? hostOf(account) : account.name, taken);
  // The tool knows no production: whoever is asked once is warned from then on.
  const accountClass = await askClass(createQuestions(`Import ${name}`), undefined);
  if (!accountClass) return;
  const entry: ProfileEntry = {
    name,
    baseUrl: account.origin,
    vendorPrefix: 'LW',
    ...(account.account ? { account: account.account } : {}),
    ...(account.subAccount ? { subAccount: account.subAccount } : {}),
    ...(account.organization ? { organization: true } : {}),
    ...accountClass,
  };
  const { datasources } = await tryKey(session, profileOf(entry), { keyId: account.keyId, secret: account.secret });
  await addProfiles([entry]);
  void vscode.window.showInformationMessage(
    plainMessage(`Signed in to ${entry.name}: ${datasources.length} datasources.`),
  );
}

async function findAccounts(): Promise<readonly FoundAccount[]> {
  const { accountFromEnvironment, accountsFromToml } = await import(
    '../../infrastructure/session/vendor-cli-profiles.ts'
  );
  const fromEnvironment = accountFromEnvironment(process.env);
  const file = path.join(os.homedir(), '.lacework.toml');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UserError(`${file} cannot be read: ${messageOf(error)}.`);
  });
  const { accounts, problems } = accountsFromToml(text);
  if (problems.length > 0) void vscode.window.showWarningMessage(plainMessage(`${file}: ${problems.join(' ')}`));
  return fromEnvironment ? [fromEnvironment, ...accounts] : accounts;
}

async function fromKeyFile(): Promise<FoundAccount | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: 'Downloaded key file',
      filters: { 'Key files': ['json', 'txt'], 'All files': ['*'] },
      canSelectMany: false,
    })) ?? [];
  if (!file) return undefined;
  const { accountOfKey, readKeyFile } = await import('../../infrastructure/session/vendor-cli-profiles.ts');
  const found = readKeyFile(Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8'));
  if (typeof found === 'string') throw new UserError(found);
  if ('origin' in found) return found;
  const answer = await createQuestions('Import a key').text({
    prompt: `The account of the key ${found.keyId}`,
    placeholder: 'acme, acme.fra, or the address',
    check: (text) => {
      const checked = accountOfKey(text, found);
      return typeof checked === 'string' ? checked : undefined;
    },
  });
  const account = answer ? accountOfKey(answer, found) : undefined;
  return typeof account === 'string' ? undefined : account;
}

function hostOf({ account, origin }: FoundAccount): string {
  return account ?? new URL(origin).hostname.split('.')[0] ?? origin;
}
