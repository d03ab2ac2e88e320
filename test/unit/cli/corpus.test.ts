import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/cli/commands/check.ts';
import { repoRoot } from '../../harness/paths.ts';
import { expectedOfBad, readBadTexts, readCorpusQueries, wrongQueries } from '../../support/corpus.ts';
import { readReferenceDatasources } from '../../support/reference-catalog.ts';
import { type TemporaryFolder, temporaryFolder } from './support/memory-io.ts';

// What is shipped, as CI runs it, over queries of other people.
const answer = readReferenceDatasources();
const cli = path.join(repoRoot, 'dist', 'cli.js');

interface Checked {
  readonly status: number | null;
  readonly findings: readonly Finding[];
}

function check(folder: TemporaryFolder): Checked {
  if (!existsSync(cli))
    throw new Error('dist/cli.js is not there. Run `node scripts/build.mjs` first; `npm test` does it by itself.');
  const args = [cli, 'check', '--json', '--vendor-prefix', 'LW', '--catalog', 'catalog.json', 'queries'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder.path,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  });
  expect(stderr).toBe('');
  return { status, findings: JSON.parse(stdout) as readonly Finding[] };
}

async function folderOf(texts: readonly { readonly id: string; readonly text: string }[]): Promise<TemporaryFolder> {
  const files = Object.fromEntries(texts.map(({ id, text }) => [`queries/${id}.lql`, text]));
  return temporaryFolder({ ...files, 'catalog.json': JSON.stringify(answer) });
}

const idOf = ({ file }: Finding): string => path.basename(file, '.lql');

/** The text behind a finding. */
function textAt(text: string, { range: { start, end } }: Finding): string {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const offset = (at: { line: number; character: number }): number =>
    lines.slice(0, at.line).join('').length + at.character;
  return text.slice(offset(start), offset(end));
}

describe('dist/cli.js check, with the reference catalog', () => {
  const queries = readCorpusQueries();

  it.runIf(queries.length > 0 && answer !== undefined)(
    'has no false error over real queries (skipped where the corpus is absent)',
    async () => {
      await using folder = await folderOf(queries);
      const { findings } = check(folder);
      const catalogNames = new Set(answer?.data.map(({ name }) => name));
      const columnsOf = new Map(
        answer?.data.map(({ name, resultSchema }) => [name, new Set(resultSchema?.map((column) => column.name))]),
      );
      const falseErrors: string[] = [];
      const unknownNames = new Set<string>();
      const rightErrors: string[] = [];
      for (const finding of findings.filter(({ severity }) => severity === 'error')) {
        const id = idOf(finding);
        const text = queries.find((query) => query.id === id)?.text ?? '';
        const name = textAt(text, finding);
        // Looked up anew: whether the catalog lacks the name is not the checker's word.
        const used = [...columnsOf].filter(([datasource]) => new RegExp(`\\b${datasource}\\b`).test(text));
        const isMissing =
          finding.code === 'unknown-datasource'
            ? !catalogNames.has(name)
            : (finding.code === 'unknown-column' || finding.code === 'reserved-column-name') &&
              !used.some(([, columns]) => columns.has(name));
        if (isMissing) unknownNames.add(id);
        else if (wrongQueries[id]?.includes(finding.code)) rightErrors.push(`${id} ${finding.code}`);
        else falseErrors.push(`${id} ${finding.code} ${name}: ${finding.message}`);
      }
      const whole = queries.length - unknownNames.size;
      console.log(
        `corpus through dist/cli.js: ${queries.length} queries, ${whole} with all names in the catalog; ${falseErrors.length} false errors; ${rightErrors.length} errors in ${Object.keys(wrongQueries).length} query that is wrong itself`,
      );
      expect(falseErrors).toEqual([]);
      expect([...new Set(rightErrors)].sort()).toEqual(
        Object.entries(wrongQueries).flatMap(([id, codes]) => [...codes].sort().map((code) => `${id} ${code}`)),
      );
      expect(whole).toBeGreaterThan(100);
    },
  );

  const bad = readBadTexts();

  it.runIf(bad.length > 0 && answer !== undefined)('reports texts known to be wrong at their place', async () => {
    await using folder = await folderOf(bad);
    const { status, findings } = check(folder);
    expect(status).toBe(1);
    for (const { id, text } of bad) {
      const errors = findings
        .filter((finding) => finding.severity === 'error' && idOf(finding) === id)
        .map((finding) => [finding.code, textAt(text, finding)]);
      const expected = expectedOfBad[id] ?? [['no expectation', text]];
      expect([id, errors]).toEqual([id, expect.arrayContaining([...expected])]);
    }
    console.log(
      `bad texts through dist/cli.js: ${bad.length} of confidence documented or live-reported, all reported in place`,
    );
    expect(bad.length).toBe(Object.keys(expectedOfBad).length);
  });
});
