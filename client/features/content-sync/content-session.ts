import path from 'node:path';
import * as vscode from 'vscode';
import { pullContent } from '../../../server/api/content/pull-content.ts';
import type { Comparison } from '../../../server/core/content/compare.ts';
import { type ContentKind, contentKey } from '../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../server/core/content/files/content-file.ts';
import { defaultLayout } from '../../../server/core/content/files/file-names.ts';
import { newFileText, textAsDeployed } from '../../../server/core/content/files/write-file.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { createLineIndex } from '../../../server/core/text/line-index.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { askWithWayOut } from './ask.ts';
import { type Conflicts, createConflicts } from './conflicts.ts';
import {
  type ContentPlace,
  type ContentState,
  createContentState,
  isUnsavedIn,
  type Known,
  pathIn,
} from './content-state.ts';
import { createContentStatus } from './content-status.ts';
import { createDriftDecorations } from './decorations.ts';
import { createDeployments, type Deployments } from './deployments.ts';
import { createContentLenses } from './lenses.ts';
import { createMissingBases, type MissingBases } from './missing-bases.ts';
import { createPolicies, type Policies } from './policies.ts';
import { createPromotion, type Promotion } from './promotion.ts';
import { type ContentSourceControl, countsOf, createContentSourceControl, stateWords } from './source-control.ts';

export interface ContentSession extends vscode.Disposable, Deployments, Conflicts, MissingBases, Policies, Promotion {
  readonly state: ContentState;
  pull(): Promise<void>;
  pullObjects(keys: ReadonlySet<string>): Promise<void>;
  discard(keys: ReadonlySet<string>): Promise<void>;
  showDrift(): Promise<void>;
  compareDeployed(key: string): Promise<void>;
}

const nothing: ReadonlySet<string> = new Set();

/** Content of one folder against the account in use. */
export function createContentSession(services: Services, placeOf: () => ContentPlace): ContentSession {
  const { session, log } = services;
  const state = createContentState(services, placeOf);
  const { documents } = state;
  const diagnostics = vscode.languages.createDiagnosticCollection('lql-content');
  const deployments = createDeployments(services, state);
  const conflicts = createConflicts(services, state, {
    compare: compareDeployed,
    take: (key) => pullNow({ keys: new Set([key]), take: true }),
  });
  const missingBases = createMissingBases(services, state);
  let control: { readonly key: string; readonly view: ContentSourceControl } | undefined;

  function show(known: Known | undefined): void {
    if (!known) {
      control?.view.dispose();
      control = undefined;
      diagnostics.clear();
      return;
    }
    const { options } = known;
    const key = `${options.account.id}\n${options.root}`;
    if (control?.key !== key) {
      control?.view.dispose();
      control = { key, view: createContentSourceControl(options.root, profileLabel(known.profile), originalOf) };
    }
    for (const file of watched) originalOf(file);
    control.view.show(known);
    showProblems(known);
  }

  function showProblems({ comparison: { problems, folder }, options: { root }, merges }: Known): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    // That a file with conflict markers cannot be read is no news to whoever merges it.
    const merging = new Set(merges.map(({ merge }) => merge.path));
    for (const { path: of, range, message } of problems) {
      if (of === undefined || merging.has(of)) continue;
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
    const { known } = state;
    const relative = known && pathIn(known.options.root, file);
    if (!known || relative === undefined) return undefined;
    const { comparison, options, merges } = known;
    const found = comparison.folder.files.find((candidate) => candidate.path === relative);
    const merging = merges.find(({ merge }) => merge.path === relative);
    if (!found) return undefined;
    watched.add(file);
    if (merging) return documents.set(`original/${relative}`, merging.merge.account);
    let { text } = found;
    for (const { kind, id } of found.objects) {
      const there = comparison.remote.get(contentKey({ kind, id }));
      const here = readContentFile(relative, text, options.layout ?? defaultLayout, options.account.names).objects.find(
        (object) => object.kind === kind && object.id === id,
      );
      if (there && here) text = textAsDeployed(text, here, there) ?? text;
    }
    return documents.set(`original/${relative}`, text);
  }

  // An edit shows at once; the account is not asked for it. What ends a merge is looked at there.
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    const { known } = state;
    const file = known && pathIn(known.options.root, uri);
    if (!known || file === undefined || known.merges.some(({ merge }) => merge.path === file)) return;
    state.compareFiles().catch((error: unknown) => log.debug(`Comparing after a save failed: ${String(error)}`));
  });

  interface PullWish {
    /** Undefined: everything. */
    readonly keys?: ReadonlySet<string> | undefined;
    /** The account's side holds, whatever the files say: a person said so. */
    readonly take?: boolean;
    /** Policies whose exceptions are asked for, each at the cost of a request. */
    readonly exceptionsOf?: readonly string[];
  }

  async function pullNow({ keys: only, take = false, exceptionsOf = [] }: PullWish): Promise<void> {
    await state.alone('Pulling from the account', async (options) => {
      const asked = { ...options, exceptionsOf };
      const known = await state.compareIn(asked);
      const merging = new Set(known.merges.map(({ merge }) => contentKey(merge.remote)));
      const exceptions = known.comparison.comparisons.filter(({ kind }) => kind === 'exception').map(contentKey);
      const keys = only ?? new Set(exceptionsOf.length > 0 ? exceptions : known.comparison.comparisons.map(contentKey));
      const named = only || exceptionsOf.length > 0 || merging.size > 0;
      const { pulled, left } = await pullContent(known.comparison, asked, {
        only: named ? new Set([...keys].filter((key) => !merging.has(key))) : undefined,
        take: take ? keys : nothing,
        isBusy: isUnsavedIn(options.root),
      });
      await state.compareIn(options);
      const files = `${pulled.length} ${pulled.length === 1 ? 'object' : 'objects'} written into files`;
      if (left.length === 0) {
        void vscode.window.showInformationMessage(plainMessage(`Pulled from ${session.profile.name}: ${files}.`));
        return;
      }
      const lines = left.map(
        ({ step, message }) => `  ${wordOf(step.comparison.kind)} ${step.comparison.id}: ${message}`,
      );
      await state.showText(
        'Pull',
        `Pulled from ${profileLabel(session.profile)}: ${files}.\n\nLeft for you to decide:\n${lines.join('\n')}\n`,
      );
      const decide = 'Show in Source Control';
      void vscode.window
        .showWarningMessage(plainMessage(`${left.length} left for you to decide. Nothing of it was touched.`), decide)
        .then((picked) => picked && vscode.commands.executeCommand('workbench.view.scm'));
    });
  }

  /** All, by kind, or what is chosen. */
  async function pull(): Promise<void> {
    const account = profileLabel(session.profile);
    type Choice = vscode.QuickPickItem & { readonly go: () => Promise<void> };
    const choices: readonly Choice[] = [
      {
        label: '$(cloud-download) Everything',
        description: 'what is new or changed in the account',
        go: () => pullNow({}),
      },
      ...(['query', 'policy', 'alertProfile'] as const).map((kind) => ({
        label: `$(${kindIcons[kind]}) ${kindTitles[kind]}`,
        go: () => pullKind(kind),
      })),
      {
        label: '$(circle-slash) Exceptions of policies…',
        description: 'one request a policy',
        go: () => pullExceptions(),
      },
      { label: '$(list-selection) Choose…', description: 'by name', go: () => pullChosen() },
    ];
    const picked = await vscode.window.showQuickPick(choices, {
      title: `Pull from ${account}`,
      placeHolder: 'Edits in your files are never overwritten',
    });
    await picked?.go();
  }

  async function pullable(): Promise<readonly Comparison[]> {
    const { comparison } = await state.compare();
    const found = comparison.comparisons.filter(
      ({ remote, state: of }) => remote && of !== 'inSync' && of !== 'vendorOwned' && of !== 'localAhead',
    );
    if (found.length === 0)
      throw new UserError(`${profileLabel(session.profile)} has nothing that the files do not have.`);
    return found;
  }

  async function pullKind(kind: ContentKind): Promise<void> {
    const found = (await pullable()).filter((it) => it.kind === kind && it.state !== 'deletedLocally');
    await pullNow({ keys: new Set(found.map(contentKey)) });
  }

  async function pullChosen(): Promise<void> {
    const items = (await pullable()).map((it) => ({
      label: it.id,
      description: `${wordOf(it.kind)}, ${stateWords[it.state]}`,
      key: contentKey(it),
    }));
    const named = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: `Pull from ${profileLabel(session.profile)}`,
      matchOnDescription: true,
    });
    if (named && named.length > 0) await pullNow({ keys: new Set(named.map(({ key }) => key)) });
  }

  async function pullExceptions(): Promise<void> {
    const { comparison } = await state.compare();
    const items = [...comparison.remote.values()]
      .filter(({ kind }) => kind === 'policy')
      .map(({ id, fields }) => ({ label: String(fields['title'] ?? id), description: id, id }));
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: 'Pull Policy Exceptions',
      placeHolder: 'Of which policies; each costs a request',
      matchOnDescription: true,
    });
    if (picked && picked.length > 0) await pullNow({ exceptionsOf: picked.map(({ id }) => id) });
  }

  async function discard(keys: ReadonlySet<string>): Promise<void> {
    const ids = [...keys].map((key) => state.comparisonOf(key).found.id);
    const answer = await askWithWayOut({
      title: `Discard what was changed here in ${ids.join(', ')}?`,
      wayOut: 'The files stay as they are.',
      choices: [
        {
          label: '$(discard) Discard',
          detail: `The files say what ${profileLabel(session.profile)} has. Their texts are kept in .lql/texts.`,
          answer: true,
        },
      ],
      reasons: [],
    });
    if (answer) await pullNow({ keys, take: true });
  }

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
    const count = toResolve + toPull;
    void vscode.window.showInformationMessage(
      plainMessage(
        count === 0
          ? `${session.profile.name} has nothing that the files do not have.`
          : `${count} ${count === 1 ? 'object' : 'objects'} of ${session.profile.name} changed without the files.`,
      ),
    );
  }

  const parts = vscode.Disposable.from(
    state,
    diagnostics,
    saved,
    conflicts,
    missingBases,
    state.onDidChange(show),
    createContentLenses(state),
    createDriftDecorations(state),
    createContentStatus(state),
  );
  return {
    ...deployments,
    ...conflicts,
    ...missingBases,
    ...createPolicies(services, state, deployments),
    ...createPromotion(services, state, deployments),
    state,
    pull,
    pullObjects: (keys) => pullNow({ keys }),
    discard,
    showDrift,
    compareDeployed,
    dispose() {
      parts.dispose();
      control?.view.dispose();
    },
  };
}

const kindTitles = { query: 'Queries', policy: 'Policies', alertProfile: 'Alert profiles' } as const;
const kindIcons = { query: 'search', policy: 'shield', alertProfile: 'bell' } as const;
