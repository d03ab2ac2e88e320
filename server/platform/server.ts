import { rmSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { serve } from '@hono/node-server';
import { createPlatformApp, type PlatformApp } from './app.ts';
import type { PlatformOptions } from './settings.ts';
import { type Announcement, isOwnFolder, type LockHolder, lockFolder, type TakenLock } from './state/folder-lock.ts';

/** A platform that listens on the loopback address of this machine. */
export interface RunningPlatform {
  /** e.g. `http://127.0.0.1:41573` */
  readonly url: string;
  readonly port: number;
  readonly keyId: string;
  readonly secret: string;
  /** The account's stable id, kept in the data folder. */
  readonly accountId: string;
  /** Where it is, who may use it and whose account it serves, as others are told. */
  readonly announcement: Announcement;
  readonly app: PlatformApp;
  /** Closes every connection and the socket. */
  stop(): Promise<void>;
}

export interface ServerOptions extends PlatformOptions {
  /** 0 or left out: a free one. */
  readonly port?: number | undefined;
  /** Forgets the state kept in the data folder before it starts. */
  readonly reset?: boolean | undefined;
}

const loopback = '127.0.0.1';

/** Another process serves the data folder already. */
export class FolderBusyError extends Error {
  readonly holder: LockHolder | undefined;

  constructor(folder: string, holder: LockHolder | undefined) {
    const where = holder === undefined ? 'is starting there' : `(process ${holder.pid}) serves it at ${holder.url}`;
    super(`Another local platform ${where}: ${folder}. Use that one, end it, or choose another data folder.`);
    this.name = 'FolderBusyError';
    this.holder = holder;
  }
}

/**
 * Starts the platform. It is reachable from this machine alone; a request must name the platform's own address in `Host`, and must not come
 * from a web page (`Origin`), so that pages in a browser cannot use it.
 * @throws FolderBusyError when another process serves the data folder; Error when the port is taken or the folder cannot be used.
 */
export async function startServer(options: ServerOptions): Promise<RunningPlatform> {
  const { dataFolder } = options;
  if (dataFolder === undefined) return listen(options, () => {});
  const lock = await takeFolder(dataFolder);
  let platform: RunningPlatform | undefined;
  try {
    if (options.reset) rmSync(path.join(dataFolder, 'state'), { recursive: true, force: true });
    platform = await listen(options, lock.release);
    if (lock.announce({ pid: process.pid, port: platform.port, ...platform.announcement })) return platform;
    throw new FolderBusyError(dataFolder, undefined);
  } catch (error) {
    await platform?.stop();
    lock.release();
    throw error;
  }
}

/** A process that holds a folder says where it is within this many milliseconds. */
const startTime = 15_000;
/** After so many tries to take a lock away that nobody stands behind, somebody else is at it. */
const tries = 5;

/**
 * Becomes the one process of a data folder. Process ids are used again after a restart of the machine, so a lock counts only while somebody
 * answers at its address, or is just starting.
 * @throws FolderBusyError
 */
async function takeFolder(folder: string): Promise<TakenLock> {
  for (let attempt = 1; ; attempt++) {
    const lock = lockFolder(folder);
    if (lock.kind === 'taken') return lock;
    const { holder, age } = lock;
    const served = isOwnFolder(folder) || (holder === undefined ? age < startTime : await answers(holder));
    if (served || attempt === tries) throw new FolderBusyError(folder, served ? holder : undefined);
    lock.clear();
  }
}

/** Whether a platform is at an address: it refuses requests without a token, and tells its limit. */
async function answers({ url }: LockHolder): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/v2/schemas`, { redirect: 'error', signal: AbortSignal.timeout(2_000) });
    return response.status === 401 && response.headers.has('RateLimit-Limit');
  } catch (error) {
    // Whoever takes the call and says nothing is busy, or was put to sleep.
    return error instanceof DOMException && error.name === 'TimeoutError';
  }
}

async function listen(options: ServerOptions, release: () => void): Promise<RunningPlatform> {
  const app = createPlatformApp(options);
  let allowedHosts: ReadonlySet<string> = new Set();
  const listening = Promise.withResolvers<AddressInfo>();
  const server = serve(
    {
      hostname: loopback,
      port: options.port ?? 0,
      fetch(request, environment) {
        const refusal = refuseForeign(request, allowedHosts);
        if (refusal !== undefined) return refusal;
        const { incoming } = environment as { readonly incoming: IncomingMessage };
        return app.hono.fetch(request, { closeSocket: () => incoming.socket.destroy() });
      },
    },
    listening.resolve,
  ) as Server;
  server.once('error', listening.reject);
  const { port } = await listening.promise;
  app.schedule.start();
  allowedHosts = new Set([`${loopback}:${port}`, `localhost:${port}`]);
  const address = { url: `http://${loopback}:${port}`, keyId: app.key.keyId, secret: app.key.secret };
  const { accountId } = app.store;
  const { account, rateLimit } = app.settings;
  return {
    ...address,
    port,
    accountId,
    announcement: { ...address, accountId, account, rateLimit },
    app,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await Promise.all([closed, app.close()]);
      // Only now does nobody write any more.
      release();
    },
  };
}

function refuseForeign(request: Request, allowedHosts: ReadonlySet<string>): Response | undefined {
  const host = request.headers.get('host')?.toLowerCase();
  const allowed = host !== undefined && allowedHosts.has(host) && request.headers.get('origin') === null;
  if (allowed) return undefined;
  return Response.json(
    { message: 'The local platform answers requests to its own address, and none from web pages.' },
    { status: 403 },
  );
}
