import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { createSecret, type Secret } from '../api/transport/redact.ts';
import { type CliIo, CommandError, UsageError } from './io.ts';

/** How to reach an account, out of the vendor CLI's profile file and environment variables. Both are only ever read. */
export interface AccountProfile {
  readonly origin: string;
  /** The account's own name where the address does not begin with it: with LW_API_SERVER_URL. The extension's profiles call it `account`. */
  readonly account: string | undefined;
  readonly keyId: string;
  readonly secret: Secret;
  readonly subAccount: string | undefined;
  readonly organization: boolean;
}

const fileName = '.lacework.toml';
const domain = 'lacework.net';

/**
 * The profile of a name: its table in the file, over which the environment goes, as in the vendor's own tool. A profile that the file lacks
 * is complete all the same when the environment says everything.
 */
export async function readProfile(name: string, io: CliIo): Promise<AccountProfile> {
  const file = path.join(io.homeDirectory, fileName);
  const table = (await readTables(file)).get(name);
  const account = textOf(io.env['LW_ACCOUNT']) ?? table?.get('account');
  const server = textOf(io.env['LW_API_SERVER_URL']);
  const keyId = textOf(io.env['LW_API_KEY']) ?? table?.get('api_key');
  const secret = textOf(io.env['LW_API_SECRET']) ?? table?.get('api_secret');
  if (!table && !keyId) {
    throw new UsageError(`There is no profile '${name}' in ${file}, and the environment names no API key.`);
  }
  if (!keyId || !secret)
    throw new CommandError(`The profile '${name}' has no API key: api_key and api_secret are needed.`);
  if (!server && !account) throw new CommandError(`The profile '${name}' names no account.`);
  return {
    origin: server ?? originOf(account ?? ''),
    account: server === undefined ? undefined : account?.split('.')[0],
    keyId,
    secret: createSecret(secret),
    subAccount: textOf(io.env['LW_SUBACCOUNT']) ?? table?.get('subaccount'),
    organization: textOf(io.env['LW_ORGANIZATION'])?.toLowerCase() === 'true',
  };
}

/** The tables of the file: the texts of each, by key. A missing file has none. */
async function readTables(file: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch {
    return new Map();
  }
  let document: Readonly<Record<string, unknown>>;
  try {
    document = parseToml(content);
  } catch {
    // The parser's message quotes lines of the file, and those hold secrets.
    throw new CommandError(`${file} is not valid TOML. Correct it, or set the LW_ environment variables.`);
  }
  return new Map(
    Object.entries(document).flatMap(([name, table]) =>
      typeof table === 'object' && table !== null ? [[name, textsOf(table)] as const] : [],
    ),
  );
}

function textsOf(table: object): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

function originOf(account: string): string {
  const host = account.replace(/^https?:\/\//, '').replace(/\/.*$/, '');
  return `https://${host.endsWith(`.${domain}`) ? host : `${host}.${domain}`}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
