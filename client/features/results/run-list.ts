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

/**
 * A title for one more run, so that no two tabs look the same: as it is, counted when it runs over the same time range again, with its
 * range when it runs over another one.
 */
export function distinctTitle(wanted: RunName, others: readonly RunName[]): string {
  const taken = new Set(others.map(({ shown }) => shown));
  const title = wanted.shown;
  if (!taken.has(title)) return title;
  const same = others.find(({ title: of, range }) => of === wanted.title && range === wanted.range);
  // Absolute ranges are longer than a tab has room for; the status line tells them.
  const base = same?.shown ?? (wanted.range.length > 24 ? title : `${title} · ${wanted.range}`);
  if (!taken.has(base)) return base;
  for (let count = 2; ; count++) if (!taken.has(`${base} (${count})`)) return `${base} (${count})`;
}

/** What a run is called: by its query, over which range, and as its tab shows it. */
export interface RunName {
  readonly title: string;
  readonly range: string;
  readonly shown: string;
}
