import path from 'node:path';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { openLocalPlatform } from '../local-platform.ts';
import { parseOptions, vendorPrefixOption, wholeNumber } from '../parse-options.ts';

export const platformUsage = `lql platform [--port N] [--vendor-prefix SVC|LW] [--data DIR] [--no-rate-limit]
  Serves the REST API on this computer with sample data until it is ended. The first line of standard output is JSON:
  {"url", "keyId", "secret", "accountId", "account", "rateLimit"}.
  --port N         port on the loopback interface; any free one by default
  --data DIR       folder of its state; DIR/datasources/NAME.ndjson|json|csv are datasources
  --no-rate-limit  answer any number of requests`;

export async function platform(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    port: { type: 'string' },
    'vendor-prefix': { type: 'string' },
    data: { type: 'string' },
    'no-rate-limit': { type: 'boolean' },
  });
  if (positionals.length > 0) throw new UsageError(`platform takes no '${positionals[0]}'.`);
  const port = wholeNumber('port', values.port, 0);
  if (port !== undefined && port > 65_535) throw new UsageError('--port takes a number up to 65535.');
  const running = await openLocalPlatform(
    {
      port: port ?? 0,
      vendorPrefix: vendorPrefixOption(values['vendor-prefix']),
      dataFolder: values.data === undefined ? undefined : path.resolve(io.cwd, values.data),
      rateLimit: values['no-rate-limit'] !== true,
    },
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

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
