import type { Plan } from '../../core/content/plan.ts';
import { parseExact, writeExact } from '../transport/json.ts';
import { hashOf } from './content-folder.ts';

/** A plan that was saved for review, with the account it was made for. */
export interface SavedPlan {
  readonly accountId: string;
  /** Id of the deployment it takes back. */
  readonly undoes: string | undefined;
  /** It brings another account's content, or the files' with what this account has of its own: the files do not say what comes of it. */
  readonly promotes?: boolean | undefined;
  readonly plan: Plan;
}

const version = 1;

export function printPlanFile({ accountId, undoes, promotes, plan }: SavedPlan): string {
  const body = { accountId, undoes, promotes, plan };
  return `${writeExact({ version, seal: sealOf(body), ...body })}\n`;
}

/** Reads a saved plan. @throws Error, with what to do, when it is none, or is no longer what was saved. */
export function parsePlanFile(text: string): SavedPlan {
  let saved: Readonly<Record<string, unknown>>;
  try {
    saved = { ...(parseExact(text) as object) };
  } catch {
    throw new Error('This is no saved plan. Write one with "lql plan --output FILE".');
  }
  if (saved['version'] !== version) throw new Error('The plan was saved by another version. Make it again.');
  const { accountId, undoes, promotes, plan } = saved;
  const body = { accountId, undoes, promotes, plan } as SavedPlan;
  if (sealOf(body) !== saved['seal'])
    throw new Error('The plan was changed after it was saved, so it is not what was reviewed. Make it again.');
  return body;
}

// What is undefined is not written, so it must not count.
function sealOf(body: SavedPlan): string {
  return hashOf(writeExact(parseExact(writeExact(body))));
}
