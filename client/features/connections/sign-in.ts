import * as vscode from 'vscode';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import {
  type Environment,
  parseOrigin,
  parseProfiles,
  profilesSetting,
  type RemoteProfile,
} from '../../infrastructure/session/profile.ts';
import type { ApiKey } from '../../infrastructure/session/session.ts';
import { readSetting, writeUserSetting } from '../../infrastructure/settings.ts';
import { type Choice, createQuestions, type Questions } from './ask.ts';

/** What a profile looks like in the user's settings. */
export interface ProfileEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly vendorPrefix: string;
  readonly account?: string;
  readonly subAccount?: string;
  readonly organization?: true;
  readonly environment?: Environment;
  readonly readOnly?: true;
}

/** Signs in to a profile that exists, or asks for a new one first. The key is tried before anything is kept. */
export async function signIn(session: ApiSession, name: string | undefined): Promise<void> {
  const known = session.profiles().profiles.find((profile) => profile.name === name);
  if (known?.kind === 'local') {
    await session.use(known);
    return;
  }
  const questions = createQuestions(known ? `Sign in to ${known.name}` : 'Sign in to an account');
  let entry: ProfileEntry | undefined;
  for (;;) {
    entry = known ? undefined : await askProfile(questions, takenNames(session), entry);
    const profile = known ?? (entry && profileOf(entry));
    if (!profile) return;
    const outcome = await askUntilGood(session, questions, profile, entry !== undefined);
    if (outcome.kind === 'left') return;
    if (outcome.kind === 'change') continue;
    if (entry) await addProfiles([entry]);
    void vscode.window.showInformationMessage(
      plainMessage(
        `Signed in to ${profile.name}: ${outcome.datasources.length} datasources. The key is kept in VS Code's secret storage, for ${profile.origin} alone.`,
      ),
    );
    return;
  }
}

type Attempt =
  | { readonly kind: 'good'; readonly datasources: readonly string[] }
  /** Something else than the key is to blame, and the person wants to answer anew. */
  | { readonly kind: 'change' }
  | { readonly kind: 'left' };

/** Asks for the key until the service takes it; what was typed right is not asked for again. */
async function askUntilGood(
  session: ApiSession,
  questions: Questions,
  profile: RemoteProfile,
  isNew: boolean,
): Promise<Attempt> {
  let key: ApiKey | undefined;
  let keyRefused = true;
  for (;;) {
    if (!key || keyRefused) key = await askKey(questions, profile, key?.keyId);
    if (!key) return { kind: 'left' };
    try {
      return { kind: 'good', datasources: (await tryKey(session, profile, key)).datasources };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // A key that never got to the service need not be typed again.
      keyRefused = error.status === 401 || error.status === 403;
      const [again, change] = ['Try Again', 'Change the Answers…'];
      const message = `Not signed in. ${error.message}`;
      // A service that cannot be reached may be back soon; what is set up wrongly stays so.
      const both = error.unreachable ? [again, change] : [change, again];
      const answer = await vscode.window.showErrorMessage(
        plainMessage(message),
        ...(isNew && !keyRefused ? both : [again]),
      );
      if (answer === change) return { kind: 'change' };
      if (answer !== again) return { kind: 'left' };
    }
  }
}

/** Adds profiles to the user's settings, or replaces those of the same name. */
export async function addProfiles(entries: readonly ProfileEntry[]): Promise<void> {
  const names = new Set(entries.map(({ name }) => name));
  const others = readSetting(profilesSetting).filter((entry) => !names.has(nameOf(entry) ?? ''));
  await writeUserSetting(profilesSetting, [...others, ...entries]);
}

export async function removeProfile(name: string): Promise<void> {
  await writeUserSetting(
    profilesSetting,
    readSetting(profilesSetting).filter((entry) => nameOf(entry) !== name),
  );
}

export function profileOf(entry: ProfileEntry): RemoteProfile {
  const { profiles, problems } = parseProfiles([entry]);
  const [profile] = profiles;
  if (!profile) throw new UserError(problems[0]?.message ?? 'The profile cannot be used.');
  return profile;
}

export async function tryKey(
  session: ApiSession,
  profile: RemoteProfile,
  key: ApiKey,
): Promise<{ readonly datasources: readonly string[] }> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Trying the key on ${profile.origin}` },
    () => session.signIn(profile, key),
  );
}

function takenNames(session: ApiSession): ReadonlySet<string> {
  return new Set(session.profiles().profiles.map(({ name }) => name));
}

/** Asks everything about an account but its key. What was answered before is offered first. */
async function askProfile(
  questions: Questions,
  taken: ReadonlySet<string>,
  before: ProfileEntry | undefined,
): Promise<ProfileEntry | undefined> {
  const address = await questions.text({
    prompt: 'Address of your account',
    placeholder: 'https://acme.example.net',
    ...(before ? { value: before.baseUrl } : {}),
    check: (text) => {
      const parsed = parseOrigin(text);
      return parsed.kind === 'refused' ? parsed.reason : undefined;
    },
  });
  const parsed = address === undefined ? undefined : parseOrigin(address);
  if (parsed?.kind !== 'origin') return undefined;
  const { origin } = parsed;
  const name = await questions.text({
    prompt: 'Name of this account in VS Code',
    value: before?.name ?? freeName(new URL(origin).hostname.split('.')[0] ?? origin, taken),
    check: (text) =>
      text === '' ? 'Give it a name.' : taken.has(text) ? `'${text}' is taken. Choose another name.` : undefined,
  });
  if (!name) return undefined;
  const prefixes = [
    { label: 'LW', description: 'LW_CFG_…, the service itself', value: 'LW' },
    { label: 'SVC', description: 'SVC_CFG_…, the neutral form of the specification', value: 'SVC' },
  ];
  const vendorPrefix = await questions.choice(
    'Prefix of the vendor’s own names in your account',
    answeredFirst(prefixes, before?.vendorPrefix),
  );
  if (!vendorPrefix) return undefined;
  const scope = await questions.choice('What do queries run on?', [
    { label: 'The account itself', value: 'account' as const },
    {
      label: 'A sub-account',
      description: 'Needs the key of a user; a service user’s key reaches only its own account.',
      value: 'sub' as const,
    },
    {
      label: 'The whole organization',
      description: 'Needs an organization administrator’s key; the service then ignores any sub-account.',
      value: 'organization' as const,
    },
  ]);
  if (!scope) return undefined;
  const subAccount =
    scope === 'sub' ? await questions.text({ prompt: 'Name of the sub-account', check: required }) : undefined;
  if (scope === 'sub' && !subAccount) return undefined;
  const accountClass = await askClass(questions, before);
  if (!accountClass) return undefined;
  return {
    name,
    baseUrl: origin,
    vendorPrefix,
    ...(subAccount ? { subAccount } : {}),
    ...(scope === 'organization' ? { organization: true } : {}),
    ...accountClass,
  };
}

/** What kind of account it is, and whether it may be written to: what makes production unmistakable. Undefined when the person leaves. */
export async function askClass(
  questions: Questions,
  before: ProfileEntry | undefined,
): Promise<Pick<ProfileEntry, 'environment' | 'readOnly'> | undefined> {
  const kinds: readonly Choice<Environment>[] = [
    { label: 'Production', description: 'Shown in red wherever something is run or written.', value: 'production' },
    { label: 'Staging', value: 'staging' },
    { label: 'Development', value: 'development' },
    { label: 'None of these', value: 'none' },
  ];
  const environment = await questions.choice(
    'What is this account?',
    answeredFirst(kinds, before && (before.environment ?? 'none')),
  );
  if (!environment) return undefined;
  const readOnly = await questions.choice('May LQL Studio change things there?', [
    { label: 'Read and run only', description: 'Every write is refused before it is sent.', value: true },
    { label: 'Read, run and write', value: false },
  ]);
  if (readOnly === undefined) return undefined;
  return {
    ...(environment === 'none' ? {} : { environment }),
    ...(readOnly ? { readOnly: true } : {}),
  };
}

async function askKey(
  questions: Questions,
  { origin }: RemoteProfile,
  typedBefore: string | undefined,
): Promise<ApiKey | undefined> {
  const keyId = await questions.text({
    prompt: `Key id, for ${origin}`,
    placeholder: 'ACME_0123…',
    value: typedBefore ?? '',
    check: required,
  });
  if (!keyId) return undefined;
  const secret = await questions.text({
    prompt: `Secret of the key. It is kept in VS Code's secret storage and sent to ${origin} alone.`,
    password: true,
    check: required,
  });
  return secret ? { keyId, secret: createSecret(secret) } : undefined;
}

function answeredFirst<Value>(choices: readonly Choice<Value>[], answer: Value | undefined): readonly Choice<Value>[] {
  return [...choices].sort((a, b) => Number(b.value === answer) - Number(a.value === answer));
}

function required(text: string): string | undefined {
  return text === '' ? 'This is needed.' : undefined;
}

export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let count = 2; ; count++) if (!taken.has(`${wanted} ${count}`)) return `${wanted} ${count}`;
}

function nameOf(entry: unknown): string | undefined {
  return typeof entry === 'object' && entry !== null && 'name' in entry && typeof entry.name === 'string'
    ? entry.name
    : undefined;
}
