import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { policyBody, queryText } from '../bodies.ts';
import { bundlePlatform } from '../bundle-platform.ts';
import { signIn } from '../signed-in.ts';

/**
 * The process kills itself at its n-th write to the state, for every n: just before it, in the middle of it, and just after it. What it had
 * confirmed must be there afterwards; what it was at may be there wholly or not at all.
 */
const work = mkdtempSync(path.join(os.tmpdir(), 'platform-kill-'));
const bundle = path.join(work, 'platform.cjs');
const hook = path.join(work, 'hook.cjs');

beforeAll(async () => {
  await bundlePlatform(bundle);
  writeFileSync(
    hook,
    `const fs = require('node:fs');
const at = Number(process.env.KILL_AT);
const how = process.env.KILL_HOW;
let writes = 0;
for (const name of ['appendFileSync', 'writeFileSync', 'renameSync']) {
  const original = fs[name];
  fs[name] = (target, ...rest) => {
    if (!String(target).includes('state') || ++writes !== at) return original(target, ...rest);
    if (how === 'during' && name !== 'renameSync') original(target, rest[0].slice(0, rest[0].length / 2), rest[1]);
    else if (how !== 'before') original(target, ...rest);
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  };
}
`,
  );
}, 120_000);

afterAll(() => rmSync(work, { recursive: true, force: true }));

const policy = { ...policyBody, policyId: 'kept', queryId: 'One' };

/** Content as the operations below leave it: what is compared after the end. */
interface Content {
  readonly queries: { readonly [queryId: string]: string };
  readonly policies: { readonly [policyId: string]: string };
  readonly closed: boolean;
}

interface Change {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly after: (before: Content) => Content;
}

const putQuery = (queryId: string, text: string) => (before: Content) => ({
  ...before,
  queries: { ...before.queries, [queryId]: text },
});
const changes: readonly Change[] = [
  { method: 'POST', path: '/Queries', body: { queryId: 'One', queryText }, after: putQuery('One', queryText) },
  { method: 'POST', path: '/Queries', body: { queryId: 'Two', queryText }, after: putQuery('Two', queryText) },
  {
    method: 'PATCH',
    path: '/Queries/Two',
    body: { queryText: `${queryText} ` },
    after: putQuery('Two', `${queryText} `),
  },
  {
    method: 'POST',
    path: '/Policies',
    body: policy,
    after: (before) => ({ ...before, policies: { 'harborline-kept': 'low' } }),
  },
  {
    method: 'PATCH',
    path: '/Policies/harborline-kept',
    body: { severity: 'high' },
    after: (before) => ({ ...before, policies: { 'harborline-kept': 'high' } }),
  },
  // Looking at alerts runs the policies: what they found is written before it is answered.
  { method: 'POST', path: '/Alerts/search', body: {}, after: (before) => before },
  { method: 'POST', path: '/Alerts/1/close', body: { reason: 1 }, after: (before) => ({ ...before, closed: true }) },
  {
    method: 'DELETE',
    path: '/Queries/Two',
    after: (before) => ({ ...before, queries: { One: before.queries['One'] ?? '' } }),
  },
];

/** Runs the changes against a process that kills itself; gives how many were confirmed and whether it lived through all. */
async function run(
  folder: string,
  at: number,
  how: string,
): Promise<{ readonly confirmed: number; readonly lived: boolean }> {
  const child = spawn(process.execPath, ['-r', hook, bundle, '--no-rate-limit', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, KILL_AT: String(at), KILL_HOW: how },
  });
  const exit = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('\n')) break;
  }
  let confirmed = 0;
  if (output.includes('\n')) {
    const { url, keyId, secret } = JSON.parse(output) as Record<'url' | 'keyId' | 'secret', string>;
    const headers = { 'Content-Type': 'application/json' };
    try {
      const answer = await fetch(`${url}/api/v2/access/tokens`, {
        method: 'POST',
        headers: { ...headers, 'X-SVC-UAKS': secret },
        body: JSON.stringify({ keyId }),
      });
      const { token } = (await answer.json()) as { token: string };
      for (const { method, path: target, body } of changes) {
        const { status } = await fetch(`${url}/api/v2${target}`, {
          method,
          headers: { ...headers, Authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect(status, `${method} ${target}`).toBeLessThan(300);
        confirmed++;
      }
    } catch (error) {
      // The connection breaks where the process ends; any other mistake is one of the test.
      if (!(error instanceof TypeError)) throw error;
    }
  }
  child.kill('SIGTERM');
  const [code] = await exit;
  return { confirmed, lived: code === 0 };
}

async function contentOf(folder: string): Promise<Content & { readonly logged: number }> {
  const platform = await signIn({ dataFolder: folder });
  const state = platform.app.store.open('harborline');
  const content = {
    queries: Object.fromEntries(Object.values(state.state.queries).map((query) => [query.queryId, query.queryText])),
    policies: Object.fromEntries(Object.values(state.state.policies).map((entry) => [entry.policyId, entry.severity])),
    closed: state.state.alertChanges['1']?.status === 'Closed',
    logged: state.audit().length,
  };
  // It goes on from there, too.
  expect((await platform.call('POST', '/Queries', { queryId: 'Next', queryText })).status).toBe(201);
  return content;
}

test('killed at every write, the state opens, has everything confirmed, and nothing by halves', async () => {
  const empty: Content = { queries: {}, policies: {}, closed: false };
  const states = [empty];
  for (const change of changes) states.push(change.after(states.at(-1) ?? empty));
  const hows = ['before', 'during', 'after'] as const;
  const deep = process.env['DEEP'] !== undefined;
  let runs = 0;
  let writes = 0;
  for (let at = 1, lived = false; !lived; at += 1) {
    // Every way at every write in deep runs; otherwise one way, at every fourth write.
    const chosen = deep ? hows : at % 4 === 0 ? [hows[(at / 4) % 3] ?? 'during'] : [];
    for (const how of chosen) {
      const folder = path.join(work, `${at}-${how}`);
      const end = await run(folder, at, how);
      runs++;
      ({ lived } = end);
      writes = at;
      const { logged, ...content } = await contentOf(folder);
      const allowed = lived ? [states.at(-1)] : [states[end.confirmed], states[end.confirmed + 1]];
      expect(
        allowed.filter((state) => state !== undefined),
        `write ${at}, ${how}`,
      ).toContainEqual(content);
      // One entry of the log a confirmed change (looking at alerts is none), and at most one of the change it was at.
      const told = changes.slice(0, end.confirmed).filter(({ path: target }) => target !== '/Alerts/search').length;
      expect(logged, `write ${at}, ${how}`).toBeGreaterThanOrEqual(told);
      expect(logged).toBeLessThanOrEqual(told + 1);
    }
  }
  console.log(`killed at ${runs} points of ${writes - 1} writes: everything confirmed was there, nothing by halves`);
  expect(writes).toBeGreaterThan(20);
}, 900_000);
