import { benchRows } from '../rows.ts';

// Stands for the extension host of an extension that hands all rows to its page: it holds them, and sends them as one message.
self.addEventListener(
  'message',
  (event: MessageEvent<{ readonly count: number }>) => {
    const rows = benchRows(event.data.count);
    self.postMessage({ kind: 'ready' });
    self.addEventListener('message', () => {
      const sentAt = performance.timeOrigin + performance.now();
      self.postMessage({ kind: 'rows', sentAt, rows });
    });
  },
  { once: true },
);
