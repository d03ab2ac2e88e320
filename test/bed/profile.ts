// A profile of VS Code that belongs to one run: settings, state and installed extensions in a folder of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { codeServer } from './install.mjs';

export interface ProfileOptions {
  /** Folder of settings and state; a temporary one unless given. An existing settings.json in it is left as it is. */
  readonly userDataDir?: string;
  readonly extensionsDir?: string;
  /** Settings of the person, laid over the quiet ones of the bed. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly keybindings?: readonly Readonly<Record<string, unknown>>[];
  /** Whether VS Code asks if a folder is trusted, as it does by default. The bed trusts every folder unless this is set. */
  readonly workspaceTrust?: boolean;
}

export interface Profile {
  readonly folder: string;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly workspaceTrust: boolean;
  /** Arguments that make code-server use this profile. */
  readonly args: readonly string[];
  remove(): void;
}

/** The Node that runs code-server: LQL_BED_NODE, else the one that runs this. */
export const bedNode = process.env['LQL_BED_NODE'] ?? process.execPath;
export const codeServerEntry = path.join(codeServer, 'out', 'node', 'entry.js');

// A quiet, deterministic workbench: no sign-in, no welcome page, no update checks.
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.colorTheme': 'Default Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // The local platform's port needs no forwarding: the window is on the same machine.
  'remote.autoForwardPorts': false,
  'files.simpleDialog.enable': true,
  'editor.fontFamily': 'DejaVu Sans Mono, monospace',
} as const;

export function makeProfile(options: ProfileOptions = {}): Profile {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lql-bed-'));
  const userDataDir = options.userDataDir ?? path.join(folder, 'user-data');
  const extensionsDir = options.extensionsDir ?? path.join(folder, 'extensions');
  const workspaceTrust = options.workspaceTrust ?? false;
  const config = path.join(folder, 'config.yaml');
  writeFileSync(config, 'auth: none\ncert: false\n');
  const user = path.join(userDataDir, 'User');
  mkdirSync(user, { recursive: true });
  mkdirSync(extensionsDir, { recursive: true });
  const settingsFile = path.join(user, 'settings.json');
  if (!existsSync(settingsFile)) {
    const settings = { ...quietSettings, 'security.workspace.trust.enabled': workspaceTrust, ...options.settings };
    writeFileSync(settingsFile, JSON.stringify(settings, undefined, 2));
  }
  if (options.keybindings) writeFileSync(path.join(user, 'keybindings.json'), JSON.stringify(options.keybindings));
  return {
    folder,
    userDataDir,
    extensionsDir,
    workspaceTrust,
    args: ['--config', config, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir],
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Runs code-server's command line, for example `--install-extension FILE.vsix`; answers with its output. */
export function runCodeServer(profile: Profile, args: readonly string[]): string {
  const result = spawnSync(bedNode, [codeServerEntry, ...profile.args, ...args], { encoding: 'utf8', env: bedEnv() });
  if (result.status !== 0) {
    throw new Error(`code-server ${args.join(' ')} failed (${result.status}): ${result.stdout}${result.stderr}`);
  }
  return result.stdout;
}

/** The environment of the server: this one without another VS Code's plumbing, and with no extension gallery to ask. */
export function bedEnv(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...extra };
  for (const name of Object.keys(env)) {
    if (/^VSCODE_(?!TEST_)|^ELECTRON_RUN_AS_NODE$|^CODE_SERVER_/.test(name)) delete env[name];
  }
  // A server whose owner was killed ends by itself.
  env['CODE_SERVER_IDLE_TIMEOUT_SECONDS'] ??= '300';
  env['EXTENSIONS_GALLERY'] ??= JSON.stringify({ serviceUrl: '' });
  return env;
}
