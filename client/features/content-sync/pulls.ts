import * as vscode from 'vscode';
import { pullContent } from '../../../server/api/content/pull-content.ts';
import type { Comparison } from '../../../server/core/content/compare.ts';
import { type ContentKind, contentKey } from '../../../server/core/content/content-object.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { askWithWayOut } from './ask.ts';
import { type ContentState, isUnsavedIn } from './content-state.ts';
import { stateWords } from './source-control.ts';

export interface Pulls {
  /** Asks what to pull. */
  pull(): Promise<void>;
  pullObjects(keys: ReadonlySet<string>): Promise<void>;
  /** Brings the account's side into the files, whatever they say: a person said so. */
  take(keys: ReadonlySet<string>): Promise<void>;
  /** The same, after a question. */
  discard(keys: ReadonlySet<string>): Promise<void>;
}

interface PullWish {
  /** Undefined: everything. */
  readonly keys?: ReadonlySet<string> | undefined;
  /** The account's side holds, whatever the files say: a person said so. */
  readonly take?: boolean;
  /** Policies whose exceptions are asked for, each at the cost of a request. */
  readonly exceptionsOf?: readonly string[];
}

const nothing: ReadonlySet<string> = new Set();

/** From the account into files. */
export function createPulls({ session }: Services, state: ContentState): Pulls {
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

  return {
    pull,
    pullObjects: (keys) => pullNow({ keys }),
    take: (keys) => pullNow({ keys, take: true }),
    discard,
  };
}

const kindTitles = { query: 'Queries', policy: 'Policies', alertProfile: 'Alert profiles' } as const;
const kindIcons = { query: 'search', policy: 'shield', alertProfile: 'bell' } as const;
