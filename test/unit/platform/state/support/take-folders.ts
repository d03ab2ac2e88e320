// A process of its own that tries to become the one platform of many data folders, each at a moment that others try at, too: forked with
// FOLDER COUNT, told the first moment, it sends the numbers of the folders that it got and stays alive until it is let go.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lockFolder } from '../../../../../server/platform/state/folder-lock.ts';

/** Milliseconds between one folder and the next. */
const step = 4;
const [base = '', count = '0'] = process.argv.slice(2);

process.once('message', async (start: number) => {
  const got: number[] = [];
  for (let number = 0; number < Number(count); number++) {
    const moment = start + number * step;
    await wait(Math.max(0, moment - Date.now() - 1));
    while (Date.now() < moment);
    if (lockFolder(path.join(base, String(number))).kind === 'taken') got.push(number);
  }
  process.send?.(got);
});
process.send?.('ready');
