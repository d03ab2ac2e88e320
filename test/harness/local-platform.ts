/** The local platform in this process, on a free port, with its state in memory. */
import { type PlatformOptions, type RunningPlatform, startPlatform } from '../../server/platform/index.ts';

export interface PlatformUnderTest extends Pick<RunningPlatform, 'url' | 'keyId' | 'secret' | 'stop'> {
  /** A request with a bearer token, for tests that look at the wire; `path` is below `/api/v2`. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

export async function startLocalPlatform(options: PlatformOptions = {}): Promise<PlatformUnderTest> {
  const platform = await startPlatform({ port: 0, ...options });
  const base = `${platform.url}/api/v2`;
  const header = `X-${options.vendorPrefix ?? 'SVC'}-UAKS`;
  let token: Promise<string> | undefined;
  const requestToken = async (): Promise<string> => {
    const response = await fetch(`${base}/access/tokens`, {
      method: 'POST',
      headers: { [header]: platform.secret, 'Content-Type': 'application/json' },
      body: JSON.stringify({ keyId: platform.keyId, expiryTime: 3600 }),
    });
    const answer = (await response.json()) as { token?: unknown };
    if (typeof answer.token !== 'string') throw new Error(`The platform gave no token: ${response.status}`);
    return answer.token;
  };
  return {
    url: platform.url,
    keyId: platform.keyId,
    secret: platform.secret,
    stop: () => platform.stop(),
    send: async (method, path, body) => {
      token ??= requestToken();
      return fetch(`${base}${path}`, {
        method,
        headers: { Authorization: `Bearer ${await token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
  };
}
