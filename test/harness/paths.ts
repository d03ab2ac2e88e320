import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of the repository. */
export const repoRoot = path.resolve(import.meta.dirname, '..', '..');

/**
 * A file of the corpus of real queries, which is not part of the repository: found through LQL_SHARED, or beside the
 * repository. Undefined where it is absent; tests then say that they are skipped.
 */
export function findCorpusFile(name: string): string | undefined {
  const shared = process.env['LQL_SHARED'] ?? path.join(repoRoot, '..', 'shared');
  const file = path.join(shared, 'corpus', name);
  return existsSync(file) ? file : undefined;
}
