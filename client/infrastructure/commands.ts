import * as vscode from 'vscode';
import { isCancellation, messageOf, showError, UserError } from './errors.ts';
import type { Log } from './log.ts';

export type CommandId = `lql.${string}`;

/** Registers commands behind one error boundary: a failing command is always logged and always says so to the person. */
export interface Commands {
  register<Arguments extends unknown[], Result>(
    id: CommandId,
    run: (...args: Arguments) => Result | Promise<Result>,
  ): vscode.Disposable;
  /** The same boundary for work that no command started, e.g. a click in a webview. */
  guard<Result>(what: string, run: () => Result | Promise<Result>): Promise<Result | undefined>;
}

export function createCommands(log: Log, subscriptions: vscode.Disposable[]): Commands {
  const guard: Commands['guard'] = async (what, run) => {
    try {
      return await run();
    } catch (error) {
      report(what, error, log);
      return undefined;
    }
  };
  return {
    guard,
    register(id, run) {
      // VS Code hands over whatever the caller gave; every command checks the arguments it takes.
      const disposable = vscode.commands.registerCommand(id, (...args: unknown[]) =>
        guard(id, () => run(...(args as Parameters<typeof run>))),
      );
      subscriptions.push(disposable);
      return disposable;
    },
  };
}

function report(what: string, error: unknown, log: Log): void {
  if (isCancellation(error)) return;
  if (error instanceof UserError) {
    log.warn(`${what}: ${error.message}`, error.cause);
    showError(error.message, error.actions);
    return;
  }
  log.error(`${what} failed`, error);
  showError(`LQL Studio could not finish this: ${messageOf(error)}`, [
    { title: 'Show Output', command: 'lql.showOutput' },
  ]);
}
