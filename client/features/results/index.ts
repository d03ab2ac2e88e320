import { createHash } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { exportText } from '../../../server/core/results/export.ts';
import { type ErrorAction, UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { ResultsService, RunDescription } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { timeZoneSetting } from '../../infrastructure/time-zone.ts';
import type { FromResultsView, RunTab, ToResultsView } from '../../protocol/results.ts';
import { answer, isRowQuestion } from './answer.ts';
import { editQuery } from './edit-query.ts';
import { exportRun } from './export.ts';
import { createKeptResults, TooLargeToKeep } from './kept-results.ts';
import { createResultsViews } from './results-views.ts';
import { createRun, type Run, selectionOf, type WayOn } from './run.ts';
import { createRunList, distinctTitle, isHeld, type RunName } from './run-list.ts';

/** A copy larger than this would freeze the clipboard's owner; exports have no bound. */
const maxCopiedCells = 1_000_000;

/** Whether the person wants to see rows over time, in every window. */
const barsKey = 'lql.results.bars';

export type { ResultsService };

/** What tests look at. */
export interface ResultsState {
  readonly runs: readonly (RunTab & { readonly rowCount: number; readonly message: string | undefined })[];
}

/** Shows runs in the panel's results view, in tabs. */
export function activateResults(services: Services): ResultsService & { state(): ResultsState } {
  const { context, commands } = services;
  const list = createRunList();
  // Ids of kept results live on, so those of this window must not meet them.
  const session = `run-${Date.now().toString(36)}`;
  let lastId = 0;

  const views = createResultsViews(
    context.extensionUri,
    list,
    () => context.globalState.get<boolean>(barsKey),
    (message, reply) => {
      void commands.guard('results view', () => handle(message, reply));
    },
  );
  context.subscriptions.push(
    views,
    onSettingChange(timeZoneSetting, () => views.refresh()),
  );

  const execute = (command: string, args: readonly unknown[]): void => {
    void vscode.commands.executeCommand(command, ...args);
  };
  const waysOn = (actions: readonly ErrorAction[]): readonly WayOn[] =>
    actions.map(({ title, command, arguments: args = [] }) => ({ title, run: () => execute(command, args) }));

  // Below one folder for all workspaces, so that clearing the history finds every trace; a name made of the workspace's own storage.
  const workspace = context.storageUri ? createHash('sha256').update(context.storageUri.fsPath).digest('hex') : 'none';
  const keptResults = createKeptResults(path.join(context.globalStorageUri.fsPath, 'kept-results'), workspace);
  const createListedRun = (id: string, description: RunDescription, startedAt: number): Run => {
    const run: Run = createRun(id, description, startedAt, {
      changed: () => views.refresh(run),
      filterError: (text) => views.post(run, { kind: 'filterError', runId: run.id, message: text }),
      timeZone: () => readSetting(timeZoneSetting),
    });
    return run;
  };

  async function close(run: Run): Promise<void> {
    if (run.phase === 'running') run.description.cancel();
    list.remove(run);
    views.refresh();
    if (run.kept) await keptResults.forget(run.id);
  }

  async function toggleKeep(run: Run): Promise<void> {
    if (run.phase !== 'succeeded') return;
    if (run.kept) await keptResults.forget(run.id);
    else await keep(run);
    run.kept = !run.kept;
    run.pinned ||= run.kept;
    views.refresh();
  }

  async function keep(run: Run): Promise<void> {
    const { title, startedAt, description } = run;
    const { durationMs, note } = run.view();
    const { queryText, uri, window, accountLabel, accountKey, columns, arguments: values } = description;
    const account = { accountLabel, accountKey };
    const head = { id: run.id, title, queryText, uri, window, ...account, columns, arguments: values, startedAt };
    try {
      await keptResults.keep({ ...head, durationMs: durationMs ?? 0, note }, run.store);
    } catch (error) {
      if (error instanceof TooLargeToKeep) throw new UserError(error.message, [], { cause: error });
      throw error;
    }
  }

  async function restoreKept(): Promise<void> {
    const { results, unreadable } = await keptResults.read();
    for (const { result, rows } of results) {
      const { queryText, title, uri, window, accountLabel, accountKey, arguments: values } = result;
      const rerun = (range?: string): void =>
        execute('lql.runQuery', [
          {
            text: queryText,
            title,
            range: range ?? window.label,
            arguments: values,
            account: { key: accountKey, label: accountLabel },
            ...(uri === undefined ? {} : { uri }),
          },
        ]);
      const run = createListedRun(result.id, { ...result, cancel: () => undefined, rerun }, result.startedAt);
      run.succeed(rows, result.durationMs, result.note);
      run.pinned = true;
      run.kept = true;
      list.restore(run);
    }
    if (unreadable.length > 0)
      services.log.warn(`Kept results that cannot be read are left alone: ${unreadable.join(', ')}`);
    if (results.length > 0) views.refresh();
  }
  void commands.guard('Reading kept results', restoreKept);
  commands.register('lql.clearKeptResults', async () => {
    await keptResults.clear();
    for (const run of [...list.runs]) run.kept = false;
    views.refresh();
  });

  async function handle(message: FromResultsView, reply: (message: ToResultsView) => void): Promise<void> {
    if (message.kind === 'ready') return;
    if (message.kind === 'copyText') return void (await vscode.env.clipboard.writeText(message.text));
    if (message.kind === 'showBars') {
      await context.globalState.update(barsKey, message.shown);
      return views.refresh();
    }
    const run = list.find(message.runId) ?? views.findBeside(message.runId);
    if (!run) return;
    if (isRowQuestion(message)) return answer(run, message, reply);
    switch (message.kind) {
      case 'activate':
        list.activate(run);
        return views.refresh();
      case 'close':
        return close(run);
      case 'closeOthers':
        for (const other of list.runs.filter((each) => each !== run && each.phase !== 'running' && !isHeld(each)))
          await close(other);
        return;
      case 'togglePin':
        run.pinned = !run.pinned;
        return views.refresh();
      case 'toggleKeep':
        return toggleKeep(run);
      case 'cancel':
        return run.description.cancel();
      case 'openBeside':
        return views.openBeside(run);
      case 'rename': {
        const title = await vscode.window.showInputBox({ title: 'Rename result', value: run.title });
        if (!title || title === run.title) return;
        run.title = title;
        run.renamed = true;
        if (run.kept) await keep(run);
        return views.refresh();
      }
      case 'action':
        return run.actions.get(message.action)?.();
      case 'copy': {
        const selection = selectionOf(run, message.range);
        if (selection.rows.length * selection.columns.length > maxCopiedCells) {
          throw new UserError(
            `${selection.rows.length.toLocaleString()} rows are too many for the clipboard. Export them to a file instead.`,
          );
        }
        await vscode.env.clipboard.writeText(
          exportText(run.store, { ...selection, header: message.header }, message.format),
        );
        const count = selection.rows.length;
        return reply({ kind: 'announce', text: `Copied ${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}` });
      }
      case 'export': {
        const file = await exportRun(run, message.scope);
        if (!file) return;
        const picked = await vscode.window.showInformationMessage(
          plainMessage(`Exported to ${vscode.workspace.asRelativePath(file)}.`),
          'Open',
        );
        if (picked === 'Open') await vscode.commands.executeCommand('vscode.open', file);
        return;
      }
      case 'editQuery':
        return editQuery(run, message, services.language);
      case 'setRange':
        return run.description.rerun(`${message.start} to ${message.end}`);
    }
  }

  return {
    openRun(description) {
      const run = createListedRun(`${session}-${++lastId}`, description, Date.now());
      list.add(run);
      run.title = distinctTitle(wantedName(run), list.runs.filter((each) => each !== run).map(nameOf));
      views.refresh();
      views.reveal();
      return {
        succeeded(rows, durationMs, note, actions = []) {
          list.replaceEarlier(run);
          // The place of an earlier run is free now, and so is its name.
          if (!run.renamed)
            run.title = distinctTitle(wantedName(run), list.runs.filter((each) => each !== run).map(nameOf));
          run.succeed(rows, durationMs, note, waysOn(actions));
        },
        failed: (failure) => run.fail(failure, waysOn(failure.action ? [failure.action] : [])),
        cancelled: () => run.cancelled(),
      };
    },
    state: () => ({
      runs: list.runs.map((run) => {
        const { rowCount, message } = run.view();
        return {
          id: run.id,
          title: run.title,
          phase: run.phase,
          pinned: run.pinned,
          kept: run.kept,
          rowCount,
          message,
        };
      }),
    }),
  };
}

/** What a run would be called if it were the only one. */
function wantedName({ description }: Run): RunName {
  return { title: description.title, range: description.window.label, shown: description.title };
}

function nameOf({ title, description }: Run): RunName {
  return { title: description.title, range: description.window.label, shown: title };
}
