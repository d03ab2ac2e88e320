import type * as vscode from 'vscode';
import type { Secret } from '../../../server/api/transport/redact.ts';
import type { ErrorAction } from '../errors.ts';
import type { Profile } from './profile.ts';

/** What the extension knows of the account it talks to. One session a window. */
export type SessionState =
  /** The workspace is not trusted: nothing is started, asked or sent. */
  | { readonly kind: 'restricted' }
  | { readonly kind: 'connecting'; readonly profile: Profile }
  | { readonly kind: 'ready'; readonly profile: Profile; readonly catalog: CatalogInfo }
  /** No key is stored for the profile's origin. */
  | { readonly kind: 'signed-out'; readonly profile: Profile }
  | {
      readonly kind: 'failed';
      readonly profile: Profile;
      readonly message: string;
      readonly action: ErrorAction | undefined;
      /** The catalog of an earlier day serves the editor meanwhile. */
      readonly catalog: CatalogInfo | undefined;
    };

export interface CatalogInfo {
  readonly datasources: readonly string[];
  /** Milliseconds since 1970 UTC. */
  readonly fetchedAt: number;
}

/** A key as a person gave it. */
export interface ApiKey {
  readonly keyId: string;
  readonly secret: Secret;
}

/** Where an account is reached, and with which key. Never stored in settings, never logged. */
export interface Credentials extends ApiKey {
  readonly origin: string;
  /** Stable id of a local platform's account, whatever port it listens on. */
  readonly localAccountId?: string | undefined;
}

/** Starts the local platform, or finds the one that runs, and says how to reach it. Throws UserError. */
export type StartLocalPlatform = () => Promise<Credentials>;

export interface StateSource<T> {
  readonly state: T;
  readonly onDidChange: vscode.Event<T>;
}
