import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';

/** Throws UserError in a workspace that is not trusted. */
export function refuseWhenRestricted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new UserError(
    'Content is compared and deployed in trusted workspaces only: nothing is read from or written to an account.',
    [{ title: 'Manage Trust', command: 'workbench.trust.manage' }],
  );
}
