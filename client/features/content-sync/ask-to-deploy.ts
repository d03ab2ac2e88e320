import * as vscode from 'vscode';
import { planSummary, verbs } from '../../../server/core/content/describe-plan.ts';
import { type Plan, wordOf } from '../../../server/core/content/plan.ts';
import { parseTimeRange } from '../../../server/core/resources/time-range.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import { askWithWayOut } from './ask.ts';

/** Throws UserError where the person may only read. */
export function refuseReadOnly(profile: Profile): void {
  if (profile.kind !== 'remote' || !profile.readOnly) return;
  throw new UserError(
    `${profileLabel(profile)} is read only for you, so this plan cannot be deployed. Nothing was changed.`,
    [{ title: 'Switch Account', command: 'lql.switchAccount' }],
  );
}

/** Asks whether the plan that is shown is to be applied. What takes something away is asked with the way out first. */
export async function askToDeploy(
  plan: Plan,
  profile: Profile,
  hasHits: boolean,
  elsewhere: boolean,
): Promise<'deploy' | 'hits' | undefined> {
  const production = profile.kind === 'remote' && profile.environment === 'production';
  const risks = [
    ...(elsewhere
      ? [{ label: `${profileLabel(profile)} is another account than the one this window works with.` }]
      : []),
    ...plan.warnings.map((label) => ({ label })),
    ...plan.operations.flatMap(({ kind, id, warnings }) =>
      warnings.map((label) => ({ label, detail: `${wordOf(kind)} ${id}` })),
    ),
  ];
  const question = `Deploy to ${profileLabel(profile)}: ${planSummary({ ...plan, obstacles: [] })}?`;
  if (!production && risks.length === 0) {
    const choices = ['Deploy', ...(hasHits ? ['Compare Hits…'] : []), 'Cancel'];
    const answer = await vscode.window.showInformationMessage(plainMessage(question), ...choices);
    return answer === 'Deploy' ? 'deploy' : answer === 'Compare Hits…' ? 'hits' : undefined;
  }
  const hits = {
    label: '$(beaker) Compare Hits…',
    detail: 'Run the deployed and the new text over the same time range first.',
    answer: 'hits',
  } as const;
  const deploy = {
    label: '$(cloud-upload) Deploy',
    detail: 'Exactly the plan that is shown.',
    answer: 'deploy',
  } as const;
  return askWithWayOut<'deploy' | 'hits'>({
    title: production ? `PRODUCTION · ${question}` : question,
    wayOut: 'Nothing is deployed.',
    reasons: production ? [{ label: `${profileLabel(profile)} is a production account.` }, ...risks] : risks,
    choices: hasHits ? [hits, deploy] : [deploy],
    about: plan.operations.map(({ action, kind, id, changes, part }) => {
      const fields = action === 'update' ? `: ${changes.map(({ field }) => field).join(', ')}` : '';
      return `$(${actionIcons[action]}) ${verbs[action]} ${wordOf(kind)} ${id}${fields}${part ? ' (last)' : ''}`;
    }),
  });
}

const actionIcons = { create: 'add', update: 'edit', delete: 'trash' } as const;

const ranges = ['last 24 hours', 'last 7 days', 'last 30 days'] as const;

/** The time range for comparing hits; `range: undefined` is each query's own. */
export async function askRange(): Promise<{ readonly range: ReturnType<typeof rangeOf> } | undefined> {
  const own = {
    label: '$(history) Each query’s own',
    description: 'what it says as -- @range, else the last 24 hours',
  };
  const other = { label: '$(calendar) Another…', description: 'e.g. yesterday, -36h, 2026-01-05 to 2026-01-06' };
  const picked = await vscode.window.showQuickPick([own, ...ranges.map((label) => ({ label })), other], {
    title: 'Compare Hits',
    placeHolder: 'Time range for the deployed and the new text; two requests a changed query',
  });
  if (!picked) return undefined;
  if (picked === own) return { range: undefined };
  if (picked !== other) return { range: rangeOf(picked.label) };
  const written = await vscode.window.showInputBox({
    title: 'Compare Hits',
    prompt: 'Time range, e.g. yesterday, -36h, 2026-01-05 to 2026-01-06',
    validateInput: (text) => {
      const parsed = parseTimeRange(text, Date.now());
      return parsed.kind === 'invalid' ? parsed.message : undefined;
    },
  });
  return written === undefined ? undefined : { range: rangeOf(written) };
}

function rangeOf(text: string): { readonly start: number; readonly end: number } | undefined {
  const parsed = parseTimeRange(text, Date.now());
  return parsed.kind === 'range' ? parsed.range : undefined;
}
