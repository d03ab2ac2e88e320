import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Journal, JournalEntry, OperationResult, Outcome } from '../../core/content/apply.ts';
import type { RemoteObject } from '../../core/content/content-object.ts';
import { operationKey, type Plan } from '../../core/content/plan.ts';
import { parseExact, writeExact } from '../transport/json.ts';
import { openPrivateFolder, privateFolder } from './content-folder.ts';

/**
 * One deployment as its file holds it: the plan, every step, the end. The same file is journal, log and restore point, so that none of them
 * can say something else than the others. Files are only ever appended to.
 */
export interface Deployment {
  readonly id: string;
  readonly accountId: string;
  readonly startedAt: string;
  /** Id of the deployment that this one takes back. */
  readonly undoes: string | undefined;
  /** What it deploys is not what the files say: whoever goes on with it notes nothing as synchronised either. */
  readonly keepLock: boolean;
  readonly plan: Plan;
  readonly entries: readonly JournalEntry[];
  /** By the key of a policy that was to be deleted: its exceptions right before. The service deletes them along with it. */
  readonly exceptions: ReadonlyMap<string, readonly RemoteObject[]>;
  /** False while it runs, and after a crash. */
  readonly ended: boolean;
}

interface Head {
  readonly kind: 'plan';
  readonly accountId: string;
  readonly startedAt: string;
  readonly undoes?: string | undefined;
  readonly keepLock?: boolean | undefined;
  readonly plan: Plan;
}

interface KeptExceptions {
  readonly kind: 'exceptions';
  readonly policy: string;
  readonly objects: readonly RemoteObject[];
}

type Line = Head | JournalEntry | KeptExceptions | { readonly kind: 'end' };

export interface OpenDeployment {
  readonly id: string;
  readonly journal: Journal;
  /** Writes down what goes along with a policy when it is deleted. Resolves when it is safe on disk. */
  keepExceptions(policy: string, objects: readonly RemoteObject[]): Promise<void>;
  end(): Promise<void>;
}

const folderOf = (root: string): string => path.join(root, privateFolder, 'deployments');

/** Begins a deployment: its plan is on the disk before anything else happens. */
export async function beginDeployment(root: string, head: Omit<Head, 'kind'>): Promise<OpenDeployment> {
  await openPrivateFolder(root);
  const folder = folderOf(root);
  await mkdir(folder, { recursive: true });
  const id = `${head.startedAt.replace(/[:.]/g, '-')}-${randomBytes(3).toString('hex')}`;
  const opened = openFile(path.join(folder, `${id}.jsonl`), id);
  await opened.append({ kind: 'plan', ...head });
  return opened;
}

/** Goes on with a deployment that was interrupted. */
export function continueDeployment(root: string, { id }: Deployment): OpenDeployment {
  return openFile(path.join(folderOf(root), `${id}.jsonl`), id);
}

function openFile(file: string, id: string): OpenDeployment & { append(line: Line): Promise<void> } {
  // A crash may have left half a line; ours begins on one of its own.
  let lead = '\n';
  const append = async (line: Line): Promise<void> => {
    const handle = await open(file, 'a');
    try {
      await handle.writeFile(`${lead}${writeExact(line)}\n`, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    lead = '';
  };
  return {
    id,
    append,
    journal: { record: append },
    keepExceptions: (policy, objects) => append({ kind: 'exceptions', policy, objects }),
    end: () => append({ kind: 'end' }),
  };
}

/** The deployments to an account from this folder, the newest first. */
export async function readDeployments(root: string, accountId: string): Promise<readonly Deployment[]> {
  const names = await readdir(folderOf(root)).catch(() => []);
  const deployments: Deployment[] = [];
  for (const name of names.sort().reverse()) {
    if (!name.endsWith('.jsonl')) continue;
    const lines = linesOf(await readFile(path.join(folderOf(root), name), 'utf8'));
    const head = lines.find((line) => line.kind === 'plan');
    // A file without its head was never begun: nothing was written to the account.
    if (!head || head.accountId !== accountId) continue;
    deployments.push({
      id: name.slice(0, -'.jsonl'.length),
      accountId,
      startedAt: head.startedAt,
      undoes: head.undoes,
      keepLock: head.keepLock === true,
      plan: head.plan,
      entries: lines.filter((line) => line.kind === 'begun' || line.kind === 'ended'),
      // Whoever was interrupted read them again: the last reading counts.
      exceptions: new Map(
        lines.flatMap((line) => (line.kind === 'exceptions' ? [[line.policy, line.objects] as const] : [])),
      ),
      ended: lines.some((line) => line.kind === 'end'),
    });
  }
  return deployments;
}

function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [parseExact(line) as unknown as Line];
    } catch {
      return [];
    }
  });
}

/** What became of each operation, as far as it is known. */
export function resultsOf({ plan, entries }: Deployment): OperationResult[] {
  const outcomes = new Map<string, Outcome>();
  for (const entry of entries) {
    if (entry.kind === 'ended') outcomes.set(entry.key, entry.outcome);
    else outcomes.set(entry.key, { kind: 'unknown', message: 'It was begun and interrupted.' });
  }
  return plan.operations.map((operation) => ({
    operation,
    outcome: outcomes.get(operationKey(operation)) ?? { kind: 'skipped', message: 'It was not reached.' },
  }));
}
