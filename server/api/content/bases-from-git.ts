import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { contentKey } from '../../core/content/content-object.ts';
import { readContentFile } from '../../core/content/files/content-file.ts';
import { defaultLayout } from '../../core/content/files/file-names.ts';
import { meaningOf } from '../../core/content/normalise.ts';
import { hashOf, openBases, readFolder, readLock } from './content-folder.ts';
import type { ContentOptions } from './content-sync.ts';
import { entriesOf } from './content-sync.ts';

export interface RebuiltBases {
  /** Contents that were missing and are here again. */
  readonly found: number;
  /** Contents that the history does not have either. */
  readonly missing: number;
}

/** Versions of files that are looked at, the newest first; who has a longer history has old contents in it. */
const mostVersions = 50_000;
const largestVersion = 1_048_576;

/**
 * How many objects were synchronised with the account by somebody else, or before the cache was lost: their base contents are not on this
 * computer, and their files no longer are what they were.
 */
export async function countMissingBases(options: ContentOptions): Promise<number> {
  return (await missingHashes(options)).size;
}

/**
 * Looks for missing base contents in the history of the git repository around the folder. A version of a file counts when one of its objects
 * has exactly the hash that the lock says, so nothing but what was synchronised is taken for it. Runs git without hooks and without network.
 * Undefined where there is no repository, or no git.
 */
export async function rebuildBases(options: ContentOptions): Promise<RebuiltBases | undefined> {
  const { root, account, signal, layout = defaultLayout } = options;
  const wanted = await missingHashes(options);
  const prefix = await runGit(root, ['rev-parse', '--show-prefix'], signal);
  if (prefix === undefined) return undefined;
  if (wanted.size === 0) return { found: 0, missing: 0 };
  const listed = await runGit(root, ['rev-list', '--objects', '--all', '--', '.'], signal);
  const versions = (listed ?? '').split('\n').flatMap((line): { id: string; path: string }[] => {
    const [, id, file] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
    if (id === undefined || file === undefined || !/\.(?:lql|ya?ml|json)$/i.test(file)) return [];
    const below = prefix.trim();
    return file.startsWith(below) ? [{ id, path: file.slice(below.length) }] : [];
  });
  const bases = await openBases(root, []);
  let found = 0;
  await readVersions(root, versions.slice(0, mostVersions), signal, async (file, text) => {
    for (const { kind, fields } of readContentFile(file, text, layout, account.names).objects) {
      const hash = hashOf(meaningOf({ kind, fields }));
      if (!wanted.delete(hash)) continue;
      await bases.put(kind, fields);
      found++;
    }
    return wanted.size > 0;
  });
  return { found, missing: wanted.size };
}

async function missingHashes({ root, account, layout = defaultLayout }: ContentOptions): Promise<Set<string>> {
  const [lock, folder] = await Promise.all([readLock(root), readFolder(root, layout, account.names)]);
  const entries = entriesOf(lock, account.id).flatMap(({ kind, id, hash }) =>
    hash === undefined ? [] : [{ kind, id, hash }],
  );
  const bases = await openBases(root, entries);
  const missing = entries.filter((entry) => {
    const here = folder.objects.get(contentKey(entry));
    return !bases.get(entry.hash) && !(here && hashOf(meaningOf(here)) === entry.hash);
  });
  return new Set(missing.map(({ hash }) => hash));
}

// A repository may be somebody else's: nothing that it configures is run.
const safely = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];
const environment = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };

async function runGit(
  root: string,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', [...safely, ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      maxBuffer: 256 * 1_048_576,
      ...(signal ? { signal } : {}),
    });
    return stdout;
  } catch (error) {
    if (signal?.aborted) throw error;
    return undefined;
  }
}

/** Reads the texts of versions, one after the other, until `take` has enough. */
async function readVersions(
  root: string,
  versions: readonly { readonly id: string; readonly path: string }[],
  signal: AbortSignal | undefined,
  take: (path: string, text: string) => Promise<boolean>,
): Promise<void> {
  const git = spawn('git', [...safely, 'cat-file', '--batch', '--buffer'], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
    ...(signal ? { signal } : {}),
  });
  const closed = new Promise<void>((resolve) => {
    git.on('error', () => resolve());
    git.on('close', () => resolve());
  });
  // Whoever has enough stops reading; the rest of the names then goes nowhere.
  git.stdin.on('error', () => {});
  git.stdin.end(versions.map(({ id }) => `${id}\n`).join(''));
  let rest = Buffer.alloc(0);
  let index = 0;
  try {
    for await (const chunk of git.stdout) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (;;) {
        const lineEnd = rest.indexOf(10);
        if (lineEnd < 0) break;
        const [, kind, length] = rest.subarray(0, lineEnd).toString('latin1').split(' ');
        const size = kind === 'missing' ? -1 : Number(length);
        const end = size < 0 ? lineEnd + 1 : lineEnd + 1 + size + 1;
        if (rest.length < end) break;
        const text = rest.subarray(lineEnd + 1, Math.max(lineEnd + 1, end - 1));
        rest = rest.subarray(end);
        const version = versions[index++];
        if (kind !== 'blob' || !version || text.length > largestVersion) continue;
        if (!(await take(version.path, text.toString('utf8')))) return;
      }
    }
  } finally {
    git.kill();
    await closed;
  }
}
