import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../server/cli/commands/check.ts';
import { runCli } from '../../../server/cli/run-cli.ts';
import { syntaxCodes } from '../../../server/core/language/diagnostics/codes/syntax-codes.ts';
import { findCorpusFile } from '../../harness/paths.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

interface CorpusRow {
  readonly id: string;
  readonly text: string;
  readonly template: boolean;
  readonly parses: boolean;
}

const corpus = findCorpusFile('queries.jsonl');

describe('check over real queries', () => {
  it.runIf(corpus !== undefined)(
    'finds no syntax error in those that parse (skipped where the corpus is absent)',
    async () => {
      const lines = (await readFile(corpus ?? '', 'utf8')).split('\n').filter((line) => line.trim() !== '');
      const rows = lines.map((line): CorpusRow => JSON.parse(line)).filter((row) => !row.template && row.parses);
      const files = Object.fromEntries(rows.map((row, index) => [`${String(index).padStart(5, '0')}.lql`, row.text]));
      await using folder = await temporaryFolder(files);
      const io = createMemoryIo({ cwd: folder.path });
      await runCli(['check', '--json', '--vendor-prefix', 'LW', '.'], io);
      const found: readonly Finding[] = JSON.parse(io.out);
      const syntax = found.filter((finding) => finding.severity === 'error' && finding.code in syntaxCodes);
      console.info(`corpus: ${rows.length} queries, ${found.length} findings, ${syntax.length} syntax errors`);
      expect(rows.length).toBeGreaterThan(100);
      expect(syntax).toEqual([]);
    },
  );
});
