import path from 'node:path';
import * as vscode from 'vscode';
import {
  adoptInSync,
  type ContentOptions,
  deployPlan,
  type FolderComparison,
  interruptedDeployment,
  planDeployment,
  planUndo,
} from '../../../server/api/content/content-sync.ts';
import { noteChanges } from '../../../server/api/content/note-changes.ts';
import { planBehaviour } from '../../../server/api/content/plan-behaviour.ts';
import type { OperationResult } from '../../../server/core/content/apply.ts';
import { behaviourChecks } from '../../../server/core/content/behaviour.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { describeBehaviour } from '../../../server/core/content/describe-behaviour.ts';
import { describePlan, describeResults, planSummary } from '../../../server/core/content/describe-plan.ts';
import { type Plan, wordOf } from '../../../server/core/content/plan.ts';
import { parseTimeRange } from '../../../server/core/resources/time-range.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import { askWithWayOut } from './ask.ts';
import type { ContentState, Known } from './content-state.ts';

export interface Deployments {
  plan(): Promise<void>;
  deployChanges(): Promise<void>;
  deployFile(uri: vscode.Uri | undefined): Promise<void>;
  deployObjects(keys: ReadonlySet<string>): Promise<void>;
  undo(): Promise<void>;
  /** Compares the hits of the plan that is shown, or of all changes when none is. */
  compareHits(): Promise<void>;
  /** Shows a plan, asks, and applies exactly what was shown. Undefined when nothing was applied. */
  review(plan: Plan, options: ContentOptions, how?: ReviewOptions): Promise<readonly OperationResult[] | undefined>;
}

/** The account that a plan is made for. */
export interface DeployTarget {
  readonly profile: Profile;
  /** What was seen of it when the plan was made. */
  readonly comparison: FolderComparison;
  /** Work on it, one at a time and with a progress. */
  run<T>(title: string, work: (options: ContentOptions, token: vscode.CancellationToken) => Promise<T>): Promise<T>;
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

/** Plans, reviews and deployments to the account in use. */
export function createDeployments({ session }: Services, state: ContentState): Deployments {
  /** The plan that is shown, and for which account. */
  let shown: { readonly plan: Plan; readonly text: string; readonly target: DeployTarget } | undefined;

  const inUse = ({ comparison, profile }: Known): DeployTarget => ({ profile, comparison, run: state.alone });

  const planOf = ({ comparison, options }: Known, prune: boolean, only?: ReadonlySet<string>): Plan =>
    planDeployment(comparison, options, { prune, only, overwrite: new Set() });

  async function showPlan(plan: Plan, target: DeployTarget, preface = ''): Promise<void> {
    const problems = target.comparison.problems.map(
      ({ path: of, message }) => `  ${of === undefined ? '' : `${of}: `}${message}`,
    );
    const left = problems.length === 0 ? '' : `\nNot looked at:\n${problems.join('\n')}\n`;
    const text = `${preface}${describePlan(plan, profileLabel(target.profile))}${left}`;
    shown = { plan, text, target };
    await state.showText(planName, text);
  }

  const review: Deployments['review'] = async (plan, options, how = {}) => {
    const { known } = state;
    const target = how.target ?? (known && inUse(known));
    if (!target) throw new UserError('The comparison is out of date. Plan again.');
    await showPlan(plan, target, how.preface);
    if (plan.operations.length === 0) return undefined;
    refuseReadOnly(target.profile);
    const hasHits = behaviourChecks(plan, target.comparison.remote).length > 0;
    for (;;) {
      const answer = await askToDeploy(plan, target.profile, hasHits, how.target !== undefined);
      if (answer === 'deploy') break;
      if (answer === undefined) return undefined;
      await compareHits();
    }
    return target.run('Deploying', async (fresh, token) => {
      if (fresh.account.id !== options.account.id)
        throw new UserError('The account was switched after the plan was made, so nothing was deployed. Plan again.');
      // A call that is cut off may or may not have been carried out: cancelling ends between operations.
      const uncut = { ...fresh, signal: undefined };
      const { result } = await deployPlan(plan, uncut, {
        undoes: how.undoes,
        keepLock: how.done !== undefined,
        cancelled: () => token.isCancellationRequested,
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

  function refuseReadOnly(profile: Profile): void {
    if (profile.kind !== 'remote' || !profile.readOnly) return;
    throw new UserError(
      `${profileLabel(profile)} is read only for you, so this plan cannot be deployed. Nothing was changed.`,
      [{ title: 'Switch Account', command: 'lql.switchAccount' }],
    );
  }

  async function askToDeploy(
    plan: Plan,
    profile: Profile,
    hasHits: boolean,
    elsewhere: boolean,
  ): Promise<'deploy' | 'hits' | undefined> {
    const production = profile.kind === 'remote' && profile.environment === 'production';
    const risks = [
      ...(elsewhere ? [`${profileLabel(profile)} is another account than the one this window works with.`] : []),
      ...plan.warnings,
      ...plan.operations.flatMap(({ kind, id, warnings }) =>
        warnings.map((warning) => `${wordOf(kind)} ${id}: ${warning}`),
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
      reasons: production ? [`${profileLabel(profile)} is a production account.`, ...risks] : risks,
      choices: hasHits ? [hits, deploy] : [deploy],
      about: plan.operations.map(({ action, kind, id, changes }) => {
        const fields = action === 'update' ? `: ${changes.map(({ field }) => field).join(', ')}` : '';
        return `$(${actionIcons[action]}) ${action} ${wordOf(kind)} ${id}${fields}`;
      }),
    });
  }

  async function compareHits(): Promise<void> {
    const { plan, text, target } = shown ?? (await planAll());
    const range = await askRange();
    if (range === undefined) return;
    const result = await target.run('Comparing hits', (options) =>
      planBehaviour(plan, target.comparison.remote, options, { range: range.range }),
    );
    if (result.kind === 'refused') throw new UserError(result.message);
    if (result.kind === 'nothing') {
      void vscode.window.showInformationMessage(
        'The plan changes no query that runs today, so there are no hits to compare.',
      );
      return;
    }
    await state.showText(planName, `${text}\n${describeBehaviour(result.queries)}`);
  }

  async function planAll(): Promise<NonNullable<typeof shown>> {
    const known = await state.compare();
    await showPlan(planOf(known, true), inUse(known));
    if (!shown) throw new UserError('There is no plan.');
    return shown;
  }

  async function chosenKeys(plan: Plan): Promise<ReadonlySet<string> | undefined> {
    const items = plan.operations.map((operation) => ({
      label: operation.id,
      description: `${operation.action} ${wordOf(operation.kind)}`,
      detail: operation.warnings.join(' '),
      picked: operation.action !== 'delete',
      key: contentKey(operation),
    }));
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: `Deploy Changes to ${profileLabel(session.profile)}`,
      placeHolder: 'What to deploy; deletions are off until you choose them',
    });
    return picked && picked.length > 0 ? new Set(picked.map(({ key }) => key)) : undefined;
  }

  /** A deployment that a crash cut short comes first: what it left behind would look like somebody's change. */
  async function finishInterrupted(known: Known): Promise<boolean> {
    const deployment = await interruptedDeployment(known.options);
    if (!deployment || deployment.entries.length === 0) return true;
    const finish = 'Finish It';
    const answer = await vscode.window.showWarningMessage(
      plainMessage(
        `The deployment of ${deployment.startedAt} was cut short. Finish it first, or go on without: what it did already stays.`,
      ),
      finish,
      'Go On',
    );
    if (answer !== finish) return answer === 'Go On';
    await state.alone('Finishing the deployment', async (options, token) => {
      const uncut = { ...options, signal: undefined };
      const { result } = await deployPlan(deployment.plan, uncut, {
        resume: deployment,
        cancelled: () => token.isCancellationRequested,
      });
      await state.compareIn(uncut);
      if (result.kind === 'stale')
        throw new UserError('The account changed since, so the rest of the deployment was left undone. Plan again.');
      await tell(deployment.plan, known.profile, result.results);
    });
    return false;
  }

  return {
    review,
    compareHits,
    async plan() {
      const known = await state.compare();
      await showPlan(planOf(known, true), inUse(known));
    },
    async deployChanges() {
      const known = await state.compare();
      if (!(await finishInterrupted(known))) return;
      const all = planOf(known, true);
      const keys = all.operations.length === 0 ? new Set<string>() : await chosenKeys(all);
      if (keys) await review(planOf(known, true, keys.size === 0 ? undefined : keys), known.options);
    },
    async deployObjects(keys) {
      const known = await state.compare();
      await review(planOf(known, true, keys), known.options);
    },
    async deployFile(uri) {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (!file) throw new UserError('Open the file that you want to deploy.');
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
      if (open?.isDirty) await open.save();
      const known = await state.compare();
      const { comparison, options } = known;
      const keys = [...comparison.folder.objects].flatMap(([key, object]) =>
        path.join(options.root, object.path) === file.fsPath ? [key] : [],
      );
      if (keys.length === 0) {
        const problem = comparison.problems.find(
          ({ path: of }) => of !== undefined && path.join(options.root, of) === file.fsPath,
        );
        throw new UserError(
          problem?.message ??
            'The file holds nothing that can be deployed: a query, policy, alert profile or exception with its id, below the folder of the content.',
        );
      }
      await review(planOf(known, false, new Set(keys)), options);
    },
    async undo() {
      const { undo, known } = await state.alone('Reading the last deployment', async (options) => ({
        known: await state.compareIn(options),
        undo: await planUndo(options),
      }));
      if (undo.kind === 'nothing') throw new UserError(undo.message);
      await review(undo.plan, known.options, {
        undoes: undo.deployment.id,
        done: (results, options) => noteChanges(results, known.comparison, options),
      });
    },
  };
}

const planName = 'Plan';
const actionIcons = { create: 'add', update: 'edit', delete: 'trash' } as const;

const ranges = ['last 24 hours', 'last 7 days', 'last 30 days'] as const;

/** The time range for comparing hits; `range: undefined` is each query's own. */
async function askRange(): Promise<{ readonly range: ReturnType<typeof rangeOf> } | undefined> {
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
