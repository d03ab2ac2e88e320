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

it('ids that the vendor keeps for itself are reported once its abbreviation is said', async () => {
  const text = '"{ source { LW_CFG_AWS_S3 } return { ARN } }"';
  await using folder = await temporaryFolder({
    'queries/vendor.yaml': `queryId: LW_Global_Buckets\nqueryText: ${text}\n`,
    'queries/near.yaml': `queryId: LW_Globally_Mine\nqueryText: ${text}\n`,
    'alert-profiles/vendor.yaml': 'alertProfileId: LW_Mine\nextends: LW_CFG_AWS_DEFAULT_PROFILE\nalerts: []\n',
  });
  const found = async (...options: readonly string[]): Promise<readonly string[]> => {
    const io = createMemoryIo({ cwd: folder.path });
    await runCli(['check', '--json', ...options, '.'], io);
    const findings = JSON.parse(io.out) as readonly {
      readonly file: string;
      readonly code: string;
      readonly message: string;
    }[];
    return findings.filter(({ code }) => code === 'invalid-id').map(({ file, message }) => `${file}: ${message}`);
  };
  expect(await found()).toEqual([]);
  expect(await found('--vendor-prefix', 'SVC')).toEqual([]);
  expect((await found('--vendor-prefix', 'LW')).toSorted()).toEqual([
    'alert-profiles/vendor.yaml: Ids that begin with LW_ belong to the vendor: no account takes "LW_Mine" from a file. Choose another.',
    'queries/vendor.yaml: Ids that begin with LW_Global_ belong to the vendor: no account takes "LW_Global_Buckets" from a file. Choose another.',
  ]);
});
