import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { answer, isRowQuestion } from '../../../client/features/results/answer.ts';
import { createRun, type Run } from '../../../client/features/results/run.ts';
import type { Row, RunDescription } from '../../../client/infrastructure/runs.ts';
import type { FromResultsView, RunTab, ToResultsView } from '../../../client/protocol/results.ts';
import { themes } from './themes.ts';

/** The results view in a browser of its own, talking with the host's real code through real messages, without a VS Code around it. */
export interface ResultsPage {
  readonly page: Page;
  readonly run: Run;
  /** Messages the view sent that are not about rows, e.g. copies and cancels. */
  readonly sent: readonly FromResultsView[];
  /** Requests that left the page besides its own script and style, and violations of its content security policy. */
  readonly violations: readonly string[];
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ResultsPageOptions {
  readonly theme?: keyof typeof themes;
  readonly width?: number;
  readonly height?: number;
  readonly description?: Partial<RunDescription>;
  /** Tabs of other results beside the one that is shown. */
  readonly otherTabs?: number;
}

const policy = (nonce: string): string => `default-src 'none'; style-src 'self'; script-src 'nonce-${nonce}'`;

/** Type and text of a file by its path. */
export type PageFiles = ReadonlyMap<string, readonly [type: string, text: string]>;

/** The view's page as the extension delivers it; `bridge` is the script that gives it its `acquireVsCodeApi`. */
export function viewFiles(theme: keyof typeof themes, bridge: string): PageFiles {
  const variables = Object.entries(themes[theme])
    .map(([name, value]) => `--vscode-${name.replaceAll('.', '-')}: ${value};`)
    .join('\n');
  const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Query results</title>
<meta http-equiv="Content-Security-Policy" content="${policy('test')}">
<link rel="stylesheet" href="/theme.css"><link rel="stylesheet" href="/results.css"></head>
<body><script nonce="test" src="/bridge.js"></script><script nonce="test" src="/results.js"></script></body></html>`;
  return new Map([
    ['/', ['text/html; charset=utf-8', html]],
    ['/bridge.js', ['text/javascript', bridge]],
    ['/theme.css', ['text/css', `:root { ${variables} }`]],
    ['/results.css', ['text/css', readFileSync('dist/webview/results.css', 'utf8')]],
    ['/results.js', ['text/javascript', readFileSync('dist/webview/results.js', 'utf8')]],
  ]);
}

const testBridge = `globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => globalThis.lqlSend(JSON.stringify(message)) });
document.addEventListener('securitypolicyviolation', (event) => void globalThis.lqlViolation(event.violatedDirective + ' ' + event.blockedURI));`;

function serve(theme: keyof typeof themes): Promise<Server> {
  const answers = viewFiles(theme, testBridge);
  const server = createServer((request, response) => {
    const [type, body] = answers.get(request.url ?? '') ?? ['text/plain', 'not found'];
    response.writeHead(answers.has(request.url ?? '') ? 200 : 404, { 'content-type': type });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Swallows what a page says that was closed meanwhile; everything else is an error of the test. */
function gone(error: unknown): void {
  if (!/closed/.test(String(error))) throw error;
}

/** The host's side of one run: its real code, which speaks through `post`. */
export interface ResultsHost {
  readonly run: Run;
  readonly sent: readonly FromResultsView[];
  refresh(): Promise<void>;
  handle(message: FromResultsView): Promise<void>;
}

export function createHost(
  post: (message: ToResultsView) => Promise<void>,
  overrides: Partial<RunDescription> = {},
  otherTabs = 0,
): ResultsHost {
  const sent: FromResultsView[] = [];
  let bars: boolean | undefined;
  const others = Array.from({ length: otherTabs }, (_, index): RunTab => {
    return { id: `other-${index + 1}`, title: `other ${index + 1}`, phase: 'succeeded', pinned: false, kept: false };
  });
  const refresh = (): Promise<void> =>
    post({
      kind: 'state',
      tabs: [{ id: run.id, title: run.title, phase: run.phase, pinned: run.pinned, kept: run.kept }, ...others],
      run: run.view(),
      bars,
    });
  const description: RunDescription = {
    title: '01-first.lql',
    queryText: '{ source { SVC_CFG_AWS_S3 } return { ARN } }',
    uri: undefined,
    window: { startTime: Date.UTC(2026, 0, 1), endTime: Date.UTC(2026, 0, 2), label: 'last 24 hours' },
    accountLabel: 'Local platform',
    cancel: () => run.cancelled(),
    rerun: () => undefined,
    ...overrides,
  };
  const run = createRun('run-1', description, Date.now(), {
    changed: () => void refresh(),
    filterError: (message) => void post({ kind: 'filterError', runId: 'run-1', message }),
  });
  const handle = async (message: FromResultsView): Promise<void> => {
    if (message.kind === 'ready') await refresh();
    else if (isRowQuestion(message)) await answer(run, message, (reply) => void post(reply));
    else {
      sent.push(message);
      if (message.kind === 'cancel') description.cancel();
      if (message.kind === 'showBars') bars = message.shown;
      if (message.kind === 'togglePin') run.pinned = !run.pinned;
      await refresh();
    }
  };
  return { run, sent, refresh, handle };
}

export async function openResults(browser: Browser, options: ResultsPageOptions = {}): Promise<ResultsPage> {
  const server = await serve(options.theme ?? 'dark');
  const { port } = server.address() as AddressInfo;
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1100, height: options.height ?? 420 },
  });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const violations: string[] = [];
  const post = async (message: ToResultsView): Promise<void> => {
    // As one JSON text through the debugger, as VS Code hands it from process to process; an answer may come when the page is gone.
    const text = JSON.stringify(JSON.stringify(message));
    if (!page.isClosed())
      await session.send('Runtime.evaluate', { expression: `window.postMessage(${text}, '*')` }).catch(gone);
  };
  const { run, sent, refresh, handle } = createHost(post, options.description, options.otherTabs);
  session.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'lqlSend') void handle(JSON.parse(payload) as FromResultsView);
  });
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'lqlSend' });
  await page.exposeFunction('lqlViolation', (text: string) => violations.push(text));
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (
      origin !== `http://127.0.0.1:${port}` ||
      !/^\/((theme|results)\.css|(bridge|results)\.js|favicon\.ico)?$/.test(pathname)
    )
      violations.push(request.url());
  });
  page.on('pageerror', (error) => violations.push(`error: ${error.message}`));
  await page.goto(`http://127.0.0.1:${port}/`);
  return {
    page,
    run,
    sent,
    violations,
    refresh,
    async close() {
      await context.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Rows as a busy account gives them: times, numbers, texts, nulls, JSON, an integer beyond 2^53. */
export function sampleRows(count: number): Row[] {
  const names = ['ConsoleLogin', 'AssumeRole', 'PutBucketPolicy', 'DescribeInstances', 'CreateAccessKey'];
  return Array.from(
    { length: count },
    (_, i): Row => ({
      EVENT_TIME: new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % 86_400) * 1000).toISOString(),
      EVENT_NAME: names[(i * 31) % names.length],
      ACCOUNT_ID: String(100_000_000_000 + (i % 7)),
      BYTES: (i * 104_729) % 1_000_003,
      PID_HASH: 5_644_915_113_269_064_000n + BigInt(i),
      ERROR_CODE: i % 5 === 0 ? 'AccessDenied' : null,
      EVENT: {
        userIdentity: { type: 'IAMUser', userName: `user-${i % 97}` },
        sourceIPAddress: `10.0.${i % 250}.${(i * 13) % 250}`,
      },
    }),
  );
}
