import { FolderBusyError, type PlatformOptions, startPlatform } from '../platform/index.ts';
import { CommandError } from './io.ts';

/** A local platform to work with. */
export interface LocalPlatform {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  /** Ends it, if it was started here. */
  stop(): Promise<void>;
}

/** Starts a platform in this process. Where another process serves the data folder already and `share` is set, that one is used. */
export async function openLocalPlatform(options: PlatformOptions, share: boolean): Promise<LocalPlatform> {
  try {
    return await startPlatform(options);
  } catch (error) {
    if (error instanceof FolderBusyError && error.holder && share) {
      const { url, keyId, secret } = error.holder;
      return { url, keyId, secret, stop: async () => {} };
    }
    throw new CommandError(
      error instanceof Error
        ? error.message
        : 'The local platform could not be started, for a reason it does not name.',
    );
  }
}
