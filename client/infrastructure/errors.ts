import * as vscode from 'vscode';
import { plainMessage } from './plain-text.ts';

/** Something a person can do about a failure: a button below the message. */
export interface ErrorAction {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** A failure whose message is written for the person: what is wrong, why, and what to do. */
export class UserError extends Error {
  readonly actions: readonly ErrorAction[];
  /** Nothing answers at the other end: whoever started it may start it again. */
  readonly unreachable: boolean;
  /** The service's HTTP status, when the service refused. */
  readonly status: number | undefined;

  constructor(
    message: string,
    actions: readonly ErrorAction[] = [],
    options: { readonly cause?: unknown; readonly unreachable?: boolean; readonly status?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'UserError';
    this.actions = actions;
    this.unreachable = options.unreachable ?? false;
    this.status = options.status;
  }
}

/** Whether work ended because somebody cancelled it: nothing to report then. */
export function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'AbortError');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Shows a failure with its actions and does what the person picks. Does not wait for the person. */
export function showError(message: string, actions: readonly ErrorAction[]): void {
  void vscode.window.showErrorMessage(plainMessage(message), ...actions.map(({ title }) => title)).then((picked) => {
    const action = actions.find(({ title }) => title === picked);
    if (action) void vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  });
}
