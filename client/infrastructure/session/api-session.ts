import * as vscode from 'vscode';
import { reveal } from '../../../server/api/transport/redact.ts';
import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import { catalogFromDatasources } from '../../../server/core/resources/catalog-from-datasources.ts';
import { isCancellation, messageOf, UserError } from '../errors.ts';
import type { LanguageServer } from '../language/language-server.ts';
import type { Log } from '../log.ts';
import { onSettingChange, readSetting } from '../settings.ts';
import type { AccountApi, RunBudget } from './account-api.ts';
import { accountKey, type CachedCatalog, type CatalogCache } from './catalog-cache.ts';
import type { CredentialStore } from './credentials.ts';
import { localArgumentsSetting, vendorPrefixIn } from './local-arguments.ts';
import {
  localProfile,
  type Profile,
  type ProfileProblem,
  parseProfiles,
  profilesSetting,
  type RemoteProfile,
} from './profile.ts';
import type { ApiKey, CatalogInfo, Credentials, SessionState, StartLocalPlatform } from './session.ts';

/** The account of this window: which one, how it is reached, and what it offers. */
export interface ApiSession extends vscode.Disposable {
  readonly state: SessionState;
  readonly onDidChange: vscode.Event<SessionState>;
  /** The profile in use, whatever state it is in. */
  readonly profile: Profile;
  profiles(): { readonly profiles: readonly Profile[]; readonly problems: readonly ProfileProblem[] };
  /** Loads the cached catalog and connects. Failures become the session's state, not exceptions. */
  start(): Promise<void>;
  /** Switches the window to another profile and connects. */
  use(profile: Profile): Promise<void>;
  /**
   * Tries a key against the service and, when it is good, keeps it for the profile's origin and switches to the profile.
   * Nothing is kept of a key that fails. Throws UserError that names what fails.
   */
  signIn(profile: RemoteProfile, key: ApiKey): Promise<CatalogInfo>;
  /** The profiles for whose origin a key is stored. */
  signedIn(): Promise<readonly RemoteProfile[]>;
  /** Forgets the profile's key. */
  signOut(profile: RemoteProfile): Promise<void>;
  /** The operations of the account. Throws UserError when the workspace is restricted or nobody is signed in. */
  api(): Promise<AccountApi>;
  /** Asks the account for its datasources again. Throws UserError. */
  refreshCatalog(): Promise<CatalogInfo>;
  /** What is left of this hour's runs; undefined before the first. */
  readonly budget: RunBudget | undefined;
  /** When the token in use was issued, milliseconds since 1970 UTC; undefined before the first. */
  readonly tokenIssuedAt: number | undefined;
  /** The columns of a datasource, asked for where the catalog lacks them; undefined when nobody knows them. */
  columnsOf(datasource: string): Promise<readonly Column[] | undefined>;
  /** Calls `work`, and again with a fresh local platform when the one in use is gone. */
  withApi<Result>(work: (api: AccountApi) => Promise<Result>): Promise<Result>;
  /** Calls `work` on the account of any profile; the window stays with its own. Throws UserError when nobody is signed in there. */
  withAccount<Result>(profile: Profile, work: (api: AccountApi) => Promise<Result>): Promise<Result>;
}

export interface ApiSessionOptions {
  readonly language: LanguageServer;
  readonly log: Log;
  readonly cache: CatalogCache;
  readonly credentials: CredentialStore;
  readonly startLocalPlatform: StartLocalPlatform;
  readonly onDidLocalPlatformEnd: vscode.Event<void>;
  /** Pause before a local platform that does not answer is looked for again. */
  readonly localPauseMs: number;
  /** Remembers the chosen profile's name: for this folder, else for new windows. */
  readonly chosen: ChosenProfile;
  readonly isTrusted: () => boolean;
  readonly openApi: (profile: Profile, credentials: Credentials, log: Log) => Promise<AccountApi>;
}

export interface ChosenProfile {
  read(): string | undefined;
  write(name: string): Promise<void>;
}

const localAttempts = 6;
// A catalog younger than this is not asked for again at a window's start: the request budget is the person's.
const freshMs = 60 * 60 * 1000;
// Schemas are asked for one by one; a few at once keep a large workspace quick without draining the request budget.
const schemaConcurrency = 4;

// Only names and columns are read from the result here; version and prefix are the language server's affair.
const catalogOptions = { origin: 'account', vendorPrefix: '', version: '' } as const;

export function createApiSession(options: ApiSessionOptions): ApiSession {
  const { language, log, cache, credentials, chosen } = options;
  const changed = new vscode.EventEmitter<SessionState>();
  const disposables: vscode.Disposable[] = [changed];
  let profile = choose(listProfiles().profiles, chosen.read());
  let state: SessionState = options.isTrusted() ? { kind: 'connecting', profile } : { kind: 'restricted' };
  // Everything that waits for an answer remembers the epoch it began in. An answer that arrives after a switch of the
  // profile belongs to another account and is dropped.
  let epoch = 0;
  let opened: Promise<AccountApi> | undefined;
  // The API that answered last: what it knows can be read without waiting.
  let current: AccountApi | undefined;
  let catalog: (CachedCatalog & { readonly version: string }) | undefined;
  const schemasAsked = new Set<string>();

  const setState = (next: SessionState): void => {
    state = next;
    changed.fire(next);
  };
  const publish = (next: CachedCatalog): CatalogInfo => {
    // The version names account and moment: two snapshots never share it.
    const version = `${accountKey(profile)} ${next.fetchedAt}`;
    catalog = { ...next, version };
    schemasAsked.clear();
    for (const name of Object.keys(next.schemas)) schemasAsked.add(name);
    language.setCatalog({
      version,
      origin: profile.kind === 'local' ? 'sample' : 'account',
      vendorPrefix: profile.vendorPrefix,
      datasources: next.datasources,
      fetchedAt: next.fetchedAt,
    });
    if (Object.keys(next.schemas).length > 0) language.addSchemas({ version, schemas: next.schemas });
    return infoOf(next);
  };
  const remember = (next: CachedCatalog): void => {
    cache.write(accountKey(profile), next).catch((error: unknown) => {
      log.warn('The catalog could not be kept on disk; the next start will ask for it again', error);
    });
  };

  const openFor = async (wanted: Profile): Promise<AccountApi> => {
    if (!options.isTrusted()) throw restrictedError();
    const found = wanted.kind === 'local' ? await options.startLocalPlatform() : await credentials.read(wanted);
    if (!found) throw signedOutError(wanted);
    log.protect(reveal(found.secret));
    return options.openApi(wanted, found, log);
  };
  const open = async (): Promise<AccountApi> => {
    current = await openFor(profile);
    return current;
  };
  const withAccount: ApiSession['withAccount'] = async (wanted, work) => {
    const account = await openFor(wanted);
    try {
      return await work(account);
    } finally {
      await account.close();
    }
  };
  const api = (): Promise<AccountApi> => {
    if (!opened) {
      const opening = open();
      opened = opening;
      // A failed attempt is not kept: the next call tries again.
      opening.catch(() => {
        if (opened === opening) opened = undefined;
      });
    }
    return opened;
  };
  const closeApi = async (): Promise<void> => {
    const closing = opened;
    opened = undefined;
    current = undefined;
    await (await closing?.catch(() => undefined))?.close();
  };
  const withApi: ApiSession['withApi'] = async (work) => {
    const startedIn = epoch;
    for (let attempt = 1; ; attempt++) {
      try {
        const result = await work(await api());
        if (startedIn === epoch) recover();
        return result;
      } catch (error) {
        const gone = profile.kind === 'local' && isUnreachable(error) && startedIn === epoch;
        if (!gone || attempt === localAttempts) throw error;
        // Another window may have owned the process and was closed: ours takes its place within a moment.
        log.info('The local platform does not answer and is looked for again.');
        await closeApi();
        await new Promise((resolve) => setTimeout(resolve, options.localPauseMs));
      }
    }
  };

  // A call that succeeds shows that the account answers again: then the catalog that could not be read is read now.
  let fetching = 0;
  const recover = (): void => {
    if (state.kind !== 'failed' || fetching > 0) return;
    fetchCatalog().catch((error: unknown) => log.debug(`The catalog still cannot be read: ${messageOf(error)}`));
  };

  const fetchCatalog = async (): Promise<CatalogInfo> => {
    const startedIn = epoch;
    fetching++;
    let datasources: readonly unknown[];
    try {
      datasources = await withApi((account) => account.datasources());
    } finally {
      fetching--;
    }
    if (startedIn !== epoch) throw new vscode.CancellationError();
    const next: CachedCatalog = { fetchedAt: Date.now(), datasources, schemas: {} };
    const info = publish(next);
    remember(next);
    setState({ kind: 'ready', profile, catalog: info });
    log.info(`${profile.name}: ${info.datasources.length} datasources.`);
    return info;
  };
  const connect = async (): Promise<void> => {
    if (!options.isTrusted()) {
      setState({ kind: 'restricted' });
      return;
    }
    const startedIn = epoch;
    setState({ kind: 'connecting', profile });
    const cached = await cache.read(accountKey(profile));
    if (startedIn !== epoch) return;
    const info = cached ? publish(cached) : undefined;
    try {
      if (profile.kind === 'remote' && !(await credentials.read(profile))) {
        if (startedIn === epoch) setState({ kind: 'signed-out', profile });
        return;
      }
      const fresh = cached && profile.kind === 'remote' && Date.now() - cached.fetchedAt < freshMs;
      if (fresh && info) setState({ kind: 'ready', profile, catalog: info });
      else await fetchCatalog();
    } catch (error) {
      if (startedIn !== epoch || isCancellation(error)) return;
      log.warn(`${profile.name}: the catalog could not be read`, error);
      const action = error instanceof UserError ? error.actions[0] : undefined;
      setState({ kind: 'failed', profile, message: messageOf(error), action, catalog: info });
    }
  };

  const askSchemas = async (version: string, names: readonly string[]): Promise<void> => {
    if (!options.isTrusted() || catalog?.version !== version) return;
    const wanted = names.filter((name) => !schemasAsked.has(name));
    for (const name of wanted) schemasAsked.add(name);
    const queue = [...wanted];
    const worker = async (): Promise<void> => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
        const columns = await askSchema(name);
        if (catalog?.version !== version) return;
        if (!columns) continue;
        catalog = { ...catalog, schemas: { ...catalog.schemas, [name]: columns } };
        language.addSchemas({ version, schemas: { [name]: columns } });
      }
    };
    await Promise.all(Array.from({ length: Math.min(schemaConcurrency, wanted.length) }, worker));
    if (wanted.length > 0 && catalog?.version === version) {
      const { fetchedAt, datasources, schemas } = catalog;
      remember({ fetchedAt, datasources, schemas });
    }
  };
  // An empty list means: there is none. Undefined means: not known this time, ask again when it is next missed.
  const askSchema = async (name: string): Promise<readonly Column[] | undefined> => {
    try {
      return (await withApi((account) => account.schema(name))) ?? [];
    } catch (error) {
      schemasAsked.delete(name);
      if (!isCancellation(error)) log.debug(`The schema of ${name} could not be read: ${messageOf(error)}`);
      return undefined;
    }
  };

  const columnsOf = async (name: string): Promise<readonly Column[] | undefined> => {
    const known = catalog && catalogFromDatasources(catalog.datasources, catalogOptions).datasources.get(name)?.columns;
    if (known) return known;
    if (catalog && !catalog.schemas[name]) await askSchemas(catalog.version, [name]);
    const columns = catalog?.schemas[name];
    return columns && columns.length > 0 ? columns : undefined;
  };

  const switchTo = async (next: Profile): Promise<void> => {
    epoch++;
    profile = next;
    catalog = undefined;
    schemasAsked.clear();
    await closeApi();
    await connect();
  };

  disposables.push(
    language.onMissingSchemas(({ version, datasources }) => void askSchemas(version, datasources)),
    // Connections to a process that is gone would only be found out one by one.
    options.onDidLocalPlatformEnd(() => {
      if (profile.kind !== 'local') return;
      void closeApi();
      // What it is started with next may name another vendor's headers.
      profile = listProfiles().profiles.find(({ kind }) => kind === 'local') ?? profile;
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void connect()),
    onSettingChange(profilesSetting, () => {
      const next = choose(listProfiles().profiles, profile.name);
      // An edited profile may lead to another origin: the key that is in use was not typed for that one.
      if (JSON.stringify(next) !== JSON.stringify(profile)) void switchTo(next);
      else changed.fire(state);
    }),
  );

  return {
    get state() {
      return state;
    },
    get profile() {
      return profile;
    },
    get budget() {
      return current?.budget();
    },
    get tokenIssuedAt() {
      return current?.tokenIssuedAt();
    },
    onDidChange: changed.event,
    profiles: listProfiles,
    start: connect,
    async use(next) {
      await chosen.write(next.name);
      await switchTo(next);
    },
    async signIn(next, key) {
      if (!options.isTrusted()) throw restrictedError();
      log.protect(reveal(key.secret));
      const trial = await options.openApi(next, { origin: next.origin, ...key }, log);
      try {
        const datasources = await trial.datasources();
        const tried: CachedCatalog = { fetchedAt: Date.now(), datasources, schemas: {} };
        await credentials.store(next, key);
        await cache.write(accountKey(next), tried);
        await chosen.write(next.name);
        await switchTo(next);
        return infoOf(tried);
      } finally {
        await trial.close();
      }
    },
    async signedIn() {
      const remote = listProfiles().profiles.filter((candidate) => candidate.kind === 'remote');
      const keys = await Promise.all(remote.map((candidate) => credentials.read(candidate)));
      return remote.filter((_, index) => keys[index] !== undefined);
    },
    async signOut(gone) {
      await credentials.forget(gone);
      if (profile.name === gone.name) await switchTo(gone);
      else changed.fire(state);
    },
    api,
    refreshCatalog: fetchCatalog,
    columnsOf,
    withApi,
    withAccount,
    async dispose() {
      epoch++;
      for (const disposable of disposables) disposable.dispose();
      await closeApi();
    },
  };
}

function listProfiles(): { profiles: readonly Profile[]; problems: readonly ProfileProblem[] } {
  const { profiles, problems } = parseProfiles(readSetting(profilesSetting));
  const vendorPrefix = vendorPrefixIn(readSetting(localArgumentsSetting)) ?? localProfile.vendorPrefix;
  return { profiles: [{ ...localProfile, vendorPrefix }, ...profiles], problems };
}

function choose(profiles: readonly Profile[], name: string | undefined): Profile {
  return profiles.find((profile) => profile.name === name) ?? profiles[0] ?? localProfile;
}

function infoOf(catalog: CachedCatalog): CatalogInfo {
  const { datasources } = catalogFromDatasources(catalog.datasources, {
    origin: 'account',
    vendorPrefix: '',
    version: '',
  });
  return { datasources: [...datasources.keys()], fetchedAt: catalog.fetchedAt };
}

/** Whether an error says that nothing listens at the other end any more. */
function isUnreachable(error: unknown): boolean {
  return error instanceof UserError && error.unreachable;
}

function restrictedError(): UserError {
  return new UserError(
    'This workspace is not trusted, so nothing is sent for it. Trust the workspace to run queries; editing works either way.',
    [{ title: 'Manage Trust', command: 'workbench.trust.manage' }],
  );
}

function signedOutError(profile: Profile): UserError {
  return new UserError(`You are not signed in to '${profile.name}'. Sign in with an API key of that account.`, [
    { title: 'Sign In', command: 'lql.signIn', arguments: [profile.name] },
  ]);
}
