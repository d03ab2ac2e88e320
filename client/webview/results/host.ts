import type { FromResultsView, ToResultsView } from '../../protocol/results.ts';

interface VsCodeApi {
  postMessage(message: FromResultsView): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The extension host as the view sees it. */
export interface Host {
  send(message: FromResultsView): void;
  onMessage(handle: (message: ToResultsView) => void): void;
}

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    send: (message) => api.postMessage(message),
    onMessage: (handle) =>
      window.addEventListener('message', (event: MessageEvent<string>) =>
        handle(JSON.parse(event.data) as ToResultsView),
      ),
  };
}
