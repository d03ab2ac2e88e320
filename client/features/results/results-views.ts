import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { FromResultsView, RunView, ToResultsView } from '../../protocol/results.ts';
import type { Run } from './run.ts';
import type { RunList } from './run-list.ts';
import { webviewPage, webviewRoot } from './webview-page.ts';

const resultsViewId = 'lql.results';

/** The places that show runs: the view in the panel, with all of them, and editors opened beside, with one each. */
export interface ResultsViews extends vscode.Disposable {
  /** Brings the view into sight without taking the focus from the editor. */
  reveal(): void;
  openBeside(run: Run): void;
  /** The run an editor shows, also one that the list has let go of. */
  findBeside(id: string): Run | undefined;
  /** Tells every place what changed about `run`, or about the list when none is given. */
  refresh(run?: Run): void;
  post(run: Run, message: ToResultsView): void;
}

interface Place {
  readonly webview: vscode.Webview;
  /** The one run an editor shows; the panel's view shows the active one. */
  readonly only: Run | undefined;
  /** The editor it is shown in. */
  readonly panel: vscode.WebviewPanel | undefined;
  ready: boolean;
}

function tell(webview: vscode.Webview, message: ToResultsView): void {
  void webview.postMessage(JSON.stringify(message));
}

export function createResultsViews(
  extensionUri: vscode.Uri,
  list: RunList,
  bars: () => boolean | undefined,
  handle: (message: FromResultsView, reply: (message: ToResultsView) => void) => void,
): ResultsViews {
  const places = new Set<Place>();
  const disposables: vscode.Disposable[] = [];
  let view: vscode.WebviewView | undefined;

  const runOf = (place: Place): Run | undefined => place.only ?? list.active;

  const sendState = (place: Place): void => {
    if (!place.ready) return;
    if (place.panel && place.only) place.panel.title = plainLabel(place.only.title);
    const shown: RunView | undefined = runOf(place)?.view();
    const tabs = place.only ? [place.only] : list.runs;
    tell(place.webview, {
      kind: 'state',
      tabs: tabs.map(({ id, title, phase, pinned, kept }) => ({ id, title, phase, pinned, kept })),
      run: shown,
      bars: bars(),
    });
  };

  const connect = (
    webview: vscode.Webview,
    only: Run | undefined,
    closed: vscode.Event<void>,
    panel: vscode.WebviewPanel | undefined,
  ): void => {
    const place: Place = { webview, only, panel, ready: false };
    places.add(place);
    webview.options = { enableScripts: true, localResourceRoots: [webviewRoot(extensionUri)] };
    const messages = webview.onDidReceiveMessage((message: FromResultsView) => {
      if (message.kind === 'ready') {
        place.ready = true;
        sendState(place);
      } else if (message.kind === 'close' && panel) panel.dispose();
      else handle(message, (answer) => tell(webview, answer));
    });
    closed(() => {
      places.delete(place);
      messages.dispose();
    });
    webview.html = webviewPage(webview, extensionUri, 'results', 'Query results');
  };

  disposables.push(
    vscode.window.registerWebviewViewProvider(
      resultsViewId,
      {
        resolveWebviewView(resolved) {
          view = resolved;
          resolved.onDidDispose(() => {
            view = undefined;
          });
          connect(resolved.webview, undefined, resolved.onDidDispose, undefined);
        },
      },
      { webviewOptions: { retainContextWhenHidden: true } },
    ),
  );

  return {
    reveal() {
      if (view) view.show(true);
      else void vscode.commands.executeCommand(`${resultsViewId}.focus`, { preserveFocus: true });
    },
    openBeside(run) {
      const panel = vscode.window.createWebviewPanel(
        'lql.result',
        plainLabel(run.title),
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
        { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [webviewRoot(extensionUri)] },
      );
      run.beside = true;
      connect(panel.webview, run, panel.onDidDispose, panel);
      panel.onDidDispose(() => {
        run.beside = [...places].some(({ only }) => only === run);
      });
    },
    findBeside: (id) => [...places].find(({ only }) => only?.id === id)?.only,
    refresh(run) {
      for (const place of places) if (!run || runOf(place) === run || !place.only) sendState(place);
    },
    post(run, message) {
      for (const place of places) if (place.ready && runOf(place) === run) tell(place.webview, message);
    },
    dispose: () => {
      for (const disposable of disposables) disposable.dispose();
    },
  };
}
