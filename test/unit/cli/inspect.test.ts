import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo } from './support/memory-io.ts';

describe('inspect', () => {
  it('prints tokens, tree, sources and result columns', async () => {
    const io = createMemoryIo({ stdin: '{ source { A a } filter { X = 1 } return { a.X as Y, length(Z) as L } }' });
    expect(await runCli(['inspect', '-'], io)).toBe(0);
    expect(io.out).toMatch(/^Tokens\n {2}1:1 /);
    expect(io.out).toContain('sourceBlock');
    expect(io.out).toMatch(/Sources\n {2}a \(datasource\)/);
    expect(io.out).toMatch(/Result columns\n {2}Y \w+\n {2}L Number/);
  });

  it('answers as JSON', async () => {
    const io = createMemoryIo({ stdin: '{ source { A } return { X } }' });
    expect(await runCli(['inspect', '--json', '-'], io)).toBe(0);
    const [picture] = JSON.parse(io.out);
    expect(picture.resultColumns).toEqual([{ name: 'X', dataType: 'Unknown' }]);
    expect(picture.tree[0]).toMatchObject({ kind: 'file', depth: 0, start: 0 });
  });
});
