import type { Target } from '../../../../../server/core/content/apply.ts';
import { contentKey, type RemoteObject } from '../../../../../server/core/content/content-object.ts';
import { remoteOf, type Sabotage } from './interleavings.ts';

/** Ways to break the promise that nothing is overwritten unseen, by what they leave out. */
export const sabotages: Readonly<Record<string, Sabotage>> = {
  'nothing is read right before a write': {
    target: (target) => {
      const answers = new Map<string, RemoteObject>();
      let isWritten = false;
      return {
        ...target,
        async read(kinds, around) {
          if (around && !isWritten) return new Map([...answers].filter(([, { kind }]) => kinds.includes(kind)));
          isWritten = false;
          return remember(answers, kinds, await target.read(kinds, around));
        },
        async write(step) {
          isWritten = true;
          return target.write(step);
        },
      };
    },
  },
  'nothing is read right after a write, and it is taken for done': {
    target: (target) => {
      const answers = new Map<string, RemoteObject>();
      let isWritten = false;
      return {
        ...target,
        async read(kinds, around) {
          if (!around || !isWritten) return remember(answers, kinds, await target.read(kinds, around));
          isWritten = false;
          for (const operation of around) {
            if (operation.desired) answers.set(contentKey(operation), remoteOf(operation.desired));
            else answers.delete(contentKey(operation));
          }
          return new Map([...answers].filter(([, { kind }]) => kinds.includes(kind)));
        },
        async write(step) {
          isWritten = true;
          return target.write(step);
        },
      };
    },
  },
  'what the account shows is taken for the base': { base: (_, remote) => remote },
  'what has no base is overwritten': {
    overwrite: (comparisons) =>
      new Set(comparisons.filter(({ state }) => state === 'unknownBase').map((comparison) => contentKey(comparison))),
  },
  'conflicts are overwritten': {
    overwrite: (comparisons) =>
      new Set(comparisons.filter(({ state }) => state === 'conflict').map((comparison) => contentKey(comparison))),
  },
  'operations go out against the order of need': {
    plan: (plan) => ({
      ...plan,
      operations: [...plan.operations].reverse().map((operation) => ({ ...operation, dependsOn: [] })),
    }),
  },
};

function remember(
  answers: Map<string, RemoteObject>,
  kinds: Parameters<Target['read']>[0],
  now: ReadonlyMap<string, RemoteObject>,
): ReadonlyMap<string, RemoteObject> {
  for (const [key, { kind }] of [...answers]) if (kinds.includes(kind)) answers.delete(key);
  for (const [key, object] of now) answers.set(key, object);
  return now;
}
