import { maxTokenSeconds } from '../../../server/core/resources/token-lifetime.ts';
import { parseString, type Setting } from '../setting.ts';

/** Where queries run. The local platform needs no account; every other profile names a service and an account on it. */
export type Profile = LocalProfile | RemoteProfile;

export interface LocalProfile {
  readonly kind: 'local';
  readonly name: string;
  readonly vendorPrefix: string;
}

export interface RemoteProfile {
  readonly kind: 'remote';
  /** Chosen by the person; unique. */
  readonly name: string;
  /** Origin of the service, e.g. `https://acme.example.net`: no path, no trailing slash. */
  readonly origin: string;
  /** `SVC` or `LW`: decides the names of headers and of the vendor's own objects. */
  readonly vendorPrefix: string;
  /** The account's own name, as its policy ids begin; the first part of the address when left out. */
  readonly account?: string | undefined;
  /** Sent as Account-Name. */
  readonly subAccount: string | undefined;
  /** Sends Org-Access; the service then ignores the sub-account, so the two exclude each other. */
  readonly organization: boolean;
  readonly environment: Environment;
  /** Refuses every write before it is sent. */
  readonly readOnly: boolean;
  /** Seconds that access tokens are asked to live; the client's default when left out. */
  readonly tokenSeconds?: number | undefined;
}

const environments = ['production', 'staging', 'development', 'none'] as const;
export type Environment = (typeof environments)[number];

export const localProfile: LocalProfile = { kind: 'local', name: 'Local platform', vendorPrefix: 'SVC' };

/** Profiles decide where a secret goes: they come from the user's own settings alone. */
export const profilesSetting: Setting<readonly unknown[]> = {
  key: 'lql.connections.profiles',
  fallback: [],
  parse: (value) => (Array.isArray(value) ? value : undefined),
  userOnly: true,
};

export interface ProfileProblem {
  readonly name: string;
  readonly message: string;
}

/** Reads the profiles out of the setting's value; entries that cannot be used are named, not dropped silently. */
export function parseProfiles(entries: readonly unknown[]): {
  readonly profiles: readonly RemoteProfile[];
  readonly problems: readonly ProfileProblem[];
} {
  const profiles: RemoteProfile[] = [];
  const problems: ProfileProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    const parsed = parseProfile(entry);
    const name = parsed.kind === 'profile' ? parsed.profile.name : (parsed.name ?? `profile ${index + 1}`);
    if (parsed.kind === 'problem') problems.push({ name, message: parsed.message });
    else if (name === localProfile.name || profiles.some((profile) => profile.name === name)) {
      problems.push({ name, message: `There is already a profile named '${name}'. Give this one another name.` });
    } else profiles.push(parsed.profile);
  }
  return { profiles, problems };
}

type ParsedProfile =
  | { readonly kind: 'profile'; readonly profile: RemoteProfile }
  | { readonly kind: 'problem'; readonly name: string | undefined; readonly message: string };

function parseProfile(entry: unknown): ParsedProfile {
  if (typeof entry !== 'object' || entry === null) {
    return { kind: 'problem', name: undefined, message: 'A profile is an object with a name and a baseUrl.' };
  }
  const fields: Readonly<Record<string, unknown>> = { ...entry };
  const name = parseString(fields['name']);
  const baseUrl = parseString(fields['baseUrl']);
  if (!name) return { kind: 'problem', name, message: 'The profile has no name.' };
  if (!baseUrl) return { kind: 'problem', name, message: 'The profile has no baseUrl, e.g. https://acme.example.net.' };
  const origin = parseOrigin(baseUrl);
  if (origin.kind === 'refused') return { kind: 'problem', name, message: origin.reason };
  const subAccount = parseString(fields['subAccount'])?.trim();
  const organization = fields['organization'] === true;
  if (organization && subAccount) {
    const message =
      'organization and subAccount exclude each other: the service ignores the sub-account in the organization view.';
    return { kind: 'problem', name, message };
  }
  const account = parseString(fields['account'])?.trim();
  if (account !== undefined && !accountName.test(account)) {
    const message = `account is the name that the account's policy ids begin with, e.g. acme: letters, digits, '-' and '_'.`;
    return { kind: 'problem', name, message };
  }
  const { tokenSeconds } = fields;
  if (tokenSeconds !== undefined && !isTokenLifetime(tokenSeconds)) {
    const message = `tokenSeconds is the life of access tokens in seconds: a whole number from ${minTokenSeconds} to ${maxTokenSeconds}.`;
    return { kind: 'problem', name, message };
  }
  return {
    kind: 'profile',
    profile: {
      kind: 'remote',
      name: name.trim(),
      origin: origin.origin,
      vendorPrefix: parseString(fields['vendorPrefix'])?.trim() ?? 'SVC',
      ...(account === undefined ? {} : { account }),
      subAccount,
      organization,
      environment: environments.find((item) => item === fields['environment']) ?? 'none',
      readOnly: fields['readOnly'] === true,
      ...(tokenSeconds === undefined ? {} : { tokenSeconds }),
    },
  };
}

const accountName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Shorter-lived tokens would be replaced all the time, at the cost of the request budget. */
const minTokenSeconds = 60;

function isTokenLifetime(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= minTokenSeconds && Number(value) <= maxTokenSeconds;
}

export type ParsedOrigin =
  | { readonly kind: 'origin'; readonly origin: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * The origin a person meant. A bare host gets `https`; plain `http` is accepted for this machine alone, because a key
 * sent over it elsewhere could be read on the way. Credentials in the address are refused: it would be stored in plain text.
 */
export function parseOrigin(text: string): ParsedOrigin {
  const refused = (reason: string): ParsedOrigin => ({ kind: 'refused', reason });
  const trimmed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme))
    return refused(`'${trimmed}' is not an address. Write it like https://acme.example.net.`);
  const url = new URL(withScheme);
  if (url.username || url.password) return refused('The address must not contain a user name or password.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refused('The address must begin with https://.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return refused('The address must begin with https://: over plain http your key could be read on the way.');
  }
  if ((url.pathname !== '/' && url.pathname !== '/api/v2' && url.pathname !== '/api/v2/') || url.search || url.hash) {
    return refused(`Only the origin belongs here: ${url.origin}.`);
  }
  return { kind: 'origin', origin: url.origin };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** How a profile is shown where there is room for one line: name, and what narrows it. */
export function profileLabel(profile: Profile): string {
  if (profile.kind === 'local') return profile.name;
  if (profile.organization) return `${profile.name} (organization)`;
  return profile.subAccount ? `${profile.name} › ${profile.subAccount}` : profile.name;
}
