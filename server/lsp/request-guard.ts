import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver/node';
import { faultOfParams } from './check-params.ts';

export type RequestHandler<Params, Result> = (params: Params, token?: CancellationToken) => Promise<Result>;

/**
 * The error boundary of one request or notification: whatever goes wrong inside is logged with the method's name and the error's own
 * words, and the editor gets the empty answer. Nothing of a document's text is logged.
 */
export interface RequestGuard {
  request<Params, Result>(
    method: string,
    empty: Result,
    handle: (params: Params) => Result | Promise<Result>,
  ): RequestHandler<Params, Result>;
  run(method: string, handle: () => void | Promise<void>): void;
}

export function createRequestGuard(connection: Connection): RequestGuard {
  const report = (method: string, error: unknown): void => {
    const place = error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 4).join('\n') : '';
    const name = error instanceof Error ? error.name : typeof error;
    connection.console.error(`${method} failed (${name}). The editor got an empty answer.\n${place}`);
  };
  return {
    request: (method, empty, handle) => async (params, token) => {
      if (isCancelled(token)) throw cancelled();
      const fault = faultOfParams(method, params);
      if (fault !== undefined) throw new ResponseError(ErrorCodes.InvalidParams, fault);
      try {
        const result = await handle(params);
        if (isCancelled(token)) throw cancelled();
        return result;
      } catch (error) {
        // What is said to the editor on purpose is no failure.
        if (error instanceof ResponseError) throw error;
        report(method, error);
        return empty;
      }
    },
    run(method, handle) {
      try {
        Promise.resolve(handle()).catch((error: unknown) => report(method, error));
      } catch (error) {
        report(method, error);
      }
    },
  };
}

function isCancelled(token: CancellationToken | undefined): boolean {
  return token?.isCancellationRequested === true;
}

function cancelled(): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
}
