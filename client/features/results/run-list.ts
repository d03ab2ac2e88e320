import type { Run } from './run.ts';

/** Runs kept for looking back; pinned ones do not count and are never dropped. */
const maxUnpinned = 8;

/** The runs of this window, oldest first. Their rows live in memory only. */
export interface RunList {
  readonly runs: readonly Run[];
  readonly active: Run | undefined;
  find(id: string): Run | undefined;
  /** Adds a run and makes it the active one; the oldest finished, unpinned run makes room. */
  add(run: Run): void;
  /** Puts a run of an earlier session before those of this one; it becomes active only when nothing else is. */
  restore(run: Run): void;
  activate(run: Run): void;
  /** Removes a run; its neighbour becomes active. */
  remove(run: Run): void;
}

export function createRunList(): RunList {
  const runs: Run[] = [];
  let active: Run | undefined;
  const remove = (run: Run): void => {
    const index = runs.indexOf(run);
    if (index < 0) return;
    runs.splice(index, 1);
    if (active === run) active = runs[Math.min(index, runs.length - 1)];
  };
  return {
    runs,
    get active() {
      return active;
    },
    find: (id) => runs.find((run) => run.id === id),
    add(run) {
      runs.push(run);
      active = run;
      const droppable = runs.filter(({ pinned, phase }) => !pinned && phase !== 'running');
      for (const oldest of droppable.slice(0, Math.max(0, droppable.length - maxUnpinned))) remove(oldest);
    },
    restore(run) {
      const first = runs.findIndex(({ startedAt }) => startedAt > run.startedAt);
      runs.splice(first < 0 ? runs.length : first, 0, run);
      active ??= run;
    },
    activate(run) {
      if (runs.includes(run)) active = run;
    },
    remove,
  };
}

/** A title for one more run: as it is, else with its time range, else counted, so that no two tabs look the same. */
export function distinctTitle(title: string, range: string, taken: readonly string[]): string {
  if (!taken.includes(title)) return title;
  // Absolute ranges are longer than a tab has room for; the status line tells them.
  const base = range.length > 24 ? title : `${title} · ${range}`;
  if (!taken.includes(base)) return base;
  for (let count = 2; ; count++) if (!taken.includes(`${base} (${count})`)) return `${base} (${count})`;
}
