import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { runCommand } from '../../bed/actions.ts';
import { launchBrowser, makeProfile, openWorkbench, runCodeServer, startServer } from '../../bed/index.ts';
import { repoRoot } from '../../harness/paths.ts';
import { answerText } from './questions.ts';

/** LQL Studio in a real VS Code, with a copy of the examples open. */
export interface Studio {
  readonly page: Page;
  /** The folder that is open; files may be written into it. */
  readonly folder: string;
  /** Where globalStorage, logs and settings of this VS Code lie. */
  readonly userDataDir: string;
  shoot(name: string): Promise<void>;
  write(file: string, text: string): void;
  close(): Promise<void>;
}

/** How the workbench marks the kind of a theme, and what the picker of themes calls it. */
const themes: Readonly<Record<string, { readonly mark: string; readonly label: string }>> = {
  'Default Dark Modern': { mark: 'vs-dark', label: 'Dark Modern' },
  'Default Light Modern': { mark: 'vs', label: 'Light Modern' },
  'Default High Contrast': { mark: 'hc-black', label: 'Dark High Contrast' },
  'Default High Contrast Light': { mark: 'hc-light', label: 'Light High Contrast' },
};

/**
 * A window that starts on a busy machine may come up before its themes are known, in another one, and stay so: a picture of that would
 * show something else than it says. Then the theme is chosen as a person does.
 */
async function ensureTheme(page: Page, name: string): Promise<void> {
  const theme = themes[name];
  if (!theme) throw new Error(`Say in ${import.meta.filename} how ${name} is marked.`);
  const marked = page.locator(`.monaco-workbench.${theme.mark}`);
  const came = await marked.waitFor({ timeout: 8000 }).then(
    () => true,
    () => false,
  );
  if (came) return;
  await runCommand(page, 'Preferences: Color Theme');
  await answerText(page, theme.label);
  await marked.waitFor({ timeout: 20_000 });
}

export interface StudioOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Asks whether the folder is trusted, as VS Code does by default. */
  readonly workspaceTrust?: boolean;
  /** Installs this .vsix instead of loading the repository as an extension under development. */
  readonly vsix?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Opens this workspace file, which lies in the folder, instead of the folder. It is written before the window opens. */
  readonly workspace?: { readonly file: string; readonly content: object };
  /** Opens no folder: what a person sees who starts from nothing. */
  readonly empty?: boolean;
  /**
   * Lets things move as they do unless a person asks for less of it. VS Code shows no more than three notifications in 0.8 s: where questions
   * come as notifications, steps that follow each other sooner would lose some.
   */
  readonly motion?: boolean;
  /** Files of the folder that are there before the window opens. */
  readonly files?: Readonly<Record<string, string>>;
}

const screenshots = path.join(repoRoot, 'out', 'screenshots');

export async function openStudio(options: StudioOptions = {}): Promise<Studio> {
  const profile = makeProfile({
    ...(options.settings ? { settings: options.settings } : {}),
    ...(options.workspaceTrust ? { workspaceTrust: true } : {}),
  });
  const folder = path.join(profile.folder, 'examples');
  cpSync(path.join(repoRoot, 'examples'), folder, { recursive: true });
  mkdirSync(screenshots, { recursive: true });
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  for (const [file, text] of Object.entries(options.files ?? {})) write(file, text);
  if (options.workspace) write(options.workspace.file, JSON.stringify(options.workspace.content));
  if (options.vsix) runCodeServer(profile, ['--install-extension', options.vsix]);
  const [server, browser] = await Promise.all([
    startServer({ profile, ...(options.env ? { env: options.env } : {}) }),
    launchBrowser(),
  ]);
  const { page, open } = await openWorkbench(browser, server, {
    ...(options.workspace ? { workspace: path.join(folder, options.workspace.file) } : options.empty ? {} : { folder }),
    // Whatever a run does is in the logs: what must not be there would be found.
    trace: true,
    // What moves has to stand still before it is pressed: that is a seventh of these tests.
    reducedMotion: options.motion !== true,
    ...(options.vsix ? {} : { extensions: [repoRoot] }),
    ...(options.viewport ? { viewport: options.viewport } : {}),
  });
  const shoot = async (name: string): Promise<void> => {
    await page.screenshot({ path: path.join(screenshots, `${name}.png`), animations: 'disabled', caret: 'hide' });
  };
  await open();
  const up = options.empty ? '.activitybar .action-label[aria-label="LQL"]' : '.explorer-folders-view';
  await page.locator(`.monaco-workbench ${up}`).first().waitFor({ timeout: 60_000 });
  await ensureTheme(page, String(options.settings?.['workbench.colorTheme'] ?? 'Default Dark Modern'));
  return {
    page,
    folder,
    userDataDir: profile.userDataDir,
    shoot,
    write,
    close: async () => {
      await browser.close();
      await server.stop();
      profile.remove();
    },
  };
}
