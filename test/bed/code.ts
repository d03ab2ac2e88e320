// A stand-in for the desktop `code` executable, for @vscode/test-electron's runTests({ vscodeExecutablePath }).
// Understands the arguments that runTests() passes and carries them out with the bed.
//
// Environment: BED_DEBUG=1 (times and the workbench's log), BED_VERBOSE=1 (the server's log too), BED_TIMEOUT=seconds
// (300), BED_ARTIFACTS=folder (a picture of the window when tests fail).
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type CodeServer, launchBrowser, makeProfile, openWorkbench, runCodeServer, startServer } from './index.ts';
import { codeServer } from './install.mjs';

interface Arguments {
  readonly extensions: string[];
  readonly install: string[];
  readonly targets: string[];
  tests?: string;
  userDataDir?: string;
  extensionsDir?: string;
  list: boolean;
  version: boolean;
}

// The workbench's own log, which arrives through the same channel as the output of the tests.
const noise =
  /^(%c|Creating a socket|Resolv(ing|ed) connection token|\[(reconnection-grace-time|remote-connection|AgentHost|AccountPolicyGate|DefaultAccount|ChatModelSelection|Service Worker|network)|Updating additional builtin|Ignoring fetching additional builtin|Error while fetching the extension under development|Creation of workbench contribution|Canceled)|\/static\/out\/vs\/code\/browser\/workbench\/workbench\.js:/i;

const start = Date.now();
const debug = (...values: unknown[]): void => {
  if (process.env['BED_DEBUG'] === '1') console.error(`[bed +${Date.now() - start} ms]`, ...values);
};

const args = parseArguments(process.argv.slice(2));
if (args.version) {
  const product = JSON.parse(readFileSync(path.join(codeServer, 'lib', 'vscode', 'product.json'), 'utf8'));
  console.log(`${product.version}\n${product.commit}\n${process.arch}`);
} else if (args.install.length > 0 || args.list) {
  const profile = makeProfile(profileFolders());
  const install = args.install.flatMap((file) => ['--install-extension', file]);
  process.stdout.write(runCodeServer(profile, [...install, ...(args.list ? ['--list-extensions'] : [])]));
  profile.remove();
} else {
  process.exit(await runWindow());
}

/** Opens the window and answers with the exit code of the tests that it runs. */
async function runWindow(): Promise<number> {
  const profile = makeProfile({
    ...profileFolders(),
    workspaceTrust: process.env['BED_TRUST'] === 'ask',
    settings: JSON.parse(process.env['BED_SETTINGS'] ?? '{}'),
  });
  let server: CodeServer | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;
  let code = 1;
  try {
    [server, browser] = await Promise.all([
      startServer({ profile, verbose: process.env['BED_VERBOSE'] === '1' }),
      launchBrowser(),
    ]);
    debug('server', server.origin, 'and browser are up');
    const window = await openWorkbench(browser, server, {
      ...target(),
      extensions: args.extensions,
      ...(args.tests ? { tests: args.tests } : {}),
    });
    page = window.page;
    code = await untilDone(page, window.open);
    debug('exit code', code, 'refused', window.blocked);
    const artifacts = process.env['BED_ARTIFACTS'];
    if (code !== 0 && artifacts && !page.isClosed()) {
      mkdirSync(artifacts, { recursive: true });
      await page.screenshot({ path: path.join(artifacts, 'integration-failed.png'), timeout: 5000 }).catch(debug);
    }
  } catch (error) {
    console.error(error);
  } finally {
    await browser?.close().catch(debug);
    await server?.stop();
    profile.remove();
  }
  return code;
}

async function untilDone(page: Page, open: () => Promise<void>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  let done = false;
  const finish = (code: number, message?: string): void => {
    if (message && !done) console.error(message);
    done = true;
    resolve(code);
  };
  const seconds = Number(process.env['BED_TIMEOUT'] ?? 300);
  const timer = setTimeout(() => finish(124, `The tests did not end within ${seconds} s.`), seconds * 1000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => finish(130));
  await page.exposeFunction('codeAutomationLog', (type: string, values: unknown[]) => {
    const text = format(...values);
    if (done || noise.test(text)) debug('workbench:', text);
    else (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(`${text}\n`);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => finish(code));
  page.on('crash', () => finish(70, 'The workbench crashed.'));
  page.on('close', () => finish(71, 'The window closed before the tests ended.'));
  page.on('pageerror', (error) => debug('pageerror', error.message));
  await open();
  debug('workbench loaded');
  const code = await promise;
  clearTimeout(timer);
  return code;
}

function target(): { folder?: string; workspace?: string; file?: string } {
  const [first] = args.targets;
  if (first === undefined) return {};
  const place = path.resolve(first);
  if (statSync(place).isDirectory()) return { folder: place };
  return place.endsWith('.code-workspace') ? { workspace: place } : { file: place };
}

function profileFolders(): { userDataDir?: string; extensionsDir?: string } {
  return {
    ...(args.userDataDir ? { userDataDir: args.userDataDir } : {}),
    ...(args.extensionsDir ? { extensionsDir: args.extensionsDir } : {}),
  };
}

function parseArguments(argv: readonly string[]): Arguments {
  const result: Arguments = { extensions: [], install: [], targets: [], list: false, version: false };
  for (let index = 0; index < argv.length; index++) {
    const text = argv[index] ?? '';
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(text);
    if (!match) {
      result.targets.push(text);
      continue;
    }
    const value = (): string => match[2] ?? argv[++index] ?? '';
    switch (match[1]) {
      case 'extensionDevelopmentPath':
        result.extensions.push(path.resolve(value()));
        break;
      case 'extensionTestsPath':
        result.tests = path.resolve(value());
        break;
      case 'user-data-dir':
        result.userDataDir = path.resolve(value());
        break;
      case 'extensions-dir':
        result.extensionsDir = path.resolve(value());
        break;
      case 'install-extension':
        result.install.push(value());
        break;
      case 'list-extensions':
        result.list = true;
        break;
      case 'folder-uri':
        result.targets.push(fileURLToPath(value()));
        break;
      case 'version':
        result.version = true;
        break;
      default:
        // Switches of the desktop program, such as --no-sandbox, have no meaning here.
        break;
    }
  }
  return result;
}
