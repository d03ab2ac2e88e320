import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLocalPlatform } from '../../harness/local-platform.ts';
import { canaryKeyId, canarySecret } from './canary.ts';

/** A service on this computer whose answers to executions can be held back and replaced. */
export interface SlowService {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  /** Executions wait from now on until `release` is called. */
  hold(): void;
  release(): void;
  /** The next execution is answered with this instead. */
  answerNext(status: number, body: object, headers?: Readonly<Record<string, string>>): void;
  /** Executions that were received, each with its body and whether the client closed the connection before the answer. */
  readonly executions: readonly { readonly body: string; closed: boolean }[];
  /** Tokens that were handed out. */
  readonly tokens: readonly string[];
  stop(): Promise<void>;
}

export async function startSlowService({ rateLimit = false } = {}): Promise<SlowService> {
  const platform = await startLocalPlatform({ rateLimit, keyId: canaryKeyId, secret: canarySecret });
  const target = new URL(platform.url);
  const executions: { body: string; closed: boolean }[] = [];
  const tokens: string[] = [];
  let held: Promise<void> = Promise.resolve();
  let release = (): void => undefined;
  let answer: { status: number; body: object; headers: Readonly<Record<string, string>> } | undefined;

  const server = createServer(async (incoming, outgoing) => {
    const body = await read(incoming);
    if (incoming.url?.endsWith('/Queries/execute')) {
      const execution = { body, closed: false };
      executions.push(execution);
      outgoing.on('close', () => {
        execution.closed = !outgoing.writableEnded;
      });
      await held;
      if (answer) {
        const { status, body: text, headers } = answer;
        answer = undefined;
        outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(text));
        return;
      }
    }
    const forwarded = request(
      {
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, host: target.host },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        if (incoming.url?.endsWith('/access/tokens')) response.on('data', (chunk) => rememberToken(chunk, tokens));
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    keyId: platform.keyId,
    secret: platform.secret,
    executions,
    tokens,
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    answerNext(status, body, headers = {}) {
      answer = { status, body, headers };
    },
    async stop() {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await platform.stop();
    },
  };
}

function rememberToken(chunk: Buffer, tokens: string[]): void {
  const [, token] = /"token":"([^"]+)"/.exec(chunk.toString('utf8')) ?? [];
  if (token) tokens.push(token);
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
