import type * as vscode from 'vscode';
import type { Commands } from './commands.ts';
import type { LanguageServer } from './language/language-server.ts';
import type { Log } from './log.ts';
import type { ApiSession } from './session/api-session.ts';

/** What every feature stands on. Made once, in the extension's entry point, and handed to each feature's activate. */
export interface Services {
  readonly context: vscode.ExtensionContext;
  readonly log: Log;
  readonly commands: Commands;
  readonly language: LanguageServer;
  readonly session: ApiSession;
}
