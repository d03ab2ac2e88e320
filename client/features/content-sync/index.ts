import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { parseString, type Setting } from '../../infrastructure/setting.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import type { ContentSession } from './content-session.ts';
import type { ContentPlace } from './content-state.ts';
import { layoutSetting } from './layout.ts';
import { refuseWhenRestricted } from './restricted.ts';

const folderSetting: Setting<string> = { key: 'lql.content.folder', fallback: '.', parse: parseString };
const driftSetting: Setting<number> = {
  key: 'lql.content.checkForDrift',
  fallback: 30,
  parse: (value) => (typeof value === 'number' && value >= 0 ? Math.min(value, 24 * 60) : undefined),
};

/**
 * Content as code: pull, plan, deploy, drift, undo, merge, promote. Loaded with the first command. A folder that was synchronised before is
 * also compared when the account answers and from then on now and then, so that a change in the console does not go unseen.
 */
export function activateContentSync(services: Services): void {
  const { commands, context, session } = services;
  let opened: Promise<ContentSession> | undefined;
  const open = (): Promise<ContentSession> => {
    refuseWhenRestricted();
    opened ??= import('./content-session.ts').then(({ createContentSession }) => {
      const created = createContentSession(services, contentPlace);
      context.subscriptions.push(created);
      return created;
    });
    return opened;
  };
  commands.register('lql.pullContent', async () => (await open()).pull());
  commands.register('lql.planDeployment', async () => (await open()).plan());
  commands.register('lql.compareHits', async () => (await open()).compareHits());
  commands.register('lql.deployChanges', async () => (await open()).deployChanges());
  commands.register('lql.deployFile', async (uri: unknown) =>
    (await open()).deployFile(uri instanceof vscode.Uri ? uri : undefined),
  );
  commands.register('lql.showDrift', async () => (await open()).showDrift());
  commands.register('lql.undoDeployment', async () => (await open()).undo());
  commands.register('lql.rebuildBases', async () => (await open()).rebuildBases());
  commands.register('lql.promoteContent', async () => (await open()).promote());
  commands.register('lql.compareDeployed', async (resource: unknown) =>
    (await open()).compareDeployed(keyOf(resource)),
  );
  commands.register('lql.resolveConflict', async (resource: unknown) => (await open()).resolve(keyOf(resource)));
  commands.register('lql.mergeContent', async (resource: unknown) => (await open()).merge(keyOf(resource)));
  commands.register('lql.deployObject', async (...on: unknown[]) => (await open()).deployObjects(new Set(keysOf(on))));
  commands.register('lql.pullObject', async (...on: unknown[]) => (await open()).pullObjects(new Set(keysOf(on))));
  commands.register('lql.discardChange', async (...on: unknown[]) => (await open()).discard(new Set(keysOf(on))));
  commands.register('lql.enablePolicy', async (...on: unknown[]) => (await open()).setEnabled(true, on.flatMap(keyIn)));
  commands.register('lql.disablePolicy', async (...on: unknown[]) =>
    (await open()).setEnabled(false, on.flatMap(keyIn)),
  );
  watchForDrift(services, async () => (await open()).state.compareQuietly());
  const welcome = (): void => void vscode.commands.executeCommand('setContext', 'lql.session', session.state.kind);
  welcome();
  context.subscriptions.push(session.onDidChange(welcome));
}

/** Compares a folder that has a lock: when the account becomes ready, and every so many minutes while the window is in front. */
function watchForDrift({ context, session, commands }: Services, compare: () => Promise<void>): void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let comparedWith: string | undefined;
  const look = async (): Promise<void> => {
    if (session.state.kind !== 'ready' || !vscode.workspace.isTrusted || !(await hasLock())) return;
    comparedWith = session.profile.name;
    await commands.guard('Comparing with the account', compare);
  };
  const start = (): void => {
    clearInterval(timer);
    const minutes = readSetting(driftSetting);
    if (minutes === 0) return;
    timer = setInterval(() => {
      if (vscode.window.state.focused) void look();
    }, minutes * 60_000);
    if (session.state.kind === 'ready' && comparedWith !== session.profile.name) void look();
  };
  start();
  context.subscriptions.push(
    session.onDidChange(start),
    onSettingChange(driftSetting, start),
    new vscode.Disposable(() => clearInterval(timer)),
  );
}

async function hasLock(): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.file(path.join(contentPlace().root, 'lql.lock')));
    return true;
  } catch {
    return false;
  }
}

/** The folder of the content: the first folder of the workspace, or the one in it that the setting names. Never one outside. */
function contentPlace(): ContentPlace {
  const workspace = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  if (!workspace)
    throw new UserError('Content lives in a folder. Open the folder that holds yours, or an empty one to pull into.', [
      { title: 'Open Folder', command: 'workbench.action.files.openFolder' },
    ]);
  const layout = readSetting(layoutSetting, workspace.uri);
  const root = workspace.uri.fsPath;
  const folder = path.resolve(root, readSetting(folderSetting, workspace.uri));
  if (folder === root || folder.startsWith(root + path.sep)) return { root: folder, layout };
  throw new UserError('The setting lql.content.folder leads out of the workspace. Name a folder inside of it.');
}

function keyIn(resource: unknown): readonly string[] {
  return typeof resource === 'object' && resource !== null && 'key' in resource && typeof resource.key === 'string'
    ? [resource.key]
    : [];
}

/** What is selected in the source control view, or named by a code lens; a group gives all that is in it. */
function keysOf(resources: readonly unknown[]): readonly string[] {
  const keys = resources.flatMap((resource) =>
    typeof resource === 'object' &&
    resource !== null &&
    'resourceStates' in resource &&
    Array.isArray(resource.resourceStates)
      ? resource.resourceStates.flatMap(keyIn)
      : keyIn(resource),
  );
  if (keys.length > 0) return keys;
  throw new UserError('Choose an object in the source control view first.');
}

function keyOf(resource: unknown): string {
  const [key = ''] = keysOf([resource]);
  return key;
}
