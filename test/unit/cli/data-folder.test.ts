import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo } from './support/memory-io.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'cli-data-'));
  writeFileSync(path.join(folder, 'query.lql'), '{ source { SVC_HE_MACHINES } return { HOSTNAME } }');
  writeFileSync(path.join(folder, 'file'), '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each(['/proc/x', 'file', path.join('file', 'below')])(
  'a data folder %s that cannot be: the reason and exit code 2',
  async (data) => {
    for (const command of [['run', path.join(folder, 'query.lql')], ['platform']]) {
      const io = createMemoryIo();
      const target = path.isAbsolute(data) ? data : path.join(folder, data);
      expect(await runCli([...command, '--data', target], io)).toBe(2);
      expect(io.error).toContain(`The data folder '${target}' cannot be used: `);
    }
  },
);
