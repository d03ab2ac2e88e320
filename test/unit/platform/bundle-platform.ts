import path from 'node:path';
import { build } from 'esbuild';
import { repoRoot } from '../../harness/paths.ts';

/** Bundles the local platform as it is shipped, for tests that start it as a process of its own. */
export async function bundlePlatform(outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(repoRoot, 'server/platform/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22.19',
    logLevel: 'error',
  });
}
