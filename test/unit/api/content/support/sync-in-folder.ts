// A process of its own that pulls or deploys everything: `pull|deploy ROOT URL KEY SECRET`. Writes a line when it begins to.
import { createApiClient } from '../../../../../server/api/client.ts';
import {
  type ContentOptions,
  compareFolder,
  deployPlan,
  planDeployment,
} from '../../../../../server/api/content/content-sync.ts';
import { pullContent } from '../../../../../server/api/content/pull-content.ts';
import { createSecret } from '../../../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../../../server/api/transport/undici.ts';

const [mode, root = '', origin = '', keyId = '', secret = ''] = process.argv.slice(2);
const client = createApiClient({
  origin,
  vendorPrefix: 'SVC',
  keyId,
  secret: createSecret(secret),
  transport: createUndiciTransport(),
});
const options: ContentOptions = {
  root,
  account: { id: 'harborline.test', names: { account: 'harborline', vendorPrefix: 'SVC' }, client },
  now: () => Date.now(),
};
const comparison = await compareFolder(options);
process.stdout.write('begins\n');
if (mode === 'pull') await pullContent(comparison, options, { only: undefined, take: new Set() });
else {
  const plan = planDeployment(comparison, options, { prune: true, overwrite: new Set(), only: undefined });
  await deployPlan(plan, options);
}
process.stdout.write('done\n');
await client.close();
