// Starts and ends VS Code's server, and everything that it starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { bedEnv, bedNode, codeServerEntry, type Profile } from './profile.ts';

export interface ServerOptions {
  readonly profile: Profile;
  readonly env?: NodeJS.ProcessEnv;
  /** Prints the server's log as it comes. */
  readonly verbose?: boolean;
  /** A fixed port; a free one unless given. */
  readonly port?: number;
  /** Seconds without a connected browser after which the server ends by itself (at least 60). */
  readonly idleTimeoutSeconds?: number;
}

export interface CodeServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly port: number;
  readonly log: () => string;
  stop(): Promise<void>;
}

const startLimitMs = 60_000;

export async function startServer(options: ServerOptions): Promise<CodeServer> {
  const { profile } = options;
  const port = options.port ?? (await freePort());
  const args = [
    codeServerEntry,
    ...profile.args,
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override', '--disable-proxy'],
    '--ignore-last-opened',
    ...(profile.workspaceTrust ? [] : ['--disable-workspace-trust']),
    ...(options.verbose ? ['-vvv'] : []),
  ];
  const env = { ...options.env };
  if (options.idleTimeoutSeconds) env['CODE_SERVER_IDLE_TIMEOUT_SECONDS'] = String(options.idleTimeoutSeconds);
  const child = spawn(bedNode, args, { env: bedEnv(env), stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const pid = child.pid;
  if (pid === undefined) throw new Error('VS Code’s server could not be started.');
  // Ends the server's process group when this process is gone, whatever ended it: the reaper's standard input closes then.
  const reaper = spawn('/bin/sh', ['-c', 'read _; kill -KILL -"$0" 2>/dev/null', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.unref();
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (options.verbose) process.stderr.write(chunk);
    });
  }
  const exited = once(child, 'exit');
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has ended already.
    }
  };
  const origin = `http://127.0.0.1:${port}`;
  const end = Date.now() + startLimitMs;
  while (!(await isUp(origin))) {
    if (child.exitCode !== null || Date.now() > end) {
      kill('SIGKILL');
      reaper.kill('SIGKILL');
      throw new Error(`VS Code’s server did not start:\n${log}`);
    }
    await delay(50);
  }
  return {
    origin,
    port,
    log: () => log,
    stop: async () => {
      kill('SIGTERM');
      await Promise.race([exited, delay(3000)]);
      kill('SIGKILL');
      reaper.kill('SIGKILL');
    },
  };
}

async function isUp(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/healthz`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
