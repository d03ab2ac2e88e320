import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ApiClient, createApiClient } from '../../../../../server/api/client.ts';
import type { ContentOptions } from '../../../../../server/api/content/content-sync.ts';
import type { Clock } from '../../../../../server/api/transport/clock.ts';
import { createFetchTransport } from '../../../../../server/api/transport/fetch.ts';
import type { RateLimits } from '../../../../../server/api/transport/rate-limits.ts';
import { createSecret } from '../../../../../server/api/transport/redact.ts';
import { createPlatformApp } from '../../../../../server/platform/index.ts';

type App = ReturnType<typeof createPlatformApp>;
type PlatformSettingsOfTest = NonNullable<Parameters<typeof createPlatformApp>[0]>;

export interface InProcessAccount {
  readonly app: App;
  readonly name: string;
  /** A client as somebody has one: every person at their own desk has their own. */
  client(person?: PersonOptions): ApiClient;
  options(root: string, client: ApiClient): ContentOptions;
}

export interface PersonOptions {
  /** Stands between the client and the platform. */
  readonly through?: (request: Request, send: (request: Request) => Promise<Response>) => Promise<Response>;
  readonly clock?: Clock;
  readonly rateLimits?: RateLimits;
}

/** The local platform in this process, without a socket: fast enough to be asked a hundred thousand times. */
export function inProcessAccount(name = 'harborline', settings: PlatformSettingsOfTest = {}): InProcessAccount {
  const vendorPrefix = settings.vendorPrefix ?? 'SVC';
  const app = createPlatformApp({ account: name, rateLimit: false, sample: 'none', ...settings });
  const send = async (request: Request): Promise<Response> => app.request(request);
  return {
    app,
    name,
    client: ({
      through = (request: Request, next: (request: Request) => Promise<Response>) => next(request),
      clock,
      rateLimits,
    } = {}) =>
      createApiClient({
        origin: 'http://127.0.0.1',
        vendorPrefix,
        keyId: app.key.keyId,
        secret: createSecret(app.key.secret),
        random: () => 0.5,
        transport: createFetchTransport(async (url, init) => through(new Request(url, init), send)),
        ...(clock ? { clock } : {}),
        ...(rateLimits ? { rateLimits } : {}),
      }),
    options: (root, client) => ({
      root,
      account: { id: `${name}.test`, names: { account: name, vendorPrefix }, client },
      now: () => Date.now(),
    }),
  };
}

export interface ContentFolderOfTest extends AsyncDisposable {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
}

/** A folder that is gone with the test. */
export async function contentFolder(files: Readonly<Record<string, string>> = {}): Promise<ContentFolderOfTest> {
  const root = await mkdtemp(path.join(tmpdir(), 'lql-content-'));
  const write = async (more: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(path.dirname(path.join(root, name)), { recursive: true });
      await writeFile(path.join(root, name), text);
    }
  };
  await write(files);
  return { root, write, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
