// VS Code's workbench in headless Chromium.
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from './install.mjs';
import type { CodeServer } from './server.ts';

// A window on a busy machine takes its time; nothing is measured by this.
const openLimitMs = 120_000;

/** VS Code's own number for the level at which nothing is left out. */
const traceLevel = 1;

export interface WorkbenchOptions {
  /** What is open: at most one of folder, workspace file and single file; an empty window when none is given. */
  readonly folder?: string;
  readonly workspace?: string;
  readonly file?: string;
  /** Folders of extensions under development. */
  readonly extensions?: readonly string[];
  /** The module whose `run()` the extension host calls (makes the window a test window). */
  readonly tests?: string;
  /** CSS pixels; 1280 × 800 unless given. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Laid over the workbench's construction options. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly reducedMotion?: boolean;
  /** Log channels write everything, as a person would set it who looks for a fault. */
  readonly trace?: boolean;
}

export interface Workbench {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses outside the server that the window asked for; all were refused. */
  readonly blocked: readonly string[];
  /** Loads the window. Listeners and exposed functions are added before. */
  open(): Promise<void>;
}

/** Starts the browser of the bed. Throws when there is none; `npm test` installs it where it can. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium found. Run `node scripts/setup.mjs --bed`, or set CHROMIUM.');
  return chromium.launch({
    executablePath,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
    ],
  });
}

/** Prepares a window on the server; its `open()` loads it. */
export async function openWorkbench(
  browser: Browser,
  server: CodeServer,
  options: WorkbenchOptions = {},
): Promise<Workbench> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    deviceScaleFactor: 1,
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  // Nothing may leave the machine: a workbench that reaches for a gallery or a CDN would only wait for time-outs.
  const blocked: string[] = [];
  await context.route(
    (url) => /^https?:$/.test(url.protocol) && url.origin !== server.origin,
    (route) => {
      blocked.push(route.request().url());
      return route.abort();
    },
  );
  const page = await context.newPage();
  const authority = `127.0.0.1:${server.port}`;
  const toUri = (file: string): object => ({ $mid: 1, scheme: 'vscode-remote', authority, path: path.resolve(file) });
  await page.addInitScript(patchConfiguration, {
    ...options.configuration,
    developmentOptions: {
      ...(options.extensions?.length ? { extensions: options.extensions.map(toUri) } : {}),
      ...(options.tests ? { extensionTestsPath: toUri(options.tests) } : {}),
      ...(options.trace ? { logLevel: traceLevel } : {}),
    },
  });
  return {
    page,
    context,
    blocked,
    open: async () => void (await page.goto(addressOf(server, options), { timeout: openLimitMs })),
  };
}

/** The address that opens a folder, workspace or file on the server. */
export function addressOf(
  server: CodeServer,
  options: Pick<WorkbenchOptions, 'folder' | 'workspace' | 'file'>,
): string {
  const query = new URLSearchParams();
  if (options.folder) query.set('folder', path.resolve(options.folder));
  else if (options.workspace) query.set('workspace', path.resolve(options.workspace));
  else query.set('ew', 'true');
  if (options.file) {
    const uri = `vscode-remote://127.0.0.1:${server.port}${path.resolve(options.file)}`;
    query.set('payload', JSON.stringify([['openFile', uri]]));
  }
  return `${server.origin}/?${query}`;
}

// Runs in the page. The built workbench ignores `extensionDevelopmentPath` in its address, so the same is said through
// the construction options that the server puts into the page. They are changed where the workbench reads them and not
// on the wire: Chromium refuses the workbench's WebSocket to the loopback address when the page came out of an
// intercepted request.
function patchConfiguration(patch: object): void {
  if (window !== window.top) return;
  const original = Element.prototype.getAttribute;
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const merge = (target: Record<string, unknown>, source: object): Record<string, unknown> => {
    for (const [key, value] of Object.entries(source)) {
      const old = target[key];
      target[key] = isRecord(value) && isRecord(old) ? merge(old, value) : value;
    }
    return target;
  };
  Element.prototype.getAttribute = function (name: string): string | null {
    const value = original.call(this, name);
    if (value === null || this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings') return value;
    return JSON.stringify(merge(JSON.parse(value), patch));
  };
}
