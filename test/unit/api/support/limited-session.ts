// A session of its own: takes turns under a mirror that is kept in a folder, and reports how many it found left.
// Run as `limited-session.ts FOLDER TURNS`; it waits for a message before it begins, and for another before it ends.
import { keepRateLimits } from '../../../../server/api/rate-limit-files.ts';
import { systemClock } from '../../../../server/api/transport/clock.ts';
import { createRateLimits } from '../../../../server/api/transport/rate-limits.ts';

const [folder = '', turns = ''] = process.argv.slice(2);
const limits = createRateLimits({ clock: systemClock });
const message = () => new Promise((resolve) => process.once('message', resolve));

process.send?.('ready');
await message();
const files = await keepRateLimits(limits, folder, Date.now);
const found = limits.state()[0]?.remaining ?? 480;
for (let turn = 0; turn < Number(turns); turn++) {
  (await limits.acquire('GET Queries', { priority: 'person' })).end(undefined);
}
process.send?.(found);
await message();
await files.close();
process.disconnect?.();
