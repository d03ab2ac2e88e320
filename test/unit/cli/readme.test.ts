import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const queries = [...readFileSync('README.md', 'utf8').matchAll(/```lql\n(.*?)```/gs)].map((match) => match[1] ?? '');

describe('what the README shows', () => {
  it('has a first query', () => expect(queries.length).toBeGreaterThan(0));
  it.each(queries)('is right and returns rows on the sample account: %s', async (text) => {
    await using folder = await temporaryFolder({ 'readme.lql': text });
    const checked = createMemoryIo({ cwd: folder.path });
    expect([await runCli(['check', 'readme.lql'], checked), checked.out]).toEqual([
      0,
      expect.stringContaining('0 warnings'),
    ]);
    const ran = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['run', 'readme.lql', '--output', 'ndjson'], ran)).toBe(0);
    expect(ran.out.trimEnd().split('\n').length).toBeGreaterThan(1);
  });
});
