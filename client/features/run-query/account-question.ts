import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { RunAccount } from '../../infrastructure/runs.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { accountKey } from '../../infrastructure/session/catalog-cache.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import { isProduction, runLabel } from './production.ts';

/** A run that is repeated while another account is in use: the ways on, the harmless one first. */
export interface AccountQuestion {
  readonly text: string;
  readonly choices: readonly AccountChoice[];
}

export type AccountChoice = { readonly title: string; readonly description: string } & (
  | { readonly kind: 'run'; readonly profile: Profile }
  /** The account of the earlier run is gone: which one is meant instead is for the person to say. */
  | { readonly kind: 'elsewhere' }
);

/**
 * Makes plain, before anything is sent, that a run to be repeated went to another account than the one in use, and switches if that is
 * wanted. Gives the account that the person agreed to; undefined where there is nothing to ask. Throws CancellationError when they leave.
 */
export async function agreeOnAccount(
  session: Pick<ApiSession, 'profile' | 'profiles' | 'use'>,
  ranOn: RunAccount,
): Promise<Profile | undefined> {
  const question = accountQuestion(ranOn, session.profile, session.profiles().profiles);
  if (!question) return undefined;
  const items = question.choices.map((choice) => ({
    choice,
    label: `$(${iconOf(choice, session.profile)}) ${plainLabel(choice.title)}`,
    description: plainLabel(choice.description),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Run again: on which account?',
    placeHolder: question.text,
  });
  if (picked?.choice.kind === 'elsewhere') await vscode.commands.executeCommand('lql.switchAccount');
  if (picked?.choice.kind !== 'run') throw new vscode.CancellationError();
  const { profile } = picked.choice;
  if (profile !== session.profile) await session.use(profile);
  return profile;
}

/** What is to be asked; undefined where the run went to the account in use. */
export function accountQuestion(
  ranOn: RunAccount,
  inUse: Profile,
  profiles: readonly Profile[],
): AccountQuestion | undefined {
  if (isAccount(ranOn, inUse)) return undefined;
  const same = profiles.filter((profile) => isAccount(ranOn, profile));
  // One account may have several profiles, one of them read only: the one with the name that the run shows is meant.
  const there = same.find((profile) => runLabel(profile) === ranOn.label) ?? same[0];
  const here: AccountChoice = {
    kind: 'run',
    profile: inUse,
    title: `Run on ${runLabel(inUse)}`,
    description: `${hostOf(inUse)} · in use`,
  };
  const other: AccountChoice = there
    ? { kind: 'run', profile: there, title: `Switch to ${runLabel(there)} and run`, description: hostOf(there) }
    : { kind: 'elsewhere', title: 'Switch to another account…', description: '' };
  const gone = there ? '' : ', which is not among your accounts any more';
  const namesake = ranOn.label === runLabel(inUse) ? 'another account named ' : '';
  return {
    text: `It ran on ${namesake}${ranOn.label}${gone}. This window uses ${runLabel(inUse)}.`,
    // Enter takes the first: nobody gets to production by it who has another way.
    choices: toProduction(here) && !toProduction(other) ? [other, here] : [here, other],
  };
}

// Runs that were remembered without a key are told by the name they show.
function isAccount({ key, label }: RunAccount, profile: Profile): boolean {
  return key === undefined
    ? label === runLabel(profile) || label === profileLabel(profile)
    : key === accountKey(profile);
}

function toProduction(choice: AccountChoice): boolean {
  return choice.kind === 'run' && isProduction(choice.profile);
}

function iconOf(choice: AccountChoice, inUse: Profile): string {
  if (toProduction(choice)) return 'flame';
  return choice.kind === 'run' && choice.profile === inUse ? 'play' : 'arrow-swap';
}

function hostOf(profile: Profile): string {
  return profile.kind === 'local' ? 'sample data on this computer' : new URL(profile.origin).host;
}
