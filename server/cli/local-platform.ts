import { DataFolderError, FolderBusyError, type PlatformOptions, startPlatform } from '../platform/index.ts';
import { CommandError, UsageError } from './io.ts';

/** A local platform to work with. */
export interface LocalPlatform {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  /** What whoever started it is told. */
  readonly announcement: object;
  /** Ends it, if it was started here. */
  stop(): Promise<void>;
}

/** Starts a platform in this process. Where another process serves the data folder already and `share` is set, that one is used. */
export async function openLocalPlatform(options: PlatformOptions, share: boolean): Promise<LocalPlatform> {
  try {
    return await startPlatform(options);
  } catch (error) {
    if (error instanceof FolderBusyError && error.holder && share) {
      const { pid: _, port: __, ...announcement } = error.holder;
      return { ...announcement, announcement, stop: async () => {} };
    }
    if (error instanceof DataFolderError) throw new UsageError(error.message);
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new CommandError(
        `Port ${options.port} is in use already. Choose another with --port, or leave it out and any free one is taken.`,
      );
    throw new CommandError(
      error instanceof Error
        ? error.message
        : 'The local platform could not be started, for a reason it does not name.',
    );
  }
}
