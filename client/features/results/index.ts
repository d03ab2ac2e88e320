import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { exportText } from '../../../server/core/results/export.ts';
import { columnStatistics, timeColumnOf, timeHistogram } from '../../../server/core/results/statistics.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { ResultsService } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { FromResultsView, RunTab, ToResultsView } from '../../protocol/results.ts';
import { exportRun } from './export.ts';
import { createResultsViews } from './results-views.ts';
import { createRun, type Run, selectionOf } from './run.ts';
import { createRunList } from './run-list.ts';

/** A copy larger than this would freeze the clipboard's owner; exports have no bound. */
const maxCopiedCells = 1_000_000;
const histogramBars = 60;

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
      case 'getRows':
        if (message.revision !== run.view().revision) return;
        return reply({
          kind: 'rows',
          runId: run.id,
          revision: message.revision,
          start: message.start,
          rows: run.cells(message.start, message.count),
        });
      case 'getRow':
        return reply({
          kind: 'row',
          runId: run.id,
          revision: message.revision,
          row: message.row,
          cells: run.row(message.row),
        });
      case 'getStatistics': {
        const steps = columnStatistics(run.store, message.column, run.shown);
        for (;;) {
          const step = steps.next();
          if (step.done)
            return reply({ kind: 'statistics', runId: run.id, column: message.column, statistics: step.value });
          await setImmediate();
        }
      }
      case 'getHistogram': {
        const column = timeColumnOf(run.store);
        const histogram = column === undefined ? undefined : timeHistogram(run.store, column, run.shown, histogramBars);
        return reply({ kind: 'histogram', runId: run.id, histogram });
      }
      case 'arrange':
        return run.arrange({ sort: message.sort, filter: message.filter });
      case 'layout':
        return run.setLayout(message.layout);
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
        const answer = await vscode.window.showInformationMessage(
          `Exported to ${vscode.workspace.asRelativePath(file)}.`,
          'Open',
        );
        if (answer === 'Open') await vscode.commands.executeCommand('vscode.open', file);
        return;
      }
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
