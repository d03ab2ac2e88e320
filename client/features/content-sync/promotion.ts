import path from 'node:path';
import * as vscode from 'vscode';
import { type ContentOptions, compareFolder, note } from '../../../server/api/content/content-sync.ts';
import { changeLock } from '../../../server/api/content/merges.ts';
import {
  type Promotion as Compared,
  comparePromotion,
  planPromotion,
  readOverrides,
} from '../../../server/api/content/promote.ts';
import type { OperationResult } from '../../../server/core/content/apply.ts';
import { type ContentObject, contentKey } from '../../../server/core/content/content-object.ts';
import { overridesFile } from '../../../server/core/content/overrides.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import type { ContentState, Known } from './content-state.ts';
import type { Deployments } from './deployments.ts';
import type { DeployTarget } from './review.ts';

export interface Promotion {
  /** Brings the files, or what the account in use has, to another account: asks which, shows the plan, asks, applies. */
  promote(): Promise<void>;
}

type Source = 'files' | 'account';

export function createPromotion({ session }: Services, state: ContentState, deployments: Deployments): Promotion {
  async function askTarget(): Promise<Profile | undefined> {
    const others = session.profiles().profiles.filter(({ name }) => name !== session.profile.name);
    if (others.length === 0)
      throw new UserError(
        'There is no other account to promote to. Sign in to it first; this window stays with its own.',
        [{ title: 'Sign In', command: 'lql.signIn' }],
      );
    const signedIn = new Set((await session.signedIn()).map(({ name }) => name));
    const items = others.map((profile) => ({
      label: `$(${profile.kind === 'local' ? 'beaker' : profile.environment === 'production' ? 'flame' : 'cloud'}) ${profileLabel(profile)}`,
      description: describe(profile, profile.kind === 'local' || signedIn.has(profile.name)),
      profile,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: 'Promote to Account',
      placeHolder: 'Where to; nothing is written before you have seen the plan',
    });
    return picked?.profile;
  }

  async function askSource(target: Profile): Promise<Source | undefined> {
    const here = profileLabel(session.profile);
    const picked = await vscode.window.showQuickPick(
      [
        { label: '$(files) These files', detail: 'What the files of this folder say now.', source: 'files' as const },
        {
          label: `$(cloud) What ${here} has`,
          detail: 'Its own queries, policies and alert profiles, whether they are in files or not.',
          source: 'account' as const,
        },
      ],
      { title: `Promote to ${profileLabel(target)}`, placeHolder: 'From where' },
    );
    return picked?.source;
  }

  async function choose(
    compared: Compared,
    target: Profile,
    all: ReadonlySet<string>,
  ): Promise<ReadonlySet<string> | undefined> {
    const items = compared.comparisons
      .filter(({ state: of, ...object }) => of !== 'inSync' && all.has(contentKey(object)))
      .map((comparison) => {
        const key = contentKey(comparison);
        const overwrites = compared.overwrites.has(key);
        const own = compared.overridden.get(key);
        const fields = comparison.changes.map(({ field }) => field).join(', ');
        return {
          label: comparison.id,
          description: `${comparison.remote ? 'change' : 'create'} ${wordOf(comparison.kind)}`,
          detail: [
            ...(overwrites ? [`$(warning) overwrites what ${profileLabel(target)} has: ${fields}`] : []),
            ...(own ? [`of its own there: ${own.join(', ')}`] : []),
          ].join(' · '),
          picked: !overwrites,
          key,
        };
      });
    if (items.length === 0) return new Set();
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: `Promote to ${profileLabel(target)}`,
      placeHolder: 'What to promote; what overwrites something is off until you choose it. Nothing is deleted.',
    });
    return picked && picked.length > 0 ? new Set(picked.map(({ key }) => key)) : undefined;
  }

  return {
    async promote() {
      const profile = await askTarget();
      if (!profile) return;
      const from = await askSource(profile);
      if (!from) return;
      const known = await state.compare();
      const run: DeployTarget['run'] = (title, work) =>
        state.alone(title, (options, context) =>
          session.withAccount(profile, ({ content }) => work({ ...options, account: content }, context)),
        );
      const source = sourceOf(known, from);
      if (source.size === 0)
        throw new UserError(
          from === 'files'
            ? 'The files of this folder hold nothing to promote.'
            : `${profileLabel(session.profile)} has nothing of its own to promote.`,
        );
      const { options, comparison, compared } = await run(`Comparing with ${profileLabel(profile)}`, async (fresh) => {
        if (fresh.account.id === known.options.account.id)
          throw new UserError(`${profileLabel(profile)} is the account that is in use. Choose another one.`);
        const overrides = await readOverrides(fresh.root);
        const [problem] = overrides.problems;
        if (problem)
          throw new UserError(`${overridesFile}, line ${problem.line}: ${problem.message}`, [
            {
              title: 'Open the File',
              command: 'vscode.open',
              arguments: [vscode.Uri.file(path.join(fresh.root, overridesFile))],
            },
          ]);
        const target = await compareFolder(fresh);
        return {
          options: fresh,
          comparison: target,
          compared: comparePromotion(target, fresh, { source, overrides, label: profile.name }),
        };
      });
      const chosen = await choose(compared, profile, new Set(source.keys()));
      if (!chosen) return;
      const plan = planPromotion(compared, comparison, options, chosen);
      const what = from === 'files' ? 'these files' : profileLabel(session.profile);
      const own = plan.operations.flatMap(({ id, ...operation }) => {
        const fields = compared.overridden.get(contentKey({ id, ...operation }));
        return fields ? [`  ${id}: ${fields.join(', ')}`] : [];
      });
      const differences = own.length === 0 ? '' : `Different there, as ${overridesFile} says:\n${own.join('\n')}\n`;
      await deployments.review(plan, options, {
        target: { profile, comparison, run },
        preface: `From ${what} to ${profileLabel(profile)}. Nothing is deleted there.\n${differences}\n`,
        done: (results, fresh) => noteAsFiles(results, from === 'files' ? compared : undefined, fresh),
      });
    },
  };
}

function describe(profile: Profile, signedIn: boolean): string {
  if (profile.kind === 'local') return 'sample data on this computer';
  const parts = [new URL(profile.origin).host];
  if (profile.environment !== 'none') parts.push(profile.environment);
  if (profile.readOnly) parts.push('read only');
  if (!signedIn) parts.push('not signed in');
  return parts.join(' · ');
}

function sourceOf({ comparison }: Known, from: Source): ReadonlyMap<string, ContentObject> {
  if (from === 'files') return comparison.folder.objects;
  return new Map([...comparison.remote].filter(([, { vendorOwned }]) => !vendorOwned));
}

/** What the files say and the account now has too is in sync there; what was overridden, or came from elsewhere, is nobody's file. */
async function noteAsFiles(
  results: readonly OperationResult[],
  compared: Compared | undefined,
  options: ContentOptions,
): Promise<void> {
  if (!compared) return;
  await changeLock(options, async (lock, bases) => {
    for (const { operation, outcome } of results) {
      const { desired } = operation;
      if (outcome.kind !== 'done' || !desired || compared.overridden.has(contentKey(operation))) continue;
      const times = { updateTime: undefined, updateUser: undefined };
      const object = { ...desired, remoteId: outcome.remoteId, vendorOwned: false, ...times };
      await note(lock, bases, options.account.id, object);
    }
  });
}
