import type { Transport, TransportRequest, TransportResponse } from '../../../../server/api/transport/transport.ts';

export interface ScriptTransport extends Transport {
  readonly requests: readonly TransportRequest[];
}

export type Script = (request: TransportRequest, index: number) => TransportResponse | Promise<TransportResponse>;

/** A transport without a network: each request goes to a function. Token requests are answered unless the script does it. */
export function createScriptTransport(script: Script, answerTokens = true): ScriptTransport {
  const requests: TransportRequest[] = [];
  let tokens = 0;
  return {
    requests,
    async send(request) {
      requests.push(request);
      if (answerTokens && request.url.pathname === '/api/v2/access/tokens') {
        tokens++;
        return answer(201, { token: `_token-${tokens}`, expiresAt: '2031-04-02T09:00:00.000Z' });
      }
      return script(request, requests.length - 1);
    },
    async close() {},
  };
}

export function answer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): TransportResponse {
  return {
    status,
    headers: new Map(Object.entries(headers)),
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  };
}
