import * as vscode from 'vscode';
import {
  adoptInSync,
  type ContentOptions,
  deployPlan,
  type FolderComparison,
} from '../../../server/api/content/content-sync.ts';
import { planBehaviour } from '../../../server/api/content/plan-behaviour.ts';
import { overridesLeftOut, readOverrides } from '../../../server/api/content/promote.ts';
import type { OperationResult } from '../../../server/core/content/apply.ts';
import { behaviourChecks } from '../../../server/core/content/behaviour.ts';
import { describeBehaviour } from '../../../server/core/content/describe-behaviour.ts';
import { describePlan, describeResults, planSummary } from '../../../server/core/content/describe-plan.ts';
import { overridesFile } from '../../../server/core/content/overrides.ts';
import type { Plan } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import { askRange, askToDeploy, refuseReadOnly } from './ask-to-deploy.ts';
import type { ContentState, Known, RunWork } from './content-state.ts';

export interface Review {
  /** Shows a plan, asks, and applies exactly what was shown. Undefined when nothing was applied. */
  review(plan: Plan, options: ContentOptions, how?: ReviewOptions): Promise<readonly OperationResult[] | undefined>;
  showFilesPlan(plan: Plan, known: Known): Promise<void>;
  /** Compares the hits of the plan that is shown; false when none is. */
  compareShown(): Promise<boolean>;
  /** Says what became of a deployment. */
  tell(plan: Plan, profile: Profile, results: readonly OperationResult[], how?: ReviewOptions): Promise<void>;
}

/** The account that a plan is made for. */
export interface DeployTarget {
  readonly profile: Profile;
  /** What was seen of it when the plan was made. */
  readonly comparison: FolderComparison;
  /** Work on it, one at a time and with a progress. */
  readonly run: RunWork;
}

export interface ReviewOptions {
  /** Another account than the one in use. */
  readonly target?: DeployTarget;
  /** Id of the deployment that the plan takes back. */
  readonly undoes?: string;
  /** What is deployed is not what the files say; `done` notes what is then in sync. */
  readonly done?: (results: readonly OperationResult[], options: ContentOptions) => Promise<void>;
  /** A sentence above the plan. */
  readonly preface?: string;
}

/** What is shown is what is applied: plans on their way from a text to an account. */
export function createReview(state: ContentState): Review {
  /** The plan that is shown, and for which account. */
  let shown: { readonly plan: Plan; readonly text: string; readonly target: DeployTarget } | undefined;

  const inUse = ({ comparison, profile }: Known): DeployTarget => ({ profile, comparison, run: state.alone });

  async function showPlan(plan: Plan, target: DeployTarget, preface = ''): Promise<void> {
    const problems = target.comparison.problems.map(
      ({ path: of, message }) => `  ${of === undefined ? '' : `${of}: `}${message}`,
    );
    const left = problems.length === 0 ? '' : `\nNot looked at:\n${problems.join('\n')}\n`;
    const text = `${preface}${describePlan(plan, profileLabel(target.profile))}${left}`;
    shown = { plan, text, target };
    await state.showText(planName, text);
  }

  const review: Review['review'] = async (plan, options, how = {}) => {
    const { known } = state;
    const target = how.target ?? (known && inUse(known));
    if (!target) throw new UserError('The comparison is out of date. Plan again.');
    // What is taken back or switched does not come from the files.
    const fromFiles = how.target === undefined && how.done === undefined;
    await showPlan(plan, target, fromFiles ? await leftOut(plan, options, target.profile) : how.preface);
    if (plan.operations.length === 0) return undefined;
    refuseReadOnly(target.profile);
    const hasHits = behaviourChecks(plan, target.comparison.remote).length > 0;
    for (;;) {
      const answer = await askToDeploy(plan, target.profile, hasHits, how.target !== undefined);
      if (answer === 'deploy') break;
      if (answer === undefined) return undefined;
      await compareShown();
    }
    return target.run(`Deploying to ${profileLabel(target.profile)}`, async (fresh, { token, report }) => {
      if (fresh.account.id !== options.account.id)
        throw new UserError('The account was switched after the plan was made, so nothing was deployed. Plan again.');
      // A call that is cut off may or may not have been carried out: cancelling ends between operations.
      const uncut = { ...fresh, signal: undefined };
      const { result } = await deployPlan(plan, uncut, {
        undoes: how.undoes,
        keepLock: how.done !== undefined,
        cancelled: () => token.isCancellationRequested,
        progress: report,
      });
      const compareAgain = async (): Promise<void> => {
        if (how.target) return;
        const { comparison } = await state.compareIn(uncut);
        await adoptInSync(comparison, uncut);
      };
      if (result.kind === 'stale') {
        await compareAgain();
        const names = result.changed.map((key) => key.replace('\n', ' ')).join(', ');
        throw new UserError(
          `The account changed since the plan was made (${names}). Nothing was deployed. Plan again.`,
        );
      }
      await how.done?.(result.results, uncut);
      await compareAgain();
      await tell(plan, target.profile, result.results, how);
      return result.results;
    });
  };

  async function tell(
    plan: Plan,
    profile: Profile,
    results: readonly OperationResult[],
    how: ReviewOptions = {},
  ): Promise<void> {
    await state.showText('Deployment', describeResults(results));
    const failed = results.filter(({ outcome }) => outcome.kind !== 'done').length;
    if (failed > 0) {
      void vscode.window.showWarningMessage(
        plainMessage(`${failed} of ${results.length} changes were not deployed. The list says why.`),
      );
      return;
    }
    const message = `Deployed to ${profileLabel(profile)}: ${planSummary({ ...plan, obstacles: [] })}.`;
    // Undoing is offered where it would undo this.
    const offers = how.target || how.undoes !== undefined ? [] : ['Undo'];
    void vscode.window
      .showInformationMessage(plainMessage(message), ...offers)
      .then((picked) => picked && vscode.commands.executeCommand('lql.undoDeployment'));
  }

  async function compareShown(): Promise<boolean> {
    if (!shown) return false;
    const { plan, text, target } = shown;
    const range = await askRange();
    if (range === undefined) return true;
    const result = await target.run('Comparing hits', (options) =>
      planBehaviour(plan, target.comparison.remote, options, { range: range.range }),
    );
    if (result.kind === 'refused') throw new UserError(result.message);
    if (result.kind === 'nothing') {
      void vscode.window.showInformationMessage(
        'The plan changes no query that runs today, so there are no hits to compare.',
      );
      return true;
    }
    await state.showText(planName, `${text}\n${describeBehaviour(result.queries)}`, text.split('\n').length);
    return true;
  }

  return {
    review,
    async showFilesPlan(plan, known) {
      await showPlan(plan, inUse(known), await leftOut(plan, known.options, known.profile));
    },
    compareShown,
    tell,
  };
}

const planName = 'Plan';
const mostLeftOut = 8;

/** Says above a plan of the files what it does not take from the overrides. */
async function leftOut(plan: Plan, options: ContentOptions, { name }: Profile): Promise<string> {
  const lines = overridesLeftOut(plan, options, { overrides: await readOverrides(options.root), label: name });
  if (lines.length === 0) return '';
  const more = lines.length > mostLeftOut ? [`… and ${lines.length - mostLeftOut} more`] : [];
  const own = [...lines.slice(0, mostLeftOut), ...more].map((line) => `  ${line}\n`).join('');
  return `${overridesFile} counts in promotions alone. This plan takes the files as they are, so not:\n${own}\n`;
}
