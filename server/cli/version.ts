import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';

/** The version of the package that `script`, the file Node was started with, belongs to: its manifest lies in a folder above. */
export async function readVersion(script: string): Promise<string> {
  let folder = path.dirname(await realpath(script).catch(() => script));
  for (;;) {
    const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => undefined);
    const manifest: unknown = text === undefined ? undefined : JSON.parse(text);
    if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
    const above = path.dirname(folder);
    if (above === folder) return 'unknown';
    folder = above;
  }
}
