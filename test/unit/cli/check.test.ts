import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

  it('demands the columns that the alerts of a policy name, unless a comment silences it', async () => {
    const profile =
      "alertProfileId: Acme_P\nextends: SVC_CFG_AWS_DEFAULT_PROFILE\nalerts:\n  - name: One\n    eventName: e\n    subject: '{{HOSTNAME}} {{_OCCURRENCE}}'\n    description: '{{ MID }}'\n  - name: Two\n    eventName: e\n    subject: '{{OTHER}}'\n    description: d\n";
    const policy = (alert: string) =>
      `policyId: $account-a-1\nqueryId: Acme_A\ntitle: t\nenabled: true\nseverity: high\ndescription: d\nremediation: r\nalertEnabled: true\nalertProfile: ${alert}\n`;
    const query = (comment: string) =>
      `queryId: Acme_A\nqueryText: |-\n  { source { SVC_HE_MACHINES }\n  ${comment}\n  return { MID } }\n`;
    await using folder = await temporaryFolder({
      'profile.yaml': profile,
      'p.yaml': policy('Acme_P.One'),
      'q.yaml': query(''),
    });
    const codes = async () =>
      (await findings(['.'], folder.path)).found
        .filter(({ file }) => file === 'q.yaml')
        .map(({ code, message }) => [code, message]);
    expect(await codes()).toEqual([['policy-missing-field', expect.stringContaining('column HOSTNAME, which')]]);
    await folder.write({ 'p.yaml': policy('Acme_P') });
    expect(await codes()).toEqual([
      ['policy-missing-field', expect.stringContaining('columns HOSTNAME, OTHER, which')],
    ]);
    await folder.write({
      'q.yaml': query('-- lql-disable-next-line policy-missing-field: the alert is worded without it'),
    });
    expect(await codes()).toEqual([]);
    // Without the policy nobody can tell whether the comment is of use.
    expect((await findings(['q.yaml'], folder.path)).found).toEqual([]);
    await folder.write({ 'p.yaml': policy('SVC_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation') });
    expect(await codes()).toEqual([['unused-suppression', expect.any(String)]]);
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
    [['--vendor-prefix', 'XX', '.'], "SVC or LW, not 'XX'"],
    [['--dry-run', '.'], 'belongs to --fix'],
    [['--fix', '-'], 'standard input'],
  ])('refuses the command line %j with exit code 2', async (args, message) => {
    await using folder = await temporaryFolder();
    const { code, out, error } = await check(args, folder.path);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toContain('lql check');
  });
});

describe('check --fix', () => {
  const faulty = "{ source { SVC_HE_MACHINES } filter { MID != 1 and HOSTNAME in ('a', 'a') } return { MID, } }";
  const mended = "{ source { SVC_HE_MACHINES } filter { MID <> 1 and HOSTNAME = 'a' } return { MID } }";

  it('applies what is safe until nothing is left, says so, and reports the rest', async () => {
    await using folder = await temporaryFolder({ 'a.lql': `\uFEFF${faulty}\n`, 'b.lql': good, 'c.lql': broken });
    const { code, out, error } = await check(['--fix', '.'], folder.path);
    // The list of one value comes into sight only when its double is gone.
    expect(error).toBe('a.lql: fixed 4 (sql-not-equal, duplicate-in-list, trailing-comma, single-value-list)\n');
    expect(await folder.read('a.lql')).toBe(`\uFEFF${mended}\n`);
    expect([await folder.read('b.lql'), await folder.read('c.lql')]).toEqual([good, broken]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^c\.lql:3:\d+ error [^\n]*\n3 files, 1 error, 0 warnings\n$/),
    ]);
    const again = await check(['--fix', 'a.lql'], folder.path);
    expect(again).toEqual({ code: 0, out: '1 file, 0 errors, 0 warnings\n', error: '' });
  });

  it('changes nothing in a dry run, and reports as if it had', async () => {
    await using folder = await temporaryFolder({ 'a.lql': faulty });
    const { code, out, error } = await check(['--fix', '--dry-run', '--json', 'a.lql'], folder.path);
    expect([code, JSON.parse(out), error]).toEqual([0, [], expect.stringMatching(/^a\.lql: would fix 4 \(/)]);
    expect(await folder.read('a.lql')).toBe(faulty);
  });

  it('fixes the queries inside of other files, and the objects around them', async () => {
    const quoted = faulty.replaceAll("'", "''");
    const files: Readonly<Record<string, string>> = {
      'block.yaml': `queryId: Acme_A\nqueryText: |-\n  ${faulty}\n`,
      'single.yaml': `queryId: Acme_B\nqueryText: '${quoted}'\n`,
      'text.json': `{"queryId": "Acme_C", "queryText": ${JSON.stringify(faulty)}}\n`,
      'main.tf': `resource "lacework_query" "q" {\n  query_id = "Acme_D"\n  query    = <<EOT\n${faulty}\nEOT\n}\n`,
      'page.md': `# Notes\n\n\`\`\`lql\n${faulty}\n\`\`\`\n`,
    };
    await using folder = await temporaryFolder(files);
    const { code, out } = await check(['--fix', '.'], folder.path);
    expect([code, out]).toEqual([0, '5 files, 0 errors, 0 warnings\n']);
    for (const [name, text] of Object.entries(files)) {
      const wanted = text.replace(faulty, () => mended).replace(quoted, () => mended.replaceAll("'", "''"));
      expect([name, await folder.read(name)]).toEqual([
        name,
        wanted.replace(JSON.stringify(faulty), JSON.stringify(mended)),
      ]);
    }
    const policy =
      'policyId: $account-a-1\nqueryId: Acme_A\ntitle: t\nenabled: true\nseverty: high\ndescription: d\nremediation: r\nalertEnabled: true\npolicyType: Violation\n';
    await folder.write({ 'policy/p.yaml': policy });
    await check(['--fix', 'policy'], folder.path);
    expect(await folder.read('policy/p.yaml')).toContain('severity: high');
  });

  it('leaves a file alone that is not UTF-8', async () => {
    await using folder = await temporaryFolder();
    const bytes = Buffer.from(`-- M\xfcller\n${faulty}`, 'latin1');
    await writeFile(path.join(folder.path, 'a.lql'), bytes);
    expect((await check(['--fix', '.'], folder.path)).code).toBe(1);
    expect(await readFile(path.join(folder.path, 'a.lql'))).toEqual(bytes);
  });
});

describe('what cannot be read', () => {
  it('takes a query from standard input', async () => {
    const io = createMemoryIo({ stdin: broken });
    expect(await runCli(['check', '-'], io)).toBe(1);
    expect(io.out).toMatch(/^-:3:\d+ error /);
  });

  it.each([
    ['another character set', Buffer.from('{ source { A } filter { X = "M\xfcller" } return { X } }', 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le')],
    ['UTF-16 without a mark', Buffer.from(good, 'utf16le')],
  ])('says of a file in %s how to save it, and checks the others', async (_, bytes) => {
    await using folder = await temporaryFolder({ 'b.lql': broken });
    await writeFile(path.join(folder.path, 'a.lql'), bytes);
    const { code, out, error } = await check(['.'], folder.path);
    expect([code, error]).toEqual([1, "'a.lql' is not UTF-8 text and was not checked. Save it as UTF-8.\n"]);
    expect(out).toContain('b.lql:3');
    expect(out).not.toContain('a.lql');
    expect((await check(['a.lql'], folder.path)).code).toBe(1);
  });
});

describe('the command line', () => {
  it('explains itself', async () => {
    const io = createMemoryIo();
    expect(await runCli(['--help'], io)).toBe(0);
    expect(await runCli(['check', '--help'], io)).toBe(0);
    expect(io.out).toContain('lql check [--fix [--dry-run]] [--json]');
    expect(await runCli([], io)).toBe(2);
    expect(await runCli(['chekc'], io)).toBe(2);
    expect(io.error).toContain("no command 'chekc'");
  });

  it.each(['--version', '-v', 'version'])('names its version: %s', async (word) => {
    const io = createMemoryIo();
    expect([await runCli([word], io), io.out]).toEqual([0, '1.2.3\n']);
  });
});
