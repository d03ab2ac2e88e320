import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { WrongAccount } from '../api/content/account-identity.ts';
import type { ContentOptions, FolderComparison } from '../api/content/content-sync.ts';
import { FolderBusyError } from '../api/content/folder-lock.ts';
import { type ContentKind, contentKey, contentKinds } from '../core/content/content-object.ts';
import { type ContentLayout, layoutKeys, readLayout } from '../core/content/files/file-names.ts';
import { canonicalPolicyId } from '../core/content/identity.ts';
import { wordOf } from '../core/content/plan.ts';
import { type Account, withAccount } from './account.ts';
import { type CliIo, CommandError, UsageError } from './io.ts';
import { vendorPrefixOption } from './parse-options.ts';

/** Options of every command that works with content. */
export const contentOptions = {
  dir: { type: 'string' },
  profile: { type: 'string' },
  'vendor-prefix': { type: 'string' },
  data: { type: 'string' },
  layout: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

export const contentUsage = `  --dir DIR          folder of the content; the working directory when left out
  --profile NAME     a profile of the vendor CLI's file (~/.lacework.toml); LW_ environment variables go before it
  --data DIR         folder of a local platform instead of an account
  --vendor-prefix P  SVC, or LW (default with --profile)
  --layout KIND=DIR  where new files go, e.g. --layout query=detections/queries; kinds are query, policy, profile and exception. What is
                     not said is as the setting lql.content.layout of DIR/.vscode says, else queries, policies, alert-profiles, exceptions
  --json             print the result as JSON`;

interface ContentValues {
  readonly dir?: string | undefined;
  readonly profile?: string | undefined;
  readonly 'vendor-prefix'?: string | undefined;
  readonly data?: string | undefined;
  readonly layout?: readonly string[] | undefined;
}

/** Runs work with a folder and an account. Content belongs to an account, so one has to be named. */
export async function withContent<T>(
  values: ContentValues,
  effect: 'read' | 'write',
  io: CliIo,
  work: (options: ContentOptions, account: Account) => Promise<T>,
): Promise<T> {
  if (values.profile === undefined && values.data === undefined)
    throw new UsageError(
      'Say which account: --profile NAME, or --data DIR for a local platform that keeps its state there.',
    );
  const root = path.resolve(io.cwd, values.dir ?? '.');
  if (!(await stat(root).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder '${values.dir}'.`);
  const layout = await layoutOf(root, values.layout ?? []);
  const data = values.data === undefined ? undefined : path.resolve(io.cwd, values.data);
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']);
  return withAccount({ profile: values.profile, vendorPrefix, data, effect }, io, (account) => {
    const names = { account: account.accountName, vendorPrefix: account.vendorPrefix };
    const content = { id: account.contentId, names, primary: account.primaryName, client: account.client };
    return work({ root, account: content, layout, signal: io.signal, now: () => io.now() }, account);
  }).catch((error: unknown) => {
    throw error instanceof FolderBusyError || error instanceof WrongAccount ? new CommandError(error.message) : error;
  });
}

/** What the workspace's settings and the command line say of folders, the latter last. */
async function layoutOf(root: string, said: readonly string[]): Promise<ContentLayout> {
  const text = await readFile(path.join(root, '.vscode', 'settings.json'), 'utf8').catch(() => '');
  const settings: unknown = parseJsonc(text, [], { allowTrailingComma: true });
  const setting =
    typeof settings === 'object' && settings !== null
      ? new Map(Object.entries(settings)).get('lql.content.layout')
      : {};
  const kinds = contentKinds.filter((kind) => said.some((option) => option.startsWith(`${words[kind]}=`)));
  const wrong = said.find((option) => !contentKinds.some((kind) => option.startsWith(`${words[kind]}=`)));
  if (wrong !== undefined)
    throw new UsageError(`--layout takes KIND=DIR with one of ${Object.values(words).join(', ')}, not '${wrong}'.`);
  const own = Object.fromEntries(
    kinds.map((kind) => {
      const option = said.findLast((candidate) => candidate.startsWith(`${words[kind]}=`)) ?? '';
      return [layoutKeys[kind], option.slice(words[kind].length + 1)];
    }),
  );
  const layout = readLayout({ ...(typeof setting === 'object' && setting !== null ? setting : {}), ...own });
  const refused = layout && kinds.find((kind) => layout[kind] !== own[layoutKeys[kind]]?.replace(/\/+$/, ''));
  if (!layout || refused) throw new UsageError('--layout takes plain folders below DIR, another one for every kind.');
  return layout;
}

/** The keys that a person names as KIND/ID, as KIND/* for all of a kind, or as an id that only one object has. */
export function keysOf(
  named: readonly string[],
  { comparisons }: Pick<FolderComparison, 'comparisons'>,
  options: ContentOptions,
): ReadonlySet<string> {
  return new Set(named.flatMap((name) => namedKeys(name, comparisons, options)));
}

function namedKeys(
  name: string,
  comparisons: FolderComparison['comparisons'],
  { account }: ContentOptions,
): readonly string[] {
  const kind = contentKinds.find((candidate) => name.startsWith(`${words[candidate]}/`));
  const id = kind ? name.slice(words[kind].length + 1) : name;
  if (kind && id === '*') return comparisons.filter((comparison) => comparison.kind === kind).map(contentKey);
  const found = comparisons.filter(
    (comparison) =>
      (kind === undefined || comparison.kind === kind) &&
      (comparison.id === id ||
        (comparison.kind === 'policy' && comparison.id === canonicalPolicyId(id, account.names))),
  );
  const [only, ...more] = found;
  if (!only)
    throw new UsageError(
      `Neither the files nor the account have '${name}'. Name an object as ${Object.values(words).join('/ID, ')}/ID, or all of a kind as KIND/*.`,
    );
  if (more.length > 0)
    throw new UsageError(`'${name}' is ${found.map((it) => `${words[it.kind]}/${it.id}`).join(' and ')}. Say which.`);
  return [contentKey(only)];
}

const words: { readonly [kind in ContentKind]: string } = {
  query: 'query',
  policy: 'policy',
  alertProfile: 'profile',
  exception: 'exception',
};

/** What the files themselves have wrong, for standard error. */
export function problemLines({ problems }: FolderComparison): string {
  return problems.map(({ path: file, message }) => `${file === undefined ? '' : `${file}: `}${message}\n`).join('');
}

export function label({ kind, id }: { readonly kind: ContentKind; readonly id: string }): string {
  return `${wordOf(kind)} ${id}`;
}
