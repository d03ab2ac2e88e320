import path from 'node:path';
import * as vscode from 'vscode';
import {
  adoptInSync,
  type ContentOptions,
  compareFolder,
  deployPlan,
  type FolderComparison,
  planDeployment,
  planUndo,
} from '../../../server/api/content/content-sync.ts';
import { pullContent } from '../../../server/api/content/pull-content.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { describePlan, describeResults, planSummary } from '../../../server/core/content/describe-plan.ts';
import { readContentFile } from '../../../server/core/content/files/content-file.ts';
import { defaultLayout } from '../../../server/core/content/files/file-names.ts';
import { newFileText, textAsDeployed } from '../../../server/core/content/files/write-file.ts';
import { type Plan, wordOf } from '../../../server/core/content/plan.ts';
import { createLineIndex } from '../../../server/core/text/line-index.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { createContentDocuments } from './content-documents.ts';
import { type ContentSourceControl, createContentSourceControl, groupOf } from './source-control.ts';

export interface ContentSession extends vscode.Disposable {
  pull(): Promise<void>;
  plan(): Promise<void>;
  deployChanges(): Promise<void>;
  deployFile(uri: vscode.Uri | undefined): Promise<void>;
  showDrift(): Promise<void>;
  undo(): Promise<void>;
  compareDeployed(key: string): Promise<void>;
  resolve(key: string): Promise<void>;
}

/** More reasons than these nobody reads in a question; the plan has them all. */
const maxReasons = 8;

const everything = { only: undefined, take: new Set<string>() } as const;

/** Content of one folder against the account in use. Nothing is asked of the account but by a command. */
export function createContentSession({ session, log, context }: Services, rootOf: () => string): ContentSession {
  const documents = createContentDocuments();
  const diagnostics = vscode.languages.createDiagnosticCollection('lql-content');
  let control: { readonly key: string; readonly view: ContentSourceControl } | undefined;
  let last: { readonly options: ContentOptions; readonly comparison: FolderComparison } | undefined;
  let busy = false;

  /** One piece of work at a time: two at once would read each other's half-done state. */
  async function alone<T>(
    title: string,
    work: (options: ContentOptions, token: vscode.CancellationToken) => Promise<T>,
  ): Promise<T> {
    if (!vscode.workspace.isTrusted)
      throw new UserError('This workspace is not trusted, so nothing is read from or written to an account.');
    if (busy) throw new UserError('Another pull or deployment is still under way. Wait for its end, or cancel it.');
    busy = true;
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (_, token) => {
          const abort = new AbortController();
          const cancelling = token.onCancellationRequested(() => abort.abort());
          try {
            return await session.withApi(({ content }) =>
              work({ root: rootOf(), account: content, signal: undefined, now: () => Date.now() }, token),
            );
          } catch (error) {
            throw error instanceof ApiError
              ? new UserError(`${error.message} ${error.action}`, [], { cause: error })
              : error;
          } finally {
            cancelling.dispose();
          }
        },
      );
    } finally {
      busy = false;
    }
  }

  function show(options: ContentOptions, comparison: FolderComparison): void {
    const key = `${options.account.id}\n${options.root}`;
    if (control?.key !== key) {
      control?.view.dispose();
      control = { key, view: createContentSourceControl(options.root, session.profile.name, originalOf) };
    }
    last = { options, comparison };
    for (const file of watched) originalOf(file);
    control.view.show(comparison);
    showProblems(options.root, comparison);
  }

  function showProblems(root: string, { problems, folder }: FolderComparison): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const { path: of, range, message } of problems) {
      if (of === undefined) continue;
      const text = folder.files.find((file) => file.path === of)?.text ?? '';
      const lines = createLineIndex(text);
      const start = lines.positionAt(range?.start ?? 0);
      const place = new vscode.Range(start.line, start.character, start.line, start.character + 1);
      const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Warning);
      diagnostic.source = 'lql content';
      byFile.set(of, [...(byFile.get(of) ?? []), diagnostic]);
    }
    diagnostics.clear();
    for (const [file, found] of byFile) diagnostics.set(vscode.Uri.file(path.join(root, file)), found);
  }

  // Files whose bars are shown: their originals change with the account.
  const watched = new Set<vscode.Uri>();

  /** The file as it would be if it said what the account says. */
  function originalOf(file: vscode.Uri): vscode.Uri | undefined {
    if (!last || file.scheme !== 'file') return undefined;
    const { comparison, options } = last;
    const relative = path.relative(options.root, file.fsPath).split(path.sep).join('/');
    const found = comparison.folder.files.find((candidate) => candidate.path === relative);
    if (!found) return undefined;
    watched.add(file);
    let { text } = found;
    for (const { kind, id } of found.objects) {
      const there = comparison.remote.get(contentKey({ kind, id }));
      const here = readContentFile(relative, text, defaultLayout, options.account.names).objects.find(
        (object) => object.kind === kind && object.id === id,
      );
      if (there && here) text = textAsDeployed(text, here, there) ?? text;
    }
    return documents.set(`original/${relative}`, text);
  }

  /** A plan, and what keeps files out of it. */
  function planText(plan: Plan, problems: FolderComparison['problems']): string {
    const lines = problems.map(({ path: of, message }) => `  ${of === undefined ? '' : `${of}: `}${message}`);
    const found = lines.length === 0 ? '' : `\nNot looked at:\n${lines.join('\n')}\n`;
    return describePlan(plan, session.profile.name) + found;
  }

  async function compareNow(options: ContentOptions): Promise<FolderComparison> {
    const comparison = await compareFolder(options);
    show(options, comparison);
    return comparison;
  }

  // An edit shows at once; the account is not asked for it.
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (!last || busy || uri.scheme !== 'file' || !uri.fsPath.startsWith(last.options.root + path.sep)) return;
    const { options, comparison } = last;
    void compareFolder(options, comparison.remote).then(
      (next) => show(options, next),
      (error: unknown) => log.debug(`Comparing after a save failed: ${String(error)}`),
    );
  });

  const isBusyIn = (root: string) => {
    const dirty = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.fsPath));
    return (file: string): boolean => dirty.has(path.join(root, file));
  };

  async function showText(name: string, text: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(documents.set(name, text));
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: false });
  }

  async function pull(take: ReadonlySet<string> = everything.take): Promise<void> {
    await alone('Pulling from the account', async (options) => {
      const comparison = await compareFolder(options);
      const only = take.size > 0 ? take : undefined;
      const { pulled, left } = await pullContent(comparison, options, { only, take, isBusy: isBusyIn(options.root) });
      await compareNow(options);
      const files = `${pulled.length} ${pulled.length === 1 ? 'file' : 'files'} written`;
      if (left.length === 0)
        void vscode.window.showInformationMessage(`Pulled from ${session.profile.name}: ${files}.`);
      else {
        const lines = left.map(
          ({ step, message }) => `${wordOf(step.comparison.kind)} ${step.comparison.id}: ${message}`,
        );
        await showText(
          'Pull.txt',
          `Pulled from ${session.profile.name}: ${files}.\n\nLeft for you to decide:\n${lines.map((line) => `  ${line}`).join('\n')}\n`,
        );
      }
    });
  }

  const planNow = (
    comparison: FolderComparison,
    options: ContentOptions,
    prune: boolean,
    only?: ReadonlySet<string>,
  ): Plan => planDeployment(comparison, options, { prune, only, overwrite: decided });
  /** Objects of which a person said that the file's side holds; forgotten once deployed. */
  const decided = new Set<string>();

  /** Shows the plan, asks, and applies exactly what was shown. */
  async function review(plan: Plan, options: ContentOptions, undoes?: string): Promise<void> {
    await showText('Plan.txt', planText(plan, last?.comparison.problems ?? []));
    if (plan.operations.length === 0) return;
    if (!(await confirmed(plan))) return;
    await alone('Deploying', async (fresh, token) => {
      if (fresh.account.id !== options.account.id)
        throw new UserError('The account was switched after the plan was made, so nothing was deployed. Plan again.');
      const { result } = await deployPlan(plan, fresh, { undoes, cancelled: () => token.isCancellationRequested });
      const comparison = await compareNow(fresh);
      await adoptInSync(comparison, fresh);
      if (result.kind === 'stale') {
        const names = result.changed.map((key) => key.replace('\n', ' ')).join(', ');
        throw new UserError(
          `The account changed since the plan was made (${names}). Nothing was deployed. Plan again.`,
        );
      }
      for (const operation of plan.operations) decided.delete(contentKey(operation));
      await showText('Deployment.txt', describeResults(result.results));
      const failed = result.results.filter(({ outcome }) => outcome.kind !== 'done').length;
      if (failed > 0)
        void vscode.window.showWarningMessage(
          `${failed} of ${result.results.length} changes were not deployed. The list says why.`,
        );
      else
        void vscode.window.showInformationMessage(
          `Deployed to ${session.profile.name}: ${planSummary({ ...plan, obstacles: [] })}.`,
        );
    });
  }

  async function confirmed(plan: Plan): Promise<boolean> {
    const { profile } = session;
    const risky = [
      ...plan.warnings,
      ...plan.operations.flatMap(({ kind, id, warnings }) =>
        warnings.map((warning) => `${wordOf(kind)} ${id}: ${warning}`),
      ),
    ];
    if (profile.kind === 'remote' && profile.environment === 'production')
      risky.unshift('This is a production account.');
    const question = `Deploy to ${profile.name}: ${planSummary({ ...plan, obstacles: [] })}?`;
    if (risky.length === 0)
      return (await vscode.window.showInformationMessage(question, 'Deploy', 'Cancel')) === 'Deploy';
    // What takes something away: the way out is what Enter chooses, and the plan stays readable behind the question.
    const cancel: vscode.QuickPickItem = { label: '$(close) Cancel', detail: 'Nothing is deployed.' };
    const deploy: vscode.QuickPickItem = { label: '$(cloud-upload) Deploy', detail: 'Exactly the plan that is shown.' };
    const reasons: vscode.QuickPickItem[] = risky
      .slice(0, maxReasons)
      .map((reason) => ({ label: `$(warning) ${reason}` }));
    if (risky.length > maxReasons)
      reasons.push({ label: `$(warning) … and ${risky.length - maxReasons} more, in the plan` });
    const separator: vscode.QuickPickItem = { label: 'why this is asked', kind: vscode.QuickPickItemKind.Separator };
    const picked = await vscode.window.showQuickPick([cancel, deploy, separator, ...reasons], {
      title: question,
      ignoreFocusOut: true,
    });
    return picked === deploy;
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
      title: 'Deploy Changes',
      placeHolder: 'What to deploy; deletions are off until you choose them',
    });
    return picked && picked.length > 0 ? new Set(picked.map(({ key }) => key)) : undefined;
  }

  async function deployChanges(): Promise<void> {
    const { options, comparison } = await alone('Comparing files and account', async (fresh) => ({
      options: fresh,
      comparison: await compareNow(fresh),
    }));
    const all = planNow(comparison, options, true);
    if (all.operations.length === 0) return review(all, options);
    const keys = await chosenKeys(all);
    if (keys) await review(planNow(comparison, options, true, keys), options);
  }

  async function deployFile(uri: vscode.Uri | undefined): Promise<void> {
    const file = uri ?? vscode.window.activeTextEditor?.document.uri;
    if (!file) throw new UserError('Open the file that you want to deploy.');
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === file.toString());
    if (open?.isDirty) await open.save();
    const { options, comparison } = await alone('Comparing files and account', async (fresh) => ({
      options: fresh,
      comparison: await compareNow(fresh),
    }));
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
    await review(planNow(comparison, options, false, new Set(keys)), options);
  }

  function comparisonOf(key: string) {
    const found = last?.comparison.comparisons.find((candidate) => contentKey(candidate) === key);
    if (!found || !last) throw new UserError('The comparison is out of date. Run “LQL: Show Drift” to compare again.');
    return { found, last };
  }

  async function compareDeployed(key: string): Promise<void> {
    const { found, last: shown } = comparisonOf(key);
    const local = shown.comparison.folder.objects.get(key);
    const file = local && shown.comparison.folder.files.find(({ path: of }) => of === local.path);
    const name = `${found.kind}/${found.id}.yaml`;
    const there = found.remote;
    const deployed = there ? ((local && file && textAsDeployed(file.text, local, there)) ?? newFileText(there)) : '';
    const left = documents.set(`account/${name}`, deployed);
    const right = local
      ? vscode.Uri.file(path.join(shown.options.root, local.path))
      : documents.set(`files/${name}`, '');
    await vscode.commands.executeCommand('vscode.diff', left, right, `${found.id}: account ↔ file`);
  }

  async function resolve(key: string): Promise<void> {
    const { found } = comparisonOf(key);
    const picked = await vscode.window.showQuickPick(
      [
        { label: '$(diff) Compare', detail: 'Look at both sides first.', way: 'compare' },
        {
          label: '$(cloud-download) Take the account’s side',
          detail: 'The file’s text is kept in .lql/texts.',
          way: 'theirs',
        },
        {
          label: '$(cloud-upload) Keep the file’s side',
          detail: 'The next plan overwrites the account’s. Nothing is written now.',
          way: 'mine',
        },
      ],
      { title: `${wordOf(found.kind)} ${found.id}` },
    );
    if (picked?.way === 'compare') await compareDeployed(key);
    if (picked?.way === 'theirs') await pull(new Set([key]));
    if (picked?.way === 'mine') decided.add(key);
  }

  context.subscriptions.push(documents, diagnostics, saved);
  return {
    pull: () => pull(),
    async plan() {
      await alone('Comparing files and account', async (options) => {
        const comparison = await compareNow(options);
        await showText('Plan.txt', planText(planNow(comparison, options, true), comparison.problems));
      });
    },
    deployChanges,
    deployFile,
    async showDrift() {
      await alone('Comparing files and account', async (options) => {
        const { comparisons } = await compareNow(options);
        const count = comparisons.filter(
          ({ state }) => groupOf(state) === 'toPull' || groupOf(state) === 'conflicts',
        ).length;
        await vscode.commands.executeCommand('workbench.view.scm');
        void vscode.window.showInformationMessage(
          count === 0
            ? `${session.profile.name} has nothing that the files do not have.`
            : `${count} ${count === 1 ? 'object' : 'objects'} of ${session.profile.name} changed without the files.`,
        );
      });
    },
    async undo() {
      const { options, undo } = await alone('Reading the last deployment', async (fresh) => ({
        options: fresh,
        undo: await planUndo(fresh),
      }));
      if (undo.kind === 'nothing') throw new UserError(undo.message);
      await review(undo.plan, options, undo.deployment.id);
    },
    compareDeployed,
    resolve,
    dispose: () => control?.view.dispose(),
  };
}
