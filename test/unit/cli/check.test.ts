import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/cli/commands/check.ts';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const good = '{\n  source { SVC_HE_MACHINES }\n  return { MID, HOSTNAME }\n}\n';
const broken = '{\n  source { SVC_HE_MACHINES }\n  filter { MID = }\n  return { MID }\n}\n';
const catalog = JSON.stringify({
  data: [
    {
      name: 'SVC_HE_MACHINES',
      resultSchema: [
        { name: 'MID', dataType: 'Number' },
        { name: 'HOSTNAME', dataType: 'String' },
      ],
    },
  ],
});

async function check(args: readonly string[], cwd: string) {
  const io = createMemoryIo({ cwd });
  const code = await runCli(['check', ...args], io);
  return { code, out: io.out, error: io.error };
}

async function findings(args: readonly string[], cwd: string): Promise<{ code: number; found: readonly Finding[] }> {
  const { code, out } = await check(['--json', ...args], cwd);
  return { code, found: JSON.parse(out) };
}

describe('check', () => {
  it('exits with 0 and an empty array when nothing is wrong', async () => {
    await using folder = await temporaryFolder({ 'a.lql': good });
    expect(await findings(['a.lql'], folder.path)).toEqual({ code: 0, found: [] });
  });

  it('prints no control characters of a file, which could steer the terminal', async () => {
    await using folder = await temporaryFolder({ 'a.lql': good.replace('}', '\u001b]0;title\u0007 }') });
    const { code, out } = await check(['a.lql'], folder.path);
    expect([code, out.includes('does not belong to LQL')]).toEqual([1, true]);
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const run = createMemoryIo({ cwd: folder.path });
    expect(await runCli(['run', 'a.lql'], run)).toBe(1);
    expect(run.error).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('exits with 1 and names file, place, severity and code of an error', async () => {
    await using folder = await temporaryFolder({ 'a.lql': good, 'sub/b.lql': `\uFEFF${broken}` });
    const { code, found } = await findings(['.'], folder.path);
    expect(code).toBe(1);
    expect(found[0]).toMatchObject({ file: 'sub/b.lql', severity: 'error', range: { start: { line: 2 } } });
    expect(found[0]?.code).toMatch(/^[a-z0-9-]+$/);
    expect(found[0]?.message).not.toBe('');
    expect(found.every((finding) => finding.file === 'sub/b.lql')).toBe(true);
    const { out } = await check(['.'], folder.path);
    expect(out).toMatch(/^sub\/b\.lql:3:\d+ error .+ \[[a-z0-9-]+\]$/m);
    expect(out).toMatch(/2 files, \d+ errors?, 0 warnings\n$/);
  });

  it('reports places in the document around an embedded query', async () => {
    const yaml = `---\nqueryId: Acme_A\nqueryText: |-\n${broken.replaceAll(/^/gm, '  ')}`;
    await using folder = await temporaryFolder({ 'q.yaml': yaml, 'notes.txt': broken });
    const { code, found } = await findings(['.'], folder.path);
    expect([code, found[0]?.file, found[0]?.range.start.line]).toEqual([1, 'q.yaml', 5]);
    expect(found[0]?.range.start.character).toBeGreaterThanOrEqual(2);
  });

  it('checks the policies of files, and the queries they run as policies demand', async () => {
    const policy =
      'policyId: $account-a-1\nqueryId: Acme_A\ntitle: t\nenabled: true\nseverty: high\ndescription: d\nremediation: r\nalertEnabled: true\n';
    const query =
      'queryId: Acme_A\nqueryText: |-\n  { source { CloudTrailRawEvents e, array_to_rows(e.EVENT:x) as (i) } return { e.INSERT_ID, i:a as A } }\n';
    await using folder = await temporaryFolder({ 'p.yaml': policy, 'q.yaml': query });
    const { code, found } = await findings(['.'], folder.path);
    expect(code).toBe(1);
    expect(
      found.filter(({ file }) => file === 'p.yaml').map((finding) => [finding.code, finding.range.start.line]),
    ).toEqual([
      ['unknown-field', 4],
      ['missing-field', 0],
    ]);
    expect(found.filter(({ file }) => file === 'q.yaml').map((finding) => finding.code)).toContain(
      'policy-needs-distinct',
    );
    const alone = await findings(['q.yaml'], folder.path);
    expect(alone.found.filter((finding) => finding.code.startsWith('policy'))).toEqual([]);
  });

  it('knows columns from a catalog, and is silent about them without one', async () => {
    const query = good.replace('HOSTNAME', 'HOSTNAM');
    await using folder = await temporaryFolder({ 'a.lql': query, 'catalog.json': catalog });
    expect((await findings(['a.lql'], folder.path)).found).toEqual([]);
    const { code, found } = await findings(['--catalog', 'catalog.json', 'a.lql'], folder.path);
    expect(code).toBe(1);
    expect(found[0]?.message).toContain('HOSTNAME');
  });

  it('takes the nearest lint configuration', async () => {
    const query = "{ source { SVC_HE_MACHINES } filter { HOSTNAME like 'web' } return { MID } }";
    await using folder = await temporaryFolder({ 'a/q.lql': query, 'b/q.lql': query });
    const { found } = await findings(['.'], folder.path);
    const rule = found.find((finding) => finding.file === 'a/q.lql')?.code ?? '';
    expect(rule).not.toBe('');
    const off = Object.fromEntries(found.map((finding) => [finding.code, 'off']));
    await folder.write({ 'b/lql.config.jsonc': JSON.stringify({ rules: off }) });
    const files = (await findings(['.'], folder.path)).found.map((finding) => finding.file);
    expect(files).toContain('a/q.lql');
    expect(files).not.toContain('b/q.lql');
  });

  it.each([
    [[], 'Name the files'],
    [['nowhere.lql'], "no file or folder 'nowhere.lql'"],
    [['--jsn', '.'], "'--jsn'"],
    [['--catalog', 'none.json', '.'], 'cannot be read'],
    [['--vendor-prefix', 'lw-', '.'], 'capital letters'],
  ])('refuses the command line %j with exit code 2', async (args, message) => {
    await using folder = await temporaryFolder();
    const { code, out, error } = await check(args, folder.path);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toContain('lql check');
  });
});

describe('the command line', () => {
  it('explains itself', async () => {
    const io = createMemoryIo();
    expect(await runCli(['--help'], io)).toBe(0);
    expect(await runCli(['check', '--help'], io)).toBe(0);
    expect(io.out).toContain('lql check [--json]');
    expect(await runCli([], io)).toBe(2);
    expect(await runCli(['chekc'], io)).toBe(2);
    expect(io.error).toContain("no command 'chekc'");
  });
});
