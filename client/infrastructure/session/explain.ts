import * as vscode from 'vscode';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { type ErrorAction, UserError } from '../errors.ts';
import type { Profile } from './profile.ts';

// Operations whose 400 is about the text of the query.
const aboutQueryText: ReadonlySet<string | undefined> = new Set([
  endpoints.queries.execute.id,
  endpoints.queries.validate.id,
]);

/** The failure of a call as a sentence with a way on. It never holds a secret, because the failure never does. */
export function explain(error: unknown, profile: Profile): unknown {
  if (!(error instanceof ApiError)) return error;
  const { failure } = error;
  if (failure.kind === 'cancelled') return new vscode.CancellationError();
  const status = failure.kind === 'status' ? failure.status : failure.kind === 'rate-limited' ? 429 : undefined;
  if (failure.kind === 'status' && failure.status === 400 && aboutQueryText.has(error.operation)) {
    return new UserError(`The service refused the query: ${failure.serviceMessage ?? 'it gave no reason.'}`, [], {
      status,
      cause: error,
    });
  }
  // A platform that was started anew has a new key: the old one is refused where it happens to listen on the same port.
  const unreachable = failure.kind === 'network' || (profile.kind === 'local' && status === 401);
  return new UserError(`${sentence(error.message)} ${error.action}`, actionsFor(failure.kind, status, profile), {
    status,
    unreachable,
    cause: error,
  });
}

/** The service's own texts end as they like; what follows them must not run into them. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function actionsFor(
  kind: ApiError['failure']['kind'],
  status: number | undefined,
  profile: Profile,
): readonly ErrorAction[] {
  if (profile.kind === 'local') {
    return [
      { title: 'Restart', command: 'lql.refreshCatalog' },
      { title: 'Show Output', command: 'lql.showOutput' },
    ];
  }
  if (status === 401) return [{ title: 'Sign In', command: 'lql.signIn', arguments: [profile.name] }];
  if (status === 403) return [{ title: 'Switch Account', command: 'lql.switchAccount' }];
  if (kind === 'network' || kind === 'certificate' || kind === 'redirect' || kind === 'vendor-prefix') {
    return [
      { title: 'Open Settings', command: 'workbench.action.openSettings', arguments: ['lql.connections.profiles'] },
    ];
  }
  if (kind === 'proxy') {
    return [{ title: 'Open Proxy Settings', command: 'workbench.action.openSettings', arguments: ['http.proxy'] }];
  }
  return [];
}
