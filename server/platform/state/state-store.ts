import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { type AccountState, type AuditEntry, accountState } from './account-state.ts';

/** The state of one account, with the promise that what `commit` has returned from survives the end of the process. */
export interface AccountStore {
  readonly name: string;
  /** Handlers change it in place and then commit. */
  readonly state: AccountState;
  /** Writes the state and, beforehand, the entries of the audit log that tell of the change. */
  commit(...audit: readonly AuditEntry[]): void;
  /** The audit log, oldest first. */
  audit(): readonly AuditEntry[];
}

export interface StateStore {
  /** Identifies the platform's account for good, whatever its address. */
  readonly accountId: string;
  open(account: string): AccountStore;
}

/** The audit log keeps this many entries; older ones are dropped when the log is opened. */
const maxAuditEntries = 20_000;

/** State in memory alone, for tests and for platforms without a data folder. */
export function createMemoryStore(): StateStore {
  const accounts = new Map<string, AccountStore>();
  return {
    accountId: randomUUID(),
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
 * @throws Error when the folder cannot be written or a state file is not readable as such.
 */
export function createFolderStore(folder: string): StateStore {
  mkdirSync(folder, { recursive: true });
  removeHalfWritten(folder);
  const accounts = new Map<string, AccountStore>();
  return {
    accountId: readAccountId(path.join(folder, 'account.json')),
    open(account) {
      const known = accounts.get(account);
      if (known !== undefined) return known;
      const store = openAccount(folder, account);
      accounts.set(account, store);
      return store;
    },
  };
}

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
      if (audit.length > 0) {
        entries.push(...audit);
        appendFileSync(auditFile, audit.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
      }
      writeAtomically(stateFile, JSON.stringify(state));
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
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}
