// What every generator does with what it made.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/**
 * Writes the files that differ, and takes away those that are left over; both are named by their paths below the repository. With
 * `--check` on the command line nothing is changed: what is not fresh is named, and the exit code is 1.
 */
export function keepFresh(
  files: Iterable<readonly [file: string, content: string]>,
  leftOver: readonly string[] = [],
): void {
  const stale = [...files].filter(([file, content]) => read(file) !== content);
  if (process.argv.includes('--check')) {
    const wrong = [...stale.map(([file]) => file), ...leftOver];
    if (wrong.length === 0) return;
    const more = wrong.length > 5 ? ` and ${wrong.length - 5} more` : '';
    console.error(`${wrong.slice(0, 5).join(', ')}${more}: not fresh. Run \`npm run generate\`.`);
    process.exitCode = 1;
    return;
  }
  for (const file of leftOver) rmSync(path.join(root, file));
  for (const [file, content] of stale) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(path.join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}
