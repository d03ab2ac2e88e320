import path from 'node:path';
import * as vscode from 'vscode';
import { WrongAccount } from '../../../server/api/content/account-identity.ts';
import { type ContentOptions, compareFolder, type FolderComparison } from '../../../server/api/content/content-sync.ts';
import { FolderBusyError } from '../../../server/api/content/folder-lock.ts';
import { type MergeState, settleMerges } from '../../../server/api/content/merges.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import type { Comparison } from '../../../server/core/content/compare.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import type { ContentLayout } from '../../../server/core/content/files/file-names.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { Profile } from '../../infrastructure/session/profile.ts';
import { type ContentDocuments, createContentDocuments, shownFolder } from './content-documents.ts';
import { refuseWhenRestricted } from './restricted.ts';

/** What is known of files and account, and since when. */
export interface Known {
  readonly options: ContentOptions;
  readonly profile: Profile;
  readonly comparison: FolderComparison;
  /** Merges under way. Their objects are in no comparison: a file with markers says nothing. */
  readonly merges: readonly MergeState[];
  /** Milliseconds since 1970 UTC when the account was asked. */
  readonly askedAt: number;
}

export interface ContentPlace {
  readonly root: string;
  readonly layout: ContentLayout;
}

export interface WorkContext {
  readonly token: vscode.CancellationToken;
  /** Says how far the work is: `3 of 20`. */
  readonly report: (done: number, total: number) => void;
}

/** Does one piece of work on an account at a time, with a progress that can be cancelled. */
export type RunWork = <T>(
  title: string,
  work: (options: ContentOptions, context: WorkContext) => Promise<T>,
) => Promise<T>;

/** Folder and account as the window knows them, and the one door through which work on them goes. */
export interface ContentState extends vscode.Disposable {
  readonly documents: ContentDocuments;
  readonly known: Known | undefined;
  /** Undefined once the window works with another account: nothing is known of that one yet. */
  readonly onDidChange: vscode.Event<Known | undefined>;
  /** Does one piece of work at a time, with a progress that can be cancelled. Throws UserError where nothing may be asked of an account. */
  alone: RunWork;
  /** Compares; the account is asked. For work that is under way. */
  compareIn(options: ContentOptions): Promise<Known>;
  /** Compares, as work of its own. */
  compare(): Promise<Known>;
  /** Compares without a word, and not at all while something else is going on. */
  compareQuietly(): Promise<void>;
  /** Compares with what was last read of the account. */
  compareFiles(): Promise<Known | undefined>;
  /** One object of the last comparison. Throws UserError when it is not in it any more. */
  comparisonOf(key: string): { readonly found: Comparison; readonly known: Known };
  /** Shows a text from the given line on. */
  showText(name: string, text: string, line?: number): Promise<void>;
}

export function createContentState({ session, log }: Services, placeOf: () => ContentPlace): ContentState {
  const documents = createContentDocuments();
  const changed = new vscode.EventEmitter<Known | undefined>();
  let known: Known | undefined;
  let busy = false;

  const withOptions = <T>(
    signal: AbortSignal | undefined,
    work: (options: ContentOptions) => Promise<T>,
  ): Promise<T> => {
    const place = placeOf();
    return session
      .withApi(({ content }) => work({ ...place, account: content, signal, now: () => Date.now() }))
      .catch((error: unknown) => {
        if (error instanceof FolderBusyError || error instanceof WrongAccount) throw saidAsItIs(error);
        if (!(error instanceof ApiError)) throw error;
        if (error.failure.kind === 'cancelled') throw new vscode.CancellationError();
        throw new UserError(`${error.message} ${error.action}`, actionsFor(error, session.profile), {
          cause: error,
          status: error.status,
        });
      });
  };

  const alone: ContentState['alone'] = async (title, work) => {
    refuseWhenRestricted();
    if (busy) throw new UserError('Another pull or deployment is still under way. Wait for its end, or cancel it.');
    busy = true;
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        async (progress, token) => {
          const report = (done: number, total: number): void => progress.report({ message: `${done} of ${total}` });
          const abort = new AbortController();
          const cancelling = token.onCancellationRequested(() => abort.abort());
          try {
            return await withOptions(abort.signal, (options) => work(options, { token, report }));
          } finally {
            cancelling.dispose();
          }
        },
      );
    } finally {
      busy = false;
    }
  };

  async function remember(
    options: ContentOptions,
    comparison: FolderComparison,
    merges: readonly MergeState[],
    askedAt: number,
  ): Promise<Known> {
    known = { options: { ...options, signal: undefined }, profile: session.profile, comparison, merges, askedAt };
    changed.fire(known);
    return known;
  }

  const switching = session.onDidChange(() => {
    if (!known || JSON.stringify(known.profile) === JSON.stringify(session.profile)) return;
    known = undefined;
    changed.fire(known);
  });

  async function compareIn(options: ContentOptions): Promise<Known> {
    const merges = (await settleMerges(options)).filter(({ kind }) => kind !== 'done');
    return remember(options, await compareFolder(options), merges, Date.now());
  }

  return {
    documents,
    get known() {
      return known;
    },
    onDidChange: changed.event,
    alone,
    compareIn,
    compare: () => alone('Comparing files and account', compareIn),
    async compareQuietly() {
      if (busy || !vscode.workspace.isTrusted) return;
      busy = true;
      try {
        await withOptions(undefined, compareIn);
      } catch (error) {
        log.debug(`Comparing with the account failed: ${String(error)}`);
      } finally {
        busy = false;
      }
    },
    async compareFiles() {
      if (!known || busy) return known;
      const { options, comparison, askedAt } = known;
      const merges = (await orBusy(settleMerges(options))).filter(({ kind }) => kind !== 'done');
      return remember(options, await compareFolder(options, comparison.remote), merges, askedAt);
    },
    comparisonOf(key) {
      const found = known?.comparison.comparisons.find((candidate) => contentKey(candidate) === key);
      if (!found || !known)
        throw new UserError('The comparison is out of date.', [{ title: 'Compare Again', command: 'lql.showDrift' }]);
      return { found, known };
    },
    async showText(name, text, line = 0) {
      const document = await vscode.workspace.openTextDocument(documents.set(`${shownFolder}/${name}`, text));
      // Where a text was shown before, the cursor would stay in the middle of the new one.
      const selection = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(document, { preview: true, preserveFocus: false, selection });
    },
    dispose() {
      switching.dispose();
      documents.dispose();
      changed.dispose();
    },
  };
}

function actionsFor({ status }: ApiError, profile: Profile): UserError['actions'] {
  if (profile.kind === 'local') return [];
  if (status === 401) return [{ title: 'Sign In', command: 'lql.signIn', arguments: [profile.name] }];
  return status === 403 ? [{ title: 'Switch Account', command: 'lql.switchAccount' }] : [];
}

/** An error that says by itself what is wrong and what to do. */
function saidAsItIs(error: Error): UserError {
  return new UserError(error.message, [], { cause: error });
}

/** Does work of a moment on the folder; that somebody else works there is said as it is. */
export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof FolderBusyError ? saidAsItIs(error) : error;
  }
}

/** Which files of the folder have unsaved changes. */
export function isUnsavedIn(root: string): (file: string) => boolean {
  const unsaved = new Set(vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ uri }) => uri.fsPath));
  return (file) => unsaved.has(path.join(root, file));
}

/** A file's path relative to the folder, with `/`; undefined outside of it. */
export function pathIn(root: string, uri: vscode.Uri): string | undefined {
  if (uri.scheme !== 'file' || !uri.fsPath.startsWith(root + path.sep)) return undefined;
  return path.relative(root, uri.fsPath).split(path.sep).join('/');
}
