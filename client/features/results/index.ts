import * as vscode from 'vscode';
import { exportText } from '../../../server/core/results/export.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { ResultsService } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { FromResultsView, RunTab, ToResultsView } from '../../protocol/results.ts';
import { answer, isRowQuestion } from './answer.ts';
import { editQuery } from './edit-query.ts';
import { exportRun } from './export.ts';
import { createResultsViews } from './results-views.ts';
import { createRun, type Run, selectionOf } from './run.ts';
import { createRunList } from './run-list.ts';

/** A copy larger than this would freeze the clipboard's owner; exports have no bound. */
const maxCopiedCells = 1_000_000;

export type { ResultsService };

/** What tests look at. */
export interface ResultsState {
  readonly runs: readonly (RunTab & { readonly rowCount: number; readonly message: string | undefined })[];
}

/** Shows runs in the panel's results view, in tabs. */
export function activateResults(services: Services): ResultsService & { state(): ResultsState } {
  const { context, commands } = services;
  const list = createRunList();
  let lastId = 0;

  const views = createResultsViews(context.extensionUri, list, (message, reply) => {
    void commands.guard('results view', () => handle(message, reply));
  });
  context.subscriptions.push(views);

  const execute = (command: string, args: readonly unknown[]): void => {
    void vscode.commands.executeCommand(command, ...args);
  };

  function close(run: Run): void {
    if (run.phase === 'running') run.description.cancel();
    list.remove(run);
    views.refresh();
  }

  async function handle(message: FromResultsView, reply: (message: ToResultsView) => void): Promise<void> {
    if (message.kind === 'ready') return;
    if (message.kind === 'copyText') return void (await vscode.env.clipboard.writeText(message.text));
    const run = list.find(message.runId);
    if (!run) return;
    if (isRowQuestion(message)) return answer(run, message, reply);
    switch (message.kind) {
      case 'activate':
        list.activate(run);
        return views.refresh();
      case 'close':
        return close(run);
      case 'togglePin':
        run.pinned = !run.pinned;
        return views.refresh();
      case 'cancel':
        return run.description.cancel();
      case 'openBeside':
        return views.openBeside(run);
      case 'rename': {
        const title = await vscode.window.showInputBox({ title: 'Rename result', value: run.title });
        if (title) run.title = title;
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
        return reply({ kind: 'announce', text: `Copied ${selection.rows.length.toLocaleString()} rows` });
      }
      case 'export': {
        const file = await exportRun(run, message.scope);
        if (!file) return;
        const picked = await vscode.window.showInformationMessage(
          `Exported to ${vscode.workspace.asRelativePath(file)}.`,
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
      const run: Run = createRun(`run-${++lastId}`, description, Date.now(), {
        changed: () => views.refresh(run),
        filterError: (text) => views.post(run, { kind: 'filterError', runId: run.id, message: text }),
      });
      list.add(run);
      views.refresh();
      views.reveal();
      return {
        succeeded: (rows, durationMs, note) => run.succeed(rows, durationMs, note),
        failed: (failure) => run.fail(failure, execute),
        cancelled: () => run.cancelled(),
      };
    },
    state: () => ({
      runs: list.runs.map((run) => {
        const { rowCount, message } = run.view();
        return { id: run.id, title: run.title, phase: run.phase, pinned: run.pinned, rowCount, message };
      }),
    }),
  };
}
