import {
  type PlatformOptions,
  platformOptions,
  platformOptionsHelp,
  readPlatformOptions,
} from '../../platform/index.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { openLocalPlatform } from '../local-platform.ts';
import { parseOptions, vendorPrefixOption } from '../parse-options.ts';

export const platformUsage = `lql platform [--data DIR] [--vendor-prefix SVC|LW] [--sample demo|lab|none] [--port N] …
  Serves the REST API on this computer with sample data until it is ended. The first line of standard output is JSON:
  {"url", "keyId", "secret", "accountId", "account", "rateLimit"}.
${platformOptionsHelp}`;

export async function platform(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, platformOptions);
  if (positionals.length > 0) throw new UsageError(`platform takes no '${positionals[0]}'.`);
  vendorPrefixOption(values['vendor-prefix']);
  const running = await openLocalPlatform(
    readOptions(() => readPlatformOptions(values, io.cwd)),
    false,
  );
  try {
    await io.writeOut(`${JSON.stringify(running.announcement)}\n`);
    await ended(io.signal);
  } finally {
    await running.stop();
  }
  return 0;
}

function readOptions(read: () => PlatformOptions): PlatformOptions {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
