import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ApiClient, createApiClient } from '../api/client.ts';
import { accountNameOf, contentIdOf, localAccountName } from '../api/content/account-identity.ts';
import { parseOrigin } from '../api/origin.ts';
import { keepRateLimits, rateLimitFolder } from '../api/rate-limit-files.ts';
import { systemClock } from '../api/transport/clock.ts';
import { ApiError } from '../api/transport/errors.ts';
import { createRateLimits } from '../api/transport/rate-limits.ts';
import { createSecret } from '../api/transport/redact.ts';
import { createUndiciTransport, type UndiciTransportOptions } from '../api/transport/undici.ts';
import { type CliIo, CommandError } from './io.ts';
import { openLocalPlatform } from './local-platform.ts';
import { readProfile } from './profile.ts';

/** Where a command works: the account of a profile, or a local platform that lives as long as the command. */
export interface Account {
  readonly client: ApiClient;
  readonly vendorPrefix: string;
  /** `local` when nothing leaves this computer. */
  readonly kind: 'local' | 'remote';
  readonly name: string;
  /** Stable over time, whatever port a local platform listens on. */
  readonly contentId: string;
  /** What the service puts in front of chosen policy ids. */
  readonly accountName: string;
  /** Of a sub-account: the name of the account that the key belongs to. */
  readonly primaryName?: string | undefined;
}

export interface AccountOptions {
  readonly profile: string | undefined;
  readonly vendorPrefix: string | undefined;
  /** Folder of a local platform's state and own datasources. */
  readonly data: string | undefined;
  /** Commands that change something in an account say so; all others cannot. */
  readonly effect?: 'read' | 'write';
}

/** Runs work in an account and leaves nothing behind. Failures of calls become one sentence with a way on. */
export async function withAccount<T>(
  options: AccountOptions,
  io: CliIo,
  work: (account: Account) => Promise<T>,
): Promise<T> {
  const opened =
    options.profile === undefined ? await openLocal(options) : await openRemote(options.profile, options, io);
  try {
    return await work(opened.account);
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(`${error.message}\n${error.action}`);
    throw error;
  } finally {
    await opened.close();
  }
}

interface OpenedAccount {
  readonly account: Account;
  close(): Promise<void>;
}

async function openLocal({ vendorPrefix = 'SVC', data }: AccountOptions): Promise<OpenedAccount> {
  const platform = await openLocalPlatform({ vendorPrefix, dataFolder: data, rateLimit: false }, true);
  const client = createApiClient({
    origin: platform.url,
    vendorPrefix,
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: createUndiciTransport(),
  });
  const close = async (): Promise<void> => {
    await client.close();
    await platform.stop();
  };
  let contentId: string;
  try {
    contentId = `local-${await localAccountId(data)}`;
  } catch (error) {
    // A platform that nobody ends would keep the process alive for ever.
    await close();
    throw error;
  }
  return {
    account: {
      client,
      vendorPrefix,
      kind: 'local',
      name: 'local platform',
      contentId,
      accountName: localAccountName,
    },
    close,
  };
}

/** The platform keeps the id of its account beside its state. */
async function localAccountId(data: string | undefined): Promise<string> {
  if (data === undefined) return 'in-memory';
  const known: unknown = JSON.parse(await readFile(path.join(data, 'state', 'account.json'), 'utf8'));
  if (typeof known === 'object' && known !== null && 'accountId' in known) return String(known.accountId);
  throw new CommandError(
    `${path.join(data, 'state', 'account.json')} names no account. Start the local platform with another folder.`,
  );
}

async function openRemote(profileName: string, options: AccountOptions, io: CliIo): Promise<OpenedAccount> {
  const profile = await readProfile(profileName, io);
  const vendorPrefix = options.vendorPrefix ?? 'LW';
  const proxy = proxyOf(io.env);
  const rateLimits = createRateLimits({ clock: systemClock });
  const cache = path.join(io.env['XDG_CACHE_HOME'] ?? path.join(io.homeDirectory, '.cache'), 'lql-studio');
  const folder = rateLimitFolder(cache, parseOrigin(profile.origin), profile.keyId);
  const files = await keepRateLimits(rateLimits, folder, () => io.now());
  const client = createApiClient({
    origin: profile.origin,
    vendorPrefix,
    keyId: profile.keyId,
    secret: profile.secret,
    subAccount: profile.subAccount,
    organization: profile.organization,
    readOnly: options.effect !== 'write',
    rateLimits,
    transport: createUndiciTransport({ proxy }),
  });
  return {
    account: {
      client,
      vendorPrefix,
      kind: 'remote',
      name: client.origin.host,
      contentId: contentIdOf(client.origin, profile.subAccount),
      accountName: accountNameOf(client.origin, profile.subAccount, profile.account),
      primaryName:
        profile.subAccount === undefined ? undefined : accountNameOf(client.origin, undefined, profile.account),
    },
    close: async () => {
      await files.close();
      await client.close();
    },
  };
}

/** The proxy that the environment names, in the variables that every command-line tool reads. */
function proxyOf(env: CliIo['env']): UndiciTransportOptions['proxy'] {
  const url = env['https_proxy'] || env['HTTPS_PROXY'];
  if (!url) return undefined;
  // Its user and password may stand in it, so it is not quoted.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('HTTPS_PROXY is not the address of a proxy. Write it like http://proxy.acme.test:3128.');
  return { url, except: env['no_proxy'] || env['NO_PROXY'] };
}
