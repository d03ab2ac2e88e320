import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { parseString, type Setting } from '../../infrastructure/setting.ts';
import { readSetting } from '../../infrastructure/settings.ts';
import type { ContentSession } from './content-session.ts';

const folderSetting: Setting<string> = { key: 'lql.content.folder', fallback: '.', parse: parseString };

/** Content as code: pull, plan, deploy, drift, undo. Loaded with the first command; until then nothing is compared and nothing is asked. */
export function activateContentSync(services: Services): void {
  const { commands, context } = services;
  let opened: Promise<ContentSession> | undefined;
  const open = (): Promise<ContentSession> => {
    opened ??= import('./content-session.ts').then(({ createContentSession }) => {
      const created = createContentSession(services, contentFolder);
      context.subscriptions.push(created);
      return created;
    });
    return opened;
  };
  commands.register('lql.pullContent', async () => (await open()).pull());
  commands.register('lql.planDeployment', async () => (await open()).plan());
  commands.register('lql.deployChanges', async () => (await open()).deployChanges());
  commands.register('lql.deployFile', async (uri: unknown) =>
    (await open()).deployFile(uri instanceof vscode.Uri ? uri : undefined),
  );
  commands.register('lql.showDrift', async () => (await open()).showDrift());
  commands.register('lql.undoDeployment', async () => (await open()).undo());
  commands.register('lql.compareDeployed', async (resource: unknown) =>
    (await open()).compareDeployed(keyOf(resource)),
  );
  commands.register('lql.resolveConflict', async (resource: unknown) => (await open()).resolve(keyOf(resource)));
}

/** The folder of the content: the first folder of the workspace, or the one in it that the setting names. Never one outside. */
function contentFolder(): string {
  const workspace = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  if (!workspace)
    throw new UserError('Content lives in a folder. Open the folder that holds yours, or an empty one to pull into.');
  const root = workspace.uri.fsPath;
  const folder = path.resolve(root, readSetting(folderSetting, workspace.uri));
  if (folder === root || folder.startsWith(root + path.sep)) return folder;
  throw new UserError('The setting lql.content.folder leads out of the workspace. Name a folder inside of it.');
}

function keyOf(resource: unknown): string {
  if (typeof resource === 'object' && resource !== null && 'key' in resource && typeof resource.key === 'string')
    return resource.key;
  throw new UserError('Choose an object in the source control view first.');
}
