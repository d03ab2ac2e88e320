import { systemTimers, type Timers } from './alerting/schedule.ts';
import { compatibleSwitches, type Switches, specificationSwitches } from './assumptions.ts';
import type { SampleSize } from './sample/sample-account.ts';

/** What a platform can be told when it starts. Everything has a default. */
export interface PlatformOptions {
  /** Vendor abbreviation in the secret header and in names; default `SVC`. With `LW` the switches of public clients are on. */
  readonly vendorPrefix?: string | undefined;
  /** Folder for state and own datasources; without it everything lives in memory. */
  readonly dataFolder?: string | undefined;
  /** Name of the account; appears in policy ids and in `Account-Name`. Lower-case letters and digits. */
  readonly account?: string | undefined;
  readonly subAccounts?: readonly string[] | undefined;
  readonly rateLimit?: boolean | undefined;
  /** Datasources are listed without their columns, so that clients need the schemas endpoints. */
  readonly columnless?: boolean | undefined;
  /** Serves nothing the specification does not list. */
  readonly specificationOnly?: boolean | undefined;
  readonly switches?: Partial<Switches> | undefined;
  /** `none` leaves the sample account out: only own datasources remain. */
  readonly sample?: SampleSize | 'none' | undefined;
  readonly seed?: string | undefined;
  /** Milliseconds since 1970 UTC; default the system's clock. */
  readonly now?: (() => number) | undefined;
  /** What the schedule of policies waits by; default the system's timers, which keep no process alive. */
  readonly timers?: Timers | undefined;
  /** Key id and secret; random when left out. */
  readonly keyId?: string | undefined;
  readonly secret?: string | undefined;
  /** Adds a field nobody knows to every object of every answer, so that clients prove their tolerance. */
  readonly injectUnknownFields?: boolean | undefined;
}

export interface PlatformSettings {
  readonly vendorPrefix: string;
  readonly account: string;
  readonly subAccounts: readonly string[];
  readonly rateLimit: boolean;
  readonly columnless: boolean;
  readonly specificationOnly: boolean;
  readonly switches: Switches;
  readonly sample: SampleSize | 'none';
  readonly seed: string;
  readonly now: () => number;
  readonly timers: Timers;
  readonly injectUnknownFields: boolean;
}

export const defaultVendorPrefix = 'SVC';

/** Fills in the defaults. @throws RangeError for a prefix or account name that cannot be one. */
export function settingsFrom(options: PlatformOptions): PlatformSettings {
  const vendorPrefix = options.vendorPrefix ?? defaultVendorPrefix;
  if (!/^[A-Z][A-Z0-9]{0,7}$/.test(vendorPrefix)) {
    throw new RangeError(
      `The vendor prefix '${vendorPrefix}' must be one to eight capital letters and digits, e.g. SVC.`,
    );
  }
  const account = options.account ?? 'harborline';
  const subAccounts = options.subAccounts ?? ['harborline-labs'];
  for (const name of [account, ...subAccounts]) {
    if (!/^[a-z][a-z0-9-]{0,62}$/.test(name)) {
      throw new RangeError(
        `The account name '${name}' must be lower-case letters, digits and hyphens, beginning with a letter.`,
      );
    }
  }
  if ([account, ...subAccounts].includes('account')) {
    throw new RangeError("The account name 'account' is taken by a file of the platform. Choose another.");
  }
  return {
    vendorPrefix,
    account,
    subAccounts,
    rateLimit: options.rateLimit ?? true,
    columnless: options.columnless ?? false,
    specificationOnly: options.specificationOnly ?? false,
    switches: { ...(vendorPrefix === 'LW' ? compatibleSwitches : specificationSwitches), ...options.switches },
    sample: options.sample ?? 'demo',
    seed: options.seed ?? 'harborline',
    now: options.now ?? Date.now,
    timers: options.timers ?? systemTimers,
    injectUnknownFields: options.injectUnknownFields ?? false,
  };
}
