import type { Metafile } from 'esbuild';

export interface Bundle {
  readonly name: string;
  /** Contents by path below dist/. */
  readonly files: ReadonlyMap<string, string>;
  /** The files that are read before any dynamic import. */
  readonly atStart: readonly string[];
  readonly metafile: Metafile;
}

/** Bundles everything in memory. */
export declare function bundleAll(options?: {
  readonly dev?: boolean;
}): Promise<{ readonly bundles: readonly Bundle[] }>;
