import { parse } from 'smol-toml';
import { createSecret, type Secret } from '../../../server/api/transport/redact.ts';
import { type ParsedOrigin, parseOrigin } from './profile.ts';

/** An account found in what the vendor's own command line tool keeps.  */
export interface FoundAccount {
  readonly name: string;
  readonly origin: string;
  /** The account's own name, where the address does not begin with it. */
  readonly account?: string | undefined;
  readonly subAccount: string | undefined;
  readonly organization: boolean;
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
    organization: environment['LW_ORGANIZATION'],
    server: environment['LW_API_SERVER_URL'],
  });
  return typeof found === 'string' ? undefined : found;
}

/** A key whose account nobody wrote beside it. */
type FoundKey = Pick<FoundAccount, 'keyId' | 'secret'>;

/**
 * The key file that the console offers for download: JSON with `keyId`, `secret`, `account` and perhaps `subAccount`, or text with lines
 * `apiId:` and `password:`, which names no account. A sentence where it is neither.
 */
export function readKeyFile(text: string): FoundAccount | FoundKey | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const lineOf = (name: string): string | undefined =>
      new RegExp(`^[ \\t]*${name}[ \\t]*:[ \\t]*(\\S+)[ \\t]*$`, 'im').exec(text)?.[1];
    const [keyId, secret] = [lineOf('apiId'), lineOf('password')];
    return keyId && secret
      ? { keyId, secret: createSecret(secret) }
      : 'The file holds no key. Choose the file, JSON or text, that the console downloaded when the key was made.';
  }
  if (typeof value !== 'object' || value === null) return 'The file holds no key.';
  const { keyId, secret, account, subAccount }: Readonly<Record<string, unknown>> = { ...value };
  const host = typeof account === 'string' ? (account.split('.')[0] ?? account) : 'account';
  return accountOf(host, { account, subaccount: subAccount, api_key: keyId, api_secret: secret });
}

/** The account of a key, by the account's name (`acme`, `acme.fra`) or address; a sentence where it is none. */
export function accountOfKey(account: string, { keyId, secret }: FoundKey): FoundAccount | string {
  const origin = originOf(account);
  if (origin.kind === 'refused') return origin.reason;
  const name = new URL(origin.origin).hostname.split('.')[0] ?? account;
  return { name, origin: origin.origin, subAccount: undefined, organization: false, keyId, secret };
}

const vendorDomain = 'lacework.net';

function accountOf(name: string, fields: Readonly<Record<string, unknown>>): FoundAccount | string {
  const text = (key: string): string | undefined => {
    const value = fields[key];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const account = text('account');
  const server = text('server');
  const keyId = text('api_key');
  const secret = text('api_secret');
  if (!account && !server) return `'${name}' names no account.`;
  if (!keyId || !secret) return `'${name}' has no API key.`;
  const origin = server ? parseOrigin(server) : originOf(account ?? '');
  if (origin.kind === 'refused') return `'${name}': ${origin.reason}`;
  const organization = text('organization')?.toLowerCase() === 'true';
  return {
    name,
    origin: origin.origin,
    ...(server && account ? { account: account.split('.')[0] } : {}),
    // The service ignores the sub-account in the organization view.
    subAccount: organization ? undefined : text('subaccount'),
    organization,
    keyId,
    secret: createSecret(secret),
  };
}

/** `acme`, `acme.fra`, `acme.lacework.net`, and what is an address of its own already. */
function originOf(account: string): ParsedOrigin {
  const isAddress = /^https?:\/\//i.test(account) || account.endsWith(`.${vendorDomain}`);
  return parseOrigin(isAddress ? account : `${account}.${vendorDomain}`);
}
