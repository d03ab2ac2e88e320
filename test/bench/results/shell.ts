import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame } from 'playwright-core';
import type { PageFiles } from '../../ui/support/results-page.ts';
import { acceptSocket } from './web-socket.ts';

/**
 * A page in a frame, as VS Code holds a webview: in another site than the window around it, so in another process. The frame gives the window
 * a port when it is there. What the page posts goes to the frame's own script, through the port to the window, from there as JSON text
 * through a socket to the host's process, and answers come back the same way.
 */
export interface Shell {
  readonly frame: Frame;
  /** Sends a message to the frame. */
  post(message: unknown): void;
  /** The heap of the frame's page after a collection, in MB. */
  heldMb(): Promise<number>;
  close(): Promise<void>;
}

const size = { width: 1100, height: 700 };

const shellPage = (port: number): string => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<style>html, body { margin: 0; height: 100%; overflow: hidden } iframe { width: 100%; height: 100%; border: 0 }</style></head>
<body><script>
const socket = new WebSocket('ws://127.0.0.1:${port}/');
const frame = document.createElement('iframe');
const early = [];
let toFrame = (message) => early.push(message);
addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== frame.contentWindow || !port) return;
  port.onmessage = ({ data }) => socket.send(JSON.stringify(data));
  toFrame = (message) => port.postMessage(message);
  for (const message of early.splice(0)) toFrame(message);
});
socket.onmessage = ({ data }) => toFrame(JSON.parse(data));
socket.onopen = () => { frame.src = 'http://localhost:${port}/'; document.body.append(frame); };
</script></body></html>`;

/** The script that stands for VS Code's in the frame: a message takes one more step there, as between VS Code's two frames of a webview. */
export const frameBridge = `
const outer = new MessageChannel();
const inner = new MessageChannel();
inner.port2.onmessage = ({ data }) => outer.port1.postMessage(data);
outer.port1.onmessage = ({ data }) => postMessage(data, '*');
parent.postMessage('port', '*', [outer.port2]);
globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => inner.port1.postMessage(message) });`;

/** Opens the page made of `files`; `hear` gets what it posts. */
export async function openShell(
  browser: Browser,
  files: PageFiles,
  hear: (message: unknown) => void,
  failed: (message: string) => void,
): Promise<Shell> {
  const server = createServer((request, response) => {
    const window = request.headers.host?.startsWith('127.') === true;
    const { port } = server.address() as AddressInfo;
    const found = window ? (['text/html', shellPage(port)] as const) : files.get(request.url ?? '');
    response.writeHead(found ? 200 : 404, { 'content-type': found?.[0] ?? 'text/plain' });
    response.end(found?.[1] ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const connected = acceptSocket(server, (text) => hear(JSON.parse(text)));
  const context = await browser.newContext({ viewport: size });
  const page = await context.newPage();
  page.on('pageerror', (error) => failed(error.message));
  await page.goto(`http://127.0.0.1:${port}/`);
  const socket = await connected;
  const frame = await page.waitForSelector('iframe').then((element) => element.contentFrame());
  if (!frame) throw new Error('The window has no frame.');
  await frame.waitForURL(/localhost/);
  await frame.waitForLoadState('load');
  return {
    frame,
    post: (message) => socket.send(JSON.stringify(message)),
    async heldMb() {
      const session = await context.newCDPSession(frame);
      await session.send('HeapProfiler.collectGarbage');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return usedSize / 2 ** 20;
    },
    async close() {
      await context.close();
      socket.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
