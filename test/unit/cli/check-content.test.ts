import { expect, it } from 'vitest';
import { runCli } from '../../../server/cli/run-cli.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

it('content that cannot be deployed is reported by check: half saved, without an id, given twice', async () => {
  const query = 'queryId: Acme_Q\nqueryText: "{ source { SVC_CFG_AWS_S3 } return { ARN } }"\n';
  await using folder = await temporaryFolder({
    'queries/a.yaml': query,
    'queries/b.yaml': query,
    'queries/half.yaml': 'queryId: Acme_Half\nqueryText: "{ source {\n',
    'policies/p.yaml':
      'queryId: Acme_Q\ntitle: Open bucket\nenabled: true\nseverity: low\ndescription: d\nremediation: r\nalertEnabled: false\n',
  });
  const io = createMemoryIo({ cwd: folder.path });
  expect(await runCli(['check', '--json', '.'], io)).toBe(1);
  const findings = JSON.parse(io.out) as readonly { readonly file: string; readonly code: string }[];
  const named = findings.filter(({ code }) => /-id$|-file$/.test(code)).map(({ file, code }) => `${file} ${code}`);
  expect(named.sort()).toEqual([
    'policies/p.yaml missing-id',
    'queries/a.yaml duplicate-id',
    'queries/b.yaml duplicate-id',
    'queries/half.yaml unreadable-file',
  ]);
});
