import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface FaultServer {
  readonly url: string;
  readonly requests: readonly Recorded[];
  readonly openSockets: number;
  /** Resolves when a connection is closed by the other side. */
  closed(): Promise<void>;
  stop(): Promise<void>;
}

export type Behaviour = (request: Recorded, response: ServerResponse, raw: IncomingMessage) => void;

/** An HTTP server on this computer that does exactly what it is told, right or wrong. Token requests are answered unless told otherwise. */
export async function startFaultServer(behaviour: Behaviour, answerTokens = true): Promise<FaultServer> {
  const requests: Recorded[] = [];
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let tokenCount = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    response.on('error', () => {});
    request.on('end', () => {
      const recorded: Recorded = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(recorded);
      if (answerTokens && recorded.path === '/api/v2/access/tokens') {
        tokenCount++;
        sendJson(response, 201, {
          token: `_token-${tokenCount}`,
          expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        });
      } else behaviour(recorded, response, request);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      for (const resolve of waiting.splice(0)) resolve();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get openSockets() {
      return sockets.size;
    },
    closed: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
