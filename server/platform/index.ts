import { type ServerOptions, startServer } from './server.ts';

export { createPlatformApp, type PlatformApp } from './app.ts';
export { assumptions, parseSwitch, type Switches } from './assumptions.ts';
export type { Fault, FaultPlan } from './http/faults.ts';
export type { RunningPlatform, ServerOptions } from './server.ts';
export type { PlatformOptions } from './settings.ts';

/** A running platform as its users need it. */
export interface StartedPlatform {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  stop(): Promise<void>;
}

/** Starts the local platform on a free port of the loopback address. @throws Error when it cannot start; the message says why. */
export async function startPlatform(options: ServerOptions = {}): Promise<StartedPlatform> {
  return startServer(options);
}
