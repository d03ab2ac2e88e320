import type { DeliveryServices, DiagnosticsDelivery } from './document-diagnostics.ts';
import type { OpenDocument } from './open-documents.ts';

/** A check that took this many milliseconds makes the next one wait as long; cheap texts are checked at once. */
const patience = 2;
const longestDelayMs = 300;

/**
 * Checks documents and sends what it finds. Texts are read when the check runs, never earlier, and everything happens in one turn,
 * so what is sent always belongs to the newest version.
 */
export function createDiagnosticsPublisher(services: DeliveryServices): DiagnosticsDelivery {
  const { connection, documents, checks, host, guard, onChecked } = services;
  /** How to call off the check a document waits for. */
  const waiting = new Map<string, () => void>();
  const costs = new Map<string, number>();

  const check = (uri: string): void => {
    waiting.delete(uri);
    guard.run('textDocument/publishDiagnostics', async () => {
      const language = await host();
      const document = documents.get(uri);
      if (document === undefined || waiting.has(uri)) return;
      const start = performance.now();
      const { views, diagnostics } = checks.check(document, language);
      costs.set(uri, performance.now() - start);
      await connection.sendDiagnostics({ uri, version: document.content.version, diagnostics });
      onChecked(views);
    });
  };

  const schedule = ({ uri }: OpenDocument): void => {
    waiting.get(uri)?.();
    const delay = Math.min(longestDelayMs, (costs.get(uri) ?? 0) * patience);
    if (delay < 10) {
      const turn = setImmediate(check, uri);
      waiting.set(uri, () => clearImmediate(turn));
    } else {
      const timer = setTimeout(check, delay, uri);
      waiting.set(uri, () => clearTimeout(timer));
    }
  };

  return {
    changed: schedule,
    outdated(list) {
      for (const document of list) schedule(document);
    },
    closed(uri) {
      waiting.get(uri)?.();
      waiting.delete(uri);
      costs.delete(uri);
      connection.sendDiagnostics({ uri, diagnostics: [] }).catch(() => undefined);
    },
    dispose() {
      for (const callOff of waiting.values()) callOff();
      waiting.clear();
    },
  };
}
