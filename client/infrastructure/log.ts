import * as vscode from 'vscode';
import { createRedactor } from './redactor.ts';

/** The extension's output channel. Nothing that was declared secret ever reaches it. */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  show(): void;
  /** From now on `secret` is replaced wherever it would be written. */
  protect(secret: string): void;
  /** For libraries that write into the channel themselves. */
  readonly channel: vscode.LogOutputChannel;
}

export function createLog(name: string): Log & vscode.Disposable {
  const channel = vscode.window.createOutputChannel(name, { log: true });
  const redactor = createRedactor();
  const text = (message: string, cause?: unknown): string => redactor.redact(message + describe(cause));
  return {
    trace: (message) => channel.trace(text(message)),
    debug: (message) => channel.debug(text(message)),
    info: (message) => channel.info(text(message)),
    warn: (message, cause) => channel.warn(text(message, cause)),
    error: (message, cause) => channel.error(text(message, cause)),
    show: () => channel.show(true),
    protect: redactor.protect,
    channel,
    dispose: () => channel.dispose(),
  };
}

function describe(cause: unknown): string {
  if (cause === undefined) return '';
  if (!(cause instanceof Error)) return `: ${String(cause)}`;
  const inner = cause.cause === undefined ? '' : describe(cause.cause);
  return `: ${cause.stack ?? cause.message}${inner}`;
}
