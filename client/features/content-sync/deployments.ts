import path from 'node:path';
import * as vscode from 'vscode';
import {
  deployPlan,
  interruptedDeployment,
  planDeployment,
  planUndo,
} from '../../../server/api/content/content-sync.ts';
import { noteChanges } from '../../../server/api/content/note-changes.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { verbs } from '../../../server/core/content/describe-plan.ts';
import { type Plan, wordOf } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import type { ContentState, Known } from './content-state.ts';
import { createReview, type Review } from './review.ts';
import { since } from './since.ts';

export interface Deployments {
  plan(): Promise<void>;
  deployChanges(): Promise<void>;
  deployFile(uri: vscode.Uri | undefined): Promise<void>;
  deployObjects(keys: ReadonlySet<string>): Promise<void>;
  undo(): Promise<void>;
  /** Compares the hits of the plan that is shown, or of all changes when none is. */
  compareHits(): Promise<void>;
  readonly review: Review['review'];
}

/** Plans, reviews and deployments to the account in use. */
export function createDeployments({ session }: Services, state: ContentState): Deployments {
  const { review, showFilesPlan, compareShown, tell } = createReview(state);

  const planOf = ({ comparison, options }: Known, prune: boolean, only?: ReadonlySet<string>): Plan =>
    planDeployment(comparison, options, { prune, only, overwrite: new Set() });

  async function chosenKeys(plan: Plan): Promise<ReadonlySet<string> | undefined> {
    // What is changed in two parts is chosen once.
    const objects = plan.operations.filter(({ part }) => part === undefined);
    const items = objects.map((operation) => ({
      label: operation.id,
      description: `${verbs[operation.action]} ${wordOf(operation.kind)}`,
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
        `A deployment was cut short ${since(deployment.startedAt, Date.now())}. Finish it first, or go on without: what it did already stays.`,
      ),
      finish,
      'Go On',
    );
    if (answer !== finish) return answer === 'Go On';
    await state.alone('Finishing the deployment', async (options, { token, report }) => {
      const uncut = { ...options, signal: undefined };
      const { result } = await deployPlan(deployment.plan, uncut, {
        resume: deployment,
        cancelled: () => token.isCancellationRequested,
        progress: report,
      });
      await state.compareIn(uncut);
      if (result.kind === 'stale')
        throw new UserError('The account changed since, so the rest of the deployment was left undone. Plan again.');
      await tell(deployment.plan, known.profile, result.results);
    });
    return false;
  }

  async function plan(): Promise<void> {
    const known = await state.compare();
    await showFilesPlan(planOf(known, true), known);
  }

  return {
    review,
    async compareHits() {
      if (await compareShown()) return;
      await plan();
      await compareShown();
    },
    plan,
    async deployChanges() {
      const known = await state.compare();
      if (!(await finishInterrupted(known))) return;
      const all = planOf(known, true);
      const keys = all.operations.length === 0 ? new Set<string>() : await chosenKeys(all);
      if (keys) await review(planOf(known, true, keys.size === 0 ? undefined : keys), known.options);
    },
    async deployObjects(keys) {
      const known = await state.compare();
      if (!(await finishInterrupted(known))) return;
      await review(planOf(known, true, keys), known.options);
    },
    async deployFile(uri) {
      const file = uri ?? vscode.window.activeTextEditor?.document.uri;
      if (!file) throw new UserError('Open the file that you want to deploy.');
      const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
      if (open?.isDirty) await open.save();
      const known = await state.compare();
      if (!(await finishInterrupted(known))) return;
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
