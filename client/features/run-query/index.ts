import * as vscode from 'vscode';
import { parseDirectives } from '../../../server/core/documents/run-directives.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { ResultsService, RunEnd, RunHandle, RunObserver, RunWindow } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { readSetting } from '../../infrastructure/settings.ts';
import { createRunLenses } from './code-lens.ts';
import type { QuickLook } from './quick-look.ts';
import { pickRange } from './range-picker.ts';
import { createRangeMemory, rangeFor, timeZoneSetting } from './ranges.ts';
import { type RunOutcome, run, wireTextOf } from './run.ts';
import { createRunQueue, type QueuedRun } from './run-queue.ts';
import { createRunStatus } from './run-status.ts';
import { type RunTarget, targetAt, targetInEditor } from './run-target.ts';
import { createServiceDiagnostics } from './service-diagnostics.ts';
import { describeWindow, resolveRange } from './window-text.ts';

/** A query run from elsewhere than the cursor: a code lens, the results view, the history. */
export interface RunQueryArguments {
  /** Runs the query that stands at this place of this document. */
  readonly uri?: string;
  readonly line?: number;
  /** Runs this text, whatever is open. */
  readonly text?: string;
  readonly title?: string;
  /** Another time range, this once. */
  readonly range?: string;
  /** Runs once for each seven days of the range and puts the rows together. */
  readonly inSlices?: boolean;
}

/** What tests may see of runs. */
export interface RunQueryFeature {
  readonly last: RunOutcome | undefined;
  readonly running: number;
}

// The service answers one query at a time well; a second one need not wait for a slow first.
const runsAtOnce = 2;
// A quick look is for seeing what the rows are like, not for all of them.
const lookLimit = 100;

export function activateRunQuery(
  services: Services,
  editors: QueryEditors,
  results: Promise<ResultsService>,
  observer: RunObserver,
): RunQueryFeature {
  const { context, commands, session, language, log } = services;
  const memory = createRangeMemory(context.workspaceState);
  const problems = createServiceDiagnostics();
  const status = createRunStatus({ editors, memory, language });
  let last: RunOutcome | undefined;
  let lastWindow: RunWindow | undefined;
  const queue = createRunQueue(runsAtOnce, () => {
    const count = queue.running.length + queue.waiting.length;
    void vscode.commands.executeCommand('setContext', 'lql.running', count > 0);
    status.setRunning(queue.running, queue.waiting.length);
  });
  context.subscriptions.push(memory, problems, status, createRunLenses({ language, memory, session }));

  const refuseWhenRestricted = (): void => {
    if (session.state.kind !== 'restricted') return;
    throw new UserError(
      'Queries run in trusted workspaces only: a query sends text of this workspace to your account.',
      [{ title: 'Manage Trust', command: 'workbench.trust.manage' }],
    );
  };
  const runTarget = async (target: RunTarget, rangeText: string | undefined, inSlices = false): Promise<void> => {
    refuseWhenRestricted();
    const directives = parseDirectives(target.text);
    const [problem] = directives.problems;
    if (problem) throw new UserError(problem);
    const range = rangeText ?? rangeFor(target.text, target.uri, memory).text;
    const resolved = resolveRange(range, Date.now());
    if (resolved.kind === 'refused') {
      throw new UserError(resolved.message, [{ title: 'Choose Time Range', command: 'lql.chooseTimeRange' }]);
    }
    const wireText = await sendable(target);
    if (target.uri) problems.clear(target.uri);

    let view: RunHandle | undefined;
    let ended: (end: RunEnd) => void = () => undefined;
    const queued: QueuedRun = {
      title: target.title,
      cancelled: () => {
        last = { kind: 'cancelled' };
        view?.cancelled();
        ended({ kind: 'cancelled' });
      },
      work: async (signal) => {
        if (!view) return;
        const outcome = await run(
          {
            wireText,
            window: resolved.window,
            arguments: directives.arguments,
            limit: directives.limit,
            inSlices,
            offerSlices: {
              title: 'Run in Slices',
              command: 'lql.runQuery',
              arguments: [{ text: target.text, title: target.title, range, inSlices: true }],
            },
          },
          { session, log, view, signal },
        );
        if (signal.aborted) return;
        last = outcome;
        ended(outcome.kind === 'succeeded' ? { ...outcome, rowCount: outcome.rows.length } : outcome);
        // What the service says against the text belongs to the text; everything else stays with the run.
        if (outcome.kind === 'failed' && outcome.aboutText) problems.show(target, outcome.message);
      },
    };
    const description = {
      title: target.title,
      queryText: target.text,
      uri: target.uri?.toString(),
      window: resolved.window,
      accountLabel: profileLabel(session.profile),
    };
    ended = observer.started(description);
    view = (await results).openRun({
      ...description,
      columns: target.columns,
      cancel: () => queue.cancel(queued),
      rerun: (again) => void commands.guard('Running the query again', () => runTarget(target, again)),
    });
    lastWindow = resolved.window;
    log.info(`Running ${target.title} over ${describeWindow(resolved.window, 'utc')}.`);
    await queue.add(queued);
  };

  commands.register('lql.runQuery', async (argument: unknown) => {
    const given = parseArguments(argument);
    await runTarget(await findTarget(given, services, editors), given.range, given.inSlices);
  });
  const lookAt = async (look: QuickLook, argument: unknown): Promise<void> => {
    const target = await findTarget(parseArguments(argument), services, editors);
    const { quickLookQuery } = await import('./quick-look.ts');
    const text = await quickLookQuery(target.text, look, async (datasource) =>
      (await session.columnsOf(datasource))?.map(({ name }) => name),
    );
    if (text === undefined) {
      throw new UserError('There is nothing to look at yet: the query needs a source whose columns the account knows.');
    }
    const range = rangeFor(target.text, target.uri, memory).text;
    const title = `${target.title}: ${look === 'source' ? 'source' : 'after the filter'}`;
    await runTarget({ text: `-- @limit ${lookLimit}\n${text}`, title, uri: undefined, range: undefined }, range);
  };
  commands.register('lql.lookAtSource', (argument: unknown) => lookAt('source', argument));
  commands.register('lql.lookAfterFilter', (argument: unknown) => lookAt('filter', argument));
  commands.register('lql.validateQuery', async (argument: unknown) => {
    refuseWhenRestricted();
    const target = await findTarget(parseArguments(argument), services, editors);
    const wireText = await sendable(target);
    if (target.uri) problems.clear(target.uri);
    try {
      const columns = await session.withApi((api) => api.validate(wireText));
      const list = columns.length > 0 ? ` Its columns: ${columns.join(', ')}.` : '';
      void vscode.window.showInformationMessage(`The service accepts the query.${list}`);
    } catch (error) {
      if (error instanceof UserError && error.status === 400) problems.show(target, error.message);
      throw error;
    }
  });
  commands.register('lql.cancelRun', () => queue.cancelAll());
  commands.register('lql.chooseTimeRange', async (argument: unknown) => {
    const target = await findTarget(parseArguments(argument), services, editors);
    const current = rangeFor(target.text, target.uri, memory);
    const picked = await pickRange(current.text, readSetting(timeZoneSetting, target.uri), lastWindow);
    if (picked === undefined || !target.uri) return;
    if (current.from === 'query') await rewriteDirective(target, picked);
    else await memory.set(target.uri, picked);
  });

  return {
    get last() {
      return last;
    },
    get running() {
      return queue.running.length + queue.waiting.length;
    },
  };
}

/** The text for the service. Throws UserError, with the cursor on the first error, when the query cannot be sent. */
async function sendable(target: RunTarget): Promise<string> {
  const wire = await wireTextOf(target.text);
  if (wire.kind === 'ok') return wire.text;
  const [first] = wire.diagnostics;
  await revealProblem(target, first?.range.start ?? 0);
  const count = wire.diagnostics.length === 1 ? 'an error' : `${wire.diagnostics.length} errors`;
  throw new UserError(`Not sent, because the query has ${count}. ${first?.message ?? ''}`, [
    { title: 'Show Problems', command: 'workbench.actions.view.problems' },
  ]);
}

async function findTarget(
  { uri, line, text, title }: RunQueryArguments,
  { language }: Services,
  editors: QueryEditors,
): Promise<RunTarget> {
  if (text !== undefined) {
    return { text, title: title ?? 'Query', uri: uri ? vscode.Uri.parse(uri) : undefined, range: undefined };
  }
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    if (line === undefined && shown) return targetInEditor(shown, language);
    return targetAt(document, new vscode.Position(line ?? 0, 0), language);
  }
  if (!editors.active) {
    throw new UserError('Open a query first: an .lql file, or a YAML or JSON file with queryId and queryText.', [
      { title: 'New Query', command: 'lql.newQuery' },
      { title: 'Open the Examples', command: 'lql.openExamples' },
    ]);
  }
  return targetInEditor(editors.active, language);
}

/** Commands are public: a keybinding or another extension may pass anything. An editor-title button passes its file's URI. */
function parseArguments(value: unknown): RunQueryArguments {
  if (value instanceof vscode.Uri) return { uri: value.toString() };
  if (typeof value !== 'object' || value === null) return {};
  const { uri, line, text, title, range, inSlices }: Readonly<Record<string, unknown>> = { ...value };
  return {
    ...(typeof uri === 'string' ? { uri } : {}),
    ...(typeof line === 'number' && Number.isInteger(line) && line >= 0 ? { line } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof range === 'string' ? { range } : {}),
    ...(inSlices === true ? { inSlices } : {}),
  };
}

/** Puts the cursor where the first error is. Text embedded in another format has other offsets: there the query's start has to do. */
async function revealProblem({ uri, range }: RunTarget, offset: number): Promise<void> {
  if (!uri || !range) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: false });
  const at = document.languageId === 'lql' ? document.positionAt(document.offsetAt(range.start) + offset) : range.start;
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** A range that is written in the query is changed there: a choice beside it would have no effect. */
async function rewriteDirective({ uri, range }: RunTarget, picked: string): Promise<void> {
  if (!uri || !range) return;
  const document = await vscode.workspace.openTextDocument(uri);
  for (let line = range.end.line; line >= range.start.line; line--) {
    const { text } = document.lineAt(line);
    const match = /^(.*--[ \t]*@range[ \t]+)(.*)$/i.exec(text);
    if (!match) continue;
    const start = match[1]?.length ?? 0;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(line, start, line, text.length), picked);
    await vscode.workspace.applyEdit(edit);
    return;
  }
}
