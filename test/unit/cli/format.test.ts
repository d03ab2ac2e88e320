import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const untidy = '{source{A}return{X,Y as Z}}';

async function tidyText(): Promise<string> {
  const io = createMemoryIo({ stdin: untidy });
  await runCli(['format'], io);
  return io.out;
}

describe('format', () => {
  it('formats standard input to standard output, and that is stable', async () => {
    const tidy = await tidyText();
    expect(tidy).not.toBe(untidy);
    expect(tidy.replaceAll(/\s/g, '')).toBe(untidy.replaceAll(/\s/g, ''));
    const again = createMemoryIo({ stdin: tidy });
    expect(await runCli(['format', '--check'], again)).toBe(0);
    expect(await runCli(['format', '--check'], createMemoryIo({ stdin: untidy }))).toBe(1);
  });

  it('leaves a broken query as it is and says so', async () => {
    const io = createMemoryIo({ stdin: '{ source {' });
    expect([await runCli(['format', '-'], io), io.out]).toEqual([1, '{ source {']);
    expect(io.error).toContain("'standard input' has syntax errors");
  });

  it('changes files with --write, names them with --check, and keeps what is around a query', async () => {
    const yaml = `# a comment\nqueryId: Acme_A\nqueryText: |-\n  ${untidy}\ntags: [a]\n`;
    await using folder = await temporaryFolder({
      'a.lql': `\uFEFF${untidy}`,
      'b.yaml': yaml,
      'c.lql': await tidyText(),
    });
    const before = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['format', '--check', '.'], before)).toBe(1);
    expect(before.out).toBe('a.lql: not formatted\nb.yaml: not formatted\n');
    const write = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['format', '--write', '.'], write)).toBe(0);
    const after = createMemoryIo({ cwd: folder.path });
    expect([await runCli(['format', '--check', '.'], after), after.out]).toEqual([0, '']);
    expect(await readFile(path.join(folder.path, 'a.lql'), 'utf8')).toBe(`\uFEFF${await tidyText()}`);
    const changed = await readFile(path.join(folder.path, 'b.yaml'), 'utf8');
    expect(changed).toMatch(/^# a comment\nqueryId: Acme_A\nqueryText: \|-\n {2}\{\n[\s\S]*\n {2}\}\ntags: \[a\]\n$/);
  });

  it.each(['--write', '--check'])('leaves a file alone that is not UTF-8, and says so (%s)', async (option) => {
    await using folder = await temporaryFolder({ 'b.lql': await tidyText() });
    const bytes = Buffer.concat([Buffer.from('-- caf'), Buffer.from([0xe9]), Buffer.from(`\n${untidy}`)]);
    await writeFile(path.join(folder.path, 'a.lql'), bytes);
    const io = createMemoryIo({ cwd: folder.path });
    expect([await runCli(['format', option, '.'], io), io.out]).toEqual([1, '']);
    expect(io.error).toMatch(/^'a\.lql' is not UTF-8 text/);
    expect(await readFile(path.join(folder.path, 'a.lql'))).toEqual(bytes);
    const toOutput = createMemoryIo({ cwd: folder.path });
    expect([await runCli(['format', 'a.lql'], toOutput), toOutput.out]).toEqual([1, '']);
  });

  it.each([
    [['--check', '--write', 'a.lql'], 'exclude each other'],
    [['--write'], 'needs the files'],
    [['a.lql', 'b.lql'], 'For several files'],
    [['none.lql'], 'no file or folder'],
  ])('refuses %j', async (args, message) => {
    await using folder = await temporaryFolder({ 'a.lql': untidy, 'b.lql': untidy });
    const io = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['format', ...args], io)).toBe(2);
    expect(io.error).toContain(message);
  });
});

describe('flatten', () => {
  it('writes the one line that is sent', async () => {
    const io = createMemoryIo({ stdin: 'Acme_Id {\n  source { A } -- where from\n  // why\n  return { X }\n}\n' });
    expect(await runCli(['flatten'], io)).toBe(0);
    expect(io.out).toBe('{ source { A } return { X } }\n');
  });

  it('refuses what is no query, with its place', async () => {
    const io = createMemoryIo({ stdin: '{ source { A }\n filter { X = } return { X } }' });
    expect([await runCli(['flatten'], io), io.out]).toEqual([1, '']);
    expect(io.error).toMatch(/^-:2:\d+ error /);
  });
});
