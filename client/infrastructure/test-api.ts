import type { LanguageServer, LanguageServerState } from './language/language-server.ts';
import type { ApiSession } from './session/api-session.ts';
import type { SessionState } from './session/session.ts';

/** What the integration tests see of the running extension. It reads; secrets are no part of it. */
export interface TestApi {
  readonly activationMs: number;
  readonly languageServer: { readonly state: LanguageServerState; readonly pid: number | undefined };
  readonly session: SessionState;
  readonly localPlatformPid: number | undefined;
  readonly results: readonly ShownRun[];
  readonly runs: {
    readonly running: number;
    readonly last:
      | { readonly kind: 'succeeded'; readonly rows: readonly object[]; readonly durationMs: number }
      | { readonly kind: 'failed'; readonly message: string; readonly status: number | undefined }
      | { readonly kind: 'cancelled' }
      | undefined;
  };
}

/** The runs in the results view. */
export interface ShownRun {
  readonly title: string;
  readonly phase: string;
  readonly rowCount: number;
  readonly message: string | undefined;
}

export function createTestApi(parts: {
  readonly language: LanguageServer;
  readonly session: ApiSession;
  readonly platform: { readonly pid: number | undefined };
  readonly runs: TestApi['runs'];
  readonly shownRuns: () => readonly ShownRun[];
  readonly activationMs: number;
}): TestApi {
  return {
    activationMs: parts.activationMs,
    get languageServer() {
      return { state: parts.language.state, pid: parts.language.pid };
    },
    get session() {
      return parts.session.state;
    },
    get localPlatformPid() {
      return parts.platform.pid;
    },
    get results() {
      return parts.shownRuns();
    },
    runs: parts.runs,
  };
}
