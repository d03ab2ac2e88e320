import { parse } from 'smol-toml';
import { createSecret, type Secret } from '../../../server/api/transport/redact.ts';
import { parseOrigin } from './profile.ts';

/** An account found in what the vendor's own command line tool keeps.  */
export interface FoundAccount {
  readonly name: string;
  readonly origin: string;
  readonly subAccount: string | undefined;
  readonly keyId: string;
  readonly secret: Secret;
}

export interface FoundAccounts {
  readonly accounts: readonly FoundAccount[];
  /** Sections that cannot be used, each with the reason. */
  readonly problems: readonly string[];
}

/** Reads the tool's profile file: a TOML table a profile, with `account`, `api_key`, `api_secret` and perhaps `subaccount`. */
export function accountsFromToml(text: string): FoundAccounts {
  let tables: Readonly<Record<string, unknown>>;
  try {
    tables = parse(text);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : '').split('\n');
    return { accounts: [], problems: [`The file is not valid TOML. ${reason}`] };
  }
  const accounts: FoundAccount[] = [];
  const problems: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    const found =
      typeof table === 'object' && table !== null ? accountOf(name, { ...table }) : `'${name}' is not a profile.`;
    if (typeof found === 'string') problems.push(found);
    else accounts.push(found);
  }
  return { accounts, problems };
}

/** The account that the tool's environment variables describe; undefined when they describe none. */
export function accountFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): FoundAccount | undefined {
  const found = accountOf('environment', {
    account: environment['LW_ACCOUNT'],
    subaccount: environment['LW_SUBACCOUNT'],
    api_key: environment['LW_API_KEY'],
    api_secret: environment['LW_API_SECRET'],
  });
  return typeof found === 'string' ? undefined : found;
}

/** The key file that the console offers for download: `keyId`, `secret`, `account` and perhaps `subAccount`. */
export function accountFromKeyFile(text: string): FoundAccount | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The file is not JSON. Choose the key file that the console downloaded when the key was made.';
  }
  if (typeof value !== 'object' || value === null) return 'The file holds no key.';
  const { keyId, secret, account, subAccount }: Readonly<Record<string, unknown>> = { ...value };
  const host = typeof account === 'string' ? (account.split('.')[0] ?? account) : 'account';
  return accountOf(host, { account, subaccount: subAccount, api_key: keyId, api_secret: secret });
}

const vendorDomain = 'lacework.net';

function accountOf(name: string, fields: Readonly<Record<string, unknown>>): FoundAccount | string {
  const text = (key: string): string | undefined => {
    const value = fields[key];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const account = text('account');
  const keyId = text('api_key');
  const secret = text('api_secret');
  if (!account) return `'${name}' names no account.`;
  if (!keyId || !secret) return `'${name}' has no API key.`;
  const origin = parseOrigin(account.endsWith(`.${vendorDomain}`) ? account : `${account}.${vendorDomain}`);
  if (origin.kind === 'refused') return `'${name}': ${origin.reason}`;
  return { name, origin: origin.origin, subAccount: text('subaccount'), keyId, secret: createSecret(secret) };
}
