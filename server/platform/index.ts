import { type RunningPlatform, type ServerOptions, startServer } from './server.ts';

export { createPlatformApp, type PlatformApp } from './app.ts';
export { platformOptions, platformOptionsHelp, readPlatformOptions } from './arguments.ts';
export { assumptions, parseSwitch, type Switches } from './assumptions.ts';
export type { Fault, FaultPlan } from './http/faults.ts';
export { FolderBusyError, type RunningPlatform, type ServerOptions as PlatformOptions } from './server.ts';
export { DataFolderError } from './state/data-folder.ts';

/**
 * Starts the local platform on a free port of the loopback address.
 * @throws FolderBusyError when another process serves the data folder; DataFolderError when the folder cannot be written; Error when it cannot start otherwise. The message says why.
 */
export function startPlatform(options: ServerOptions = {}): Promise<RunningPlatform> {
  return startServer(options);
}
