import path from 'node:path';
import * as vscode from 'vscode';
import { newFileText, textAsDeployed } from '../../../server/core/content/files/write-file.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type Conflicts, createConflicts } from './conflicts.ts';
import { type ContentPlace, type ContentState, createContentState, pathIn } from './content-state.ts';
import { createContentStatus } from './content-status.ts';
import { createContentView } from './content-view.ts';
import { createDriftDecorations } from './decorations.ts';
import { createDeployments, type Deployments } from './deployments.ts';
import { createContentLenses } from './lenses.ts';
import { createMissingBases, type MissingBases } from './missing-bases.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createPromotion, type Promotion } from './promotion.ts';
import { createPulls, type Pulls } from './pulls.ts';
import { countsOf } from './source-control.ts';

export interface ContentSession
  extends vscode.Disposable,
    Pulls,
    Deployments,
    Conflicts,
    MissingBases,
    Policies,
    Promotion {
  readonly state: ContentState;
  showDrift(): Promise<void>;
  compareDeployed(key: string): Promise<void>;
}

/** Content of one folder against the account in use. */
export function createContentSession(services: Services, placeOf: () => ContentPlace): ContentSession {
  const { session, log } = services;
  const state = createContentState(services, placeOf);
  const { documents } = state;
  const pulls = createPulls(services, state);
  const deployments = createDeployments(services, state);
  const conflicts = createConflicts(services, state, {
    compare: compareDeployed,
    take: (key) => pulls.take(new Set([key])),
  });
  const missingBases = createMissingBases(services, state);
  // An edit shows at once; the account is not asked for it. What ends a merge is looked at there.
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    const { known } = state;
    const file = known && pathIn(known.options.root, uri);
    if (!known || file === undefined || known.merges.some(({ merge }) => merge.path === file)) return;
    state.compareFiles().catch((error: unknown) => log.debug(`Comparing after a save failed: ${String(error)}`));
  });

  async function compareDeployed(key: string): Promise<void> {
    const { found, known } = state.comparisonOf(key);
    const { comparison, options } = known;
    const local = comparison.folder.objects.get(key);
    const file = local && comparison.folder.files.find(({ path: of }) => of === local.path);
    const name = `${found.kind}/${found.id}.yaml`;
    const there = found.remote;
    const deployed = there ? ((local && file && textAsDeployed(file.text, local, there)) ?? newFileText(there)) : '';
    const left = documents.set(`account/${name}`, deployed);
    const right = local ? vscode.Uri.file(path.join(options.root, local.path)) : documents.set(`files/${name}`, '');
    await vscode.commands.executeCommand('vscode.diff', left, right, `${found.id}: ${known.profile.name} ↔ file`);
  }

  async function showDrift(): Promise<void> {
    await vscode.commands.executeCommand('workbench.view.scm');
    const { conflicts: toResolve, toPull } = countsOf(await state.compare());
    const { name } = session.profile;
    const counts = [
      ...(toPull > 0 ? [`${toPull} to pull`] : []),
      ...(toResolve > 0 ? [`${toResolve} to resolve`] : []),
    ];
    void vscode.window.showInformationMessage(
      plainMessage(
        counts.length === 0
          ? `${name} has nothing that the files do not have.`
          : `${name} and the files differ: ${counts.join(', ')}.`,
      ),
    );
  }

  const parts = vscode.Disposable.from(
    state,
    saved,
    conflicts,
    missingBases,
    createContentView(state),
    createContentLenses(state),
    createDriftDecorations(state),
    createContentStatus(state),
  );
  return {
    ...pulls,
    ...deployments,
    ...conflicts,
    ...missingBases,
    ...createPolicies(services, state, deployments),
    ...createPromotion(services, state, deployments),
    state,
    showDrift,
    compareDeployed,
    dispose: () => parts.dispose(),
  };
}
