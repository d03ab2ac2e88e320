import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from '../../harness/paths.ts';
import { createSecretSearch } from '../../harness/secret-search.ts';

// The suites that hand keys to the client. All of them use this text, or one that begins so, as the secret.
const canary = '_canary0123456789abcdef';
const suites = process.env['DEEP']
  ? ['test/unit/api', 'test/unit/client', 'test/unit/cli']
  : [
      'test/unit/api/client.test.ts',
      'test/unit/api/paging.test.ts',
      'test/unit/api/rate-limit-files.test.ts',
      'test/unit/api/transport',
      'test/unit/client/infrastructure/session',
    ];

/** Milliseconds; a run on a quiet machine takes 50,000. */
const longest = 1_800_000;

it(
  'the suites of everything that knows a key leave none behind: output, reports, temporary files',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lql-suite-'));
    try {
      const [temporary, kept] = [path.join(folder, 'tmp'), path.join(folder, 'kept')];
      mkdirSync(temporary);
      mkdirSync(kept);
      const keeper = path.join(import.meta.dirname, 'support', 'keep-artefacts.mjs');
      // Full counts would show nothing new: it is the breadth that counts here.
      const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'DEEP');
      const child = spawn(
        process.execPath,
        [
          path.join(repoRoot, 'node_modules', 'vitest', 'vitest.mjs'),
          'run',
          '--project=unit',
          '--maxWorkers=1',
          // Beside a busy machine's other work they take many times as long, and leave behind the same.
          `--testTimeout=${longest}`,
          `--hookTimeout=${longest}`,
          '--reporter=verbose',
          '--reporter=json',
          `--outputFile.json=${path.join(folder, 'report.json')}`,
          // This test would start itself; the figures and the models of deployments take long and make keys of their own.
          '--exclude=**/secret-canary-suite.test.ts',
          '--exclude=**/api/figures.test.ts',
          '--exclude=**/api/content/**',
          ...suites,
        ],
        {
          cwd: repoRoot,
          env: {
            ...Object.fromEntries(inherited),
            TMPDIR: temporary,
            TEMP: temporary,
            LQL_KEPT_ARTEFACTS: kept,
            NODE_OPTIONS: `--import=${keeper}`,
          },
        },
      );
      const output: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
      const [code] = await once(child, 'close');
      const text = Buffer.concat(output);
      const search = createSecretSearch();
      search.protect('secret of the suites', canary);
      search.add('output', text);
      // Where people keep their key for the vendor's own tool.
      search.addFolder(folder, (file) => path.basename(file) === '.lacework.toml');
      const report = search.finish();
      console.info(`${suites.length} suites and folders at trace level: ${report.summary}`);
      expect(report.hits).toEqual([]);
      // A suite that fails has not shown all that it would have left behind.
      expect([code, failedTests(path.join(folder, 'report.json'))]).toEqual([0, []]);
      expect(readdirSync(kept).length).toBeGreaterThan(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  longest,
);

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function failedTests(file: string): readonly string[] {
  if (!existsSync(file)) return ['The run wrote no report.'];
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return testResults
    .filter(({ status }) => status !== 'passed')
    .flatMap(({ name, assertionResults }) => [
      path.relative(repoRoot, name),
      ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
    ]);
}
