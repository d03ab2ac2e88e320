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

const folderReasons: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
};

/** Starts a platform in this process. Where another process serves the data folder already and `share` is set, that one is used. */
export async function openLocalPlatform(options: PlatformOptions, share: boolean): Promise<LocalPlatform> {
  try {
    return await startPlatform(options);
  } catch (error) {
    if (error instanceof FolderBusyError && error.holder && share) {
      const { url, keyId, secret } = error.holder;
      return { url, keyId, secret, stop: async () => {} };
    }
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (options.dataFolder !== undefined && typeof code === 'string' && folderReasons[code] !== undefined)
      throw new CommandError(
        `The folder '${options.dataFolder}' of --data cannot be used: ${folderReasons[code]}. Name a folder that you may write to.`,
      );
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
