// A process of its own that works in a folder: `hold ROOT` holds it until it is killed, `count ROOT N` adds one to a file N times.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withFolder } from '../../../../../server/api/content/folder-lock.ts';

const [mode, root = '', times = '0'] = process.argv.slice(2);
if (mode === 'hold') {
  await withFolder(root, 'deploying', async () => {
    process.stdout.write('holding\n');
    await new Promise((resolve) => setTimeout(resolve, 120_000));
  });
} else {
  const file = path.join(root, 'count');
  for (let time = 0; time < Number(times); time++) {
    await withFolder(
      root,
      'counting',
      async () => {
        const seen = Number(await readFile(file, 'utf8'));
        // Whoever gets in between makes one of the two additions vanish.
        await new Promise((resolve) => setTimeout(resolve, 1));
        await writeFile(file, String(seen + 1));
        process.stdout.write('counted\n');
      },
      { patience: 60_000 },
    );
  }
}
