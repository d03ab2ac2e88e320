import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';
import type { Log } from '../../infrastructure/log.ts';
import { localArgumentsSetting } from '../../infrastructure/session/local-arguments.ts';
import type { Credentials } from '../../infrastructure/session/session.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { parseAnnouncement } from './announcement.ts';

// Starting takes about a tenth of a second; a machine under heavy load may need a hundred times that.
const startTimeoutMs = 20_000;

/** The local platform in a process of its own: an account for whoever has none, with sample data that comes with the extension. */
export interface LocalPlatform extends vscode.Disposable {
  /** Starts the process unless it runs already. Throws UserError. */
  start(): Promise<Credentials>;
  /** Fires when the process has ended by itself. */
  readonly onDidEnd: vscode.Event<void>;
  /** Process id while it runs, for the tests. */
  readonly pid: number | undefined;
}

export function createLocalPlatform(context: vscode.ExtensionContext, log: Log): LocalPlatform {
  const module = context.asAbsolutePath(path.join('dist', 'platform.js'));
  const data = path.join(context.globalStorageUri.fsPath, 'local-platform');
  const ended = new vscode.EventEmitter<void>();
  let running: { readonly child: ChildProcess; readonly credentials: Promise<Credentials> } | undefined;

  const launch = (): Promise<Credentials> => {
    const child = spawn(
      process.execPath,
      [module, '--data', data, '--end-with-stdin', ...readSetting(localArgumentsSetting)],
      {
        // VS Code's own executable becomes a plain Node by this variable; nothing of the workspace is handed down.
        env: { ...platformEnvironment(), ELECTRON_RUN_AS_NODE: '1' },
        // The process ends when its standard input does: when we are gone, however we went.
        stdio: ['pipe', 'pipe', 'pipe'],
        cwd: data,
        windowsHide: true,
      },
    );
    const credentials = firstLine(child, log);
    running = { child, credentials };
    child.once('exit', (code, signal) => {
      if (running?.child === child) {
        running = undefined;
        ended.fire();
      }
      log.info(`The local platform ended (${signal ?? `code ${code ?? 'unknown'}`}).`);
    });
    return credentials;
  };

  const stop = (): ChildProcess | undefined => {
    const child = running?.child;
    running = undefined;
    child?.kill('SIGTERM');
    return child;
  };
  const offerRestart = async (): Promise<void> => {
    if (!running) return;
    const restart = 'Restart the Local Platform';
    const answer = await vscode.window.showInformationMessage(
      'The local platform goes on with its old arguments until it is started again. Its content stays. Other windows that use it keep it running: close them first.',
      restart,
    );
    if (answer !== restart) return;
    const child = stop();
    // A new one that finds the old one alive would take it for the one to use.
    if (child?.exitCode === null && child.signalCode === null) await once(child, 'exit');
    ended.fire();
    await vscode.commands.executeCommand('lql.refreshCatalog');
  };
  const watching = onSettingChange(localArgumentsSetting, () => void offerRestart());

  return {
    onDidEnd: ended.event,
    get pid() {
      return running?.child.pid;
    },
    async start() {
      if (running && running.child.exitCode === null && running.child.signalCode === null) return running.credentials;
      await mkdir(data, { recursive: true });
      // Two callers at once wait for one process.
      return running?.credentials ?? launch();
    },
    dispose() {
      watching.dispose();
      stop();
      ended.dispose();
    },
  };
}

/** What a Node process needs of the environment, and no more: tokens and keys of the person's shell stay out of it. */
function platformEnvironment(): NodeJS.ProcessEnv {
  const names = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
    'LANG',
    'LC_ALL',
    'XDG_CACHE_HOME',
    'LOCALAPPDATA',
  ];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

function firstLine(child: ChildProcess, log: Log): Promise<Credentials> {
  return new Promise((resolve, reject) => {
    let output = '';
    let errors = '';
    const fail = (reason: string): void => {
      clearTimeout(timer);
      reject(
        new UserError(`The local platform did not start: ${reason}`, [
          { title: 'Restart', command: 'lql.refreshCatalog' },
          { title: 'Show Output', command: 'lql.showOutput' },
        ]),
      );
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`it said nothing for ${startTimeoutMs / 1000} seconds.`);
    }, startTimeoutMs);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      const end = output.indexOf('\n');
      if (end >= 0) return;
      output += chunk;
      const line = output.indexOf('\n');
      if (line < 0) return;
      clearTimeout(timer);
      const credentials = parseAnnouncement(output.slice(0, line));
      if (credentials) resolve(credentials);
      else fail('its first line was not understood.');
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-4000);
      for (const line of chunk.split('\n')) if (line.trim()) log.info(`local platform: ${line}`);
    });
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(errors.trim() || `it ended with code ${code ?? 'unknown'}.`));
  });
}
