import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../service-error.ts';
import { type AccountState, type AuditEntry, accountState } from './account-state.ts';
import { failureReason, inDataFolder, makeFolder } from './data-folder.ts';

/** The state of one account, with the promise that what `commit` has returned from survives the end of the process. */
export interface AccountStore {
  readonly name: string;
  /** Handlers change it in place and then commit. */
  readonly state: AccountState;
  /**
   * Writes the state and, beforehand, the entries of the audit log that tell of the change.
   * @throws ServiceError 503 when it cannot be written; the state is then what it was at the commit before.
   */
  commit(...audit: readonly AuditEntry[]): void;
  /** The audit log, oldest first. */
  audit(): readonly AuditEntry[];
}

export interface StateStore {
  /** Identifies the platform's account for good, whatever its address. */
  readonly accountId: string;
  open(account: string): AccountStore;
  /** The accounts that somebody has used, in this process or before. */
  used(): readonly AccountStore[];
}

/** The audit log keeps this many entries; older ones are dropped when the log is opened. */
const maxAuditEntries = 20_000;

/** State in memory alone, for tests and for platforms without a data folder. */
export function createMemoryStore(): StateStore {
  const accounts = new Map<string, AccountStore>();
  return {
    accountId: randomUUID(),
    used: () => [...accounts.values()],
    open(account) {
      const known = accounts.get(account);
      if (known !== undefined) return known;
      const entries: AuditEntry[] = [];
      const store: AccountStore = {
        name: account,
        state: accountState(),
        commit: (...audit) => void entries.push(...audit),
        audit: () => entries,
      };
      accounts.set(account, store);
      return store;
    },
  };
}

/**
 * State in a folder: one JSON file an account, replaced atomically at every commit, and one log that is only appended to. A process that is
 * killed leaves the state before or after its last commit, never one in between; a log line that was cut off is dropped.
 * @throws DataFolderError when the folder cannot be written; Error when a state file is not readable as such.
 */
export function createFolderStore(folder: string): StateStore {
  return inDataFolder(folder, () => openFolder(folder));
}

function openFolder(folder: string): StateStore {
  makeFolder(folder);
  removeHalfWritten(folder);
  const accountId = readAccountId(path.join(folder, accountIdFile));
  const accounts = new Map<string, AccountStore>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.json') || name === accountIdFile) continue;
    const account = name.slice(0, -'.json'.length);
    accounts.set(account, openAccount(folder, account));
  }
  return {
    accountId,
    used: () => [...accounts.values()],
    open(account) {
      const known = accounts.get(account);
      if (known !== undefined) return known;
      const store = openAccount(folder, account);
      accounts.set(account, store);
      return store;
    },
  };
}

/** Holds the account's id; the state of every account stands in a file of the account's name beside it. */
const accountIdFile = 'account.json';

/** What a killed process was writing when it ended; the file it was to replace is whole. */
function removeHalfWritten(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith('.new')) rmSync(path.join(folder, name), { force: true });
}

function openAccount(folder: string, account: string): AccountStore {
  const stateFile = path.join(folder, `${account}.json`);
  const auditFile = path.join(folder, `${account}.audit.ndjson`);
  const entries = readAudit(auditFile);
  const state = accountState(readJson(stateFile) as Partial<AccountState> | undefined);
  return {
    name: account,
    state,
    commit(...audit) {
      const logged = statSync(auditFile, { throwIfNoEntry: false })?.size;
      try {
        if (audit.length > 0)
          appendFileSync(auditFile, audit.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
        writeAtomically(stateFile, JSON.stringify(state));
        entries.push(...audit);
      } catch (error) {
        // What was refused must neither be seen nor be written along with the next change.
        const written = accountState(readJson(stateFile) as Partial<AccountState> | undefined);
        Object.assign(state, written);
        shorten(auditFile, logged);
        throw new ServiceError(
          503,
          `The change was not saved in ${folder}: ${failureReason(error) ?? 'the file could not be written'}. Make room or choose another data folder, then try again.`,
        );
      }
    },
    audit: () => entries,
  };
}

function readAccountId(file: string): string {
  const known = readJson(file);
  if (typeof known === 'object' && known !== null && 'accountId' in known && typeof known.accountId === 'string')
    return known.accountId;
  const accountId = randomUUID();
  writeAtomically(file, JSON.stringify({ accountId }));
  return accountId;
}

function readAudit(file: string): AuditEntry[] {
  if (!existsSync(file)) return [];
  const entries: AuditEntry[] = [];
  const text = readFileSync(file, 'utf8');
  let torn = text !== '' && !text.endsWith('\n');
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      entries.push(JSON.parse(line) as AuditEntry);
    } catch {
      torn = true;
    }
  }
  const kept = entries.slice(-maxAuditEntries);
  if (torn || kept.length < entries.length)
    writeAtomically(file, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return kept;
}

function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `The state file ${file} is damaged. Move it away to begin with an empty state, or restore it from a backup.`,
    );
  }
}

/** Writes beside the file and moves over it: readers see the old content or the new one. */
function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Takes back what a refused change left in a log. Where even that is refused, the next start drops a line that was cut off. */
function shorten(file: string, size: number | undefined): void {
  try {
    if (size === undefined) rmSync(file, { force: true });
    else truncateSync(file, size);
  } catch {
    // The change itself is refused with its reason; the log may then tell of one attempt too many.
  }
}
