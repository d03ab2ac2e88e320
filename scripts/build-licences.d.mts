import type { Metafile } from 'esbuild';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Path below the repository. */
  readonly folder: string;
}

export declare const allowedLicences: ReadonlySet<string>;
export declare function packagesOf(metafiles: readonly Metafile[]): BundledPackage[];
