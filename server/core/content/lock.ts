import { type ContentKind, contentKey, contentKinds } from './content-object.ts';

/** What was last synchronised of one object in one account. */
export interface LockEntry {
  readonly kind: ContentKind;
  /** Account-neutral. */
  readonly id: string;
  /** Stable id of the account, e.g. `acme.example.net`. */
  readonly account: string;
  /** The service's own id there. */
  readonly remoteId: string;
  /** Hash of its meaning; undefined where two sides of a merge disagree: then nobody knows what was last synchronised. */
  readonly hash: string | undefined;
  /** ISO 8601, as the account said. */
  readonly updateTime: string | undefined;
}

/** Everything a `lql.lock` says, of all accounts. */
export type Lock = ReadonlyMap<string, LockEntry>;

const head = '# What was last synchronised with each account. Written by LQL Studio; commit it with the files.';

export function lockKey(entry: { readonly kind: ContentKind; readonly id: string }, account: string): string {
  return `${contentKey(entry)}\n${account}`;
}

/** One line an object and account, sorted: two branches that touch different objects merge by themselves. */
export function printLock(lock: Lock): string {
  const lines = [...lock.values()].map(({ kind, id, account, remoteId, hash, updateTime }) =>
    [kind, id, account, remoteId, hash ?? '', updateTime ?? ''].map(word).join(' '),
  );
  return `${[head, ...lines.sort()].join('\n')}\n`;
}

/** Reads a lock. Lines that are none, as a merge leaves them, are passed over; entries that contradict each other know no content. */
export function parseLock(text: string): Lock {
  const lock = new Map<string, LockEntry>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const words = line.split(' ').map(unword);
    const [kind, id, account, remoteId, hash, updateTime] = words;
    if (words.length !== 6 || !isKind(kind) || id === undefined || account === undefined || remoteId === undefined)
      continue;
    const entry: LockEntry = { kind, id, account, remoteId, hash, updateTime };
    const key = lockKey(entry, account);
    const other = lock.get(key);
    lock.set(key, other && other.hash !== hash ? { ...entry, hash: undefined, updateTime: undefined } : entry);
  }
  return lock;
}

function isKind(text: string | undefined): text is ContentKind {
  return contentKinds.some((kind) => kind === text);
}

/** No blanks, no line ends, never empty. */
function word(text: string): string {
  return text === ''
    ? '-'
    : text === '-'
      ? '%2D'
      : text.replace(/[%\s\u0000-\u001f\u0085]/g, (it) => `%u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function unword(text: string): string | undefined {
  if (text === '-') return undefined;
  if (text === '%2D') return '-';
  return text.replace(/%u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
