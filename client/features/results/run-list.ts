import type { Run } from './run.ts';

/** Runs kept for looking back; those that the person keeps do not count and are never dropped. */
const maxUnpinned = 8;

/** The runs of this window, oldest first. Their rows live in memory only. */
export interface RunList {
  readonly runs: readonly Run[];
  readonly active: Run | undefined;
  find(id: string): Run | undefined;
  /**
   * Adds a run and makes it the active one. Earlier runs of the same query that brought no rows make room at once, and so does the oldest
   * finished run where there are too many.
   */
  add(run: Run): void;
  /** A run has its rows: they take the place of those of an earlier run of the same query. */
  replaceEarlier(run: Run): void;
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
  /** Finished runs of the same query that nobody holds on to and that began before. */
  const earlierOf = (run: Run): readonly Run[] =>
    runs.filter(
      (each) =>
        each !== run &&
        each.startedAt <= run.startedAt &&
        each.phase !== 'running' &&
        !isHeld(each) &&
        each.description.title === run.description.title &&
        each.description.uri === run.description.uri,
    );
  return {
    runs,
    get active() {
      return active;
    },
    find: (id) => runs.find((run) => run.id === id),
    add(run) {
      runs.push(run);
      active = run;
      for (const earlier of earlierOf(run)) if (earlier.phase !== 'succeeded') remove(earlier);
      const droppable = runs.filter((each) => !isHeld(each) && each.phase !== 'running');
      for (const oldest of droppable.slice(0, Math.max(0, droppable.length - maxUnpinned))) remove(oldest);
    },
    replaceEarlier(run) {
      // An answer that comes after a cancel is dropped, and takes nobody's place.
      if (run.phase !== 'running') return;
      const earlier = earlierOf(run);
      const place = runs.findIndex((each) => earlier.includes(each));
      if (place < 0 || !runs.includes(run)) return;
      const wasActive = active === run || earlier.some((each) => each === active);
      runs.splice(runs.indexOf(run), 1);
      runs.splice(place, 0, run);
      for (const each of earlier) remove(each);
      if (wasActive) active = run;
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

/** Runs that the person wants to see again: pinned, kept on disk, given a name, or opened beside. */
export function isHeld({
  pinned,
  kept,
  renamed,
  beside,
}: Pick<Run, 'pinned' | 'kept' | 'renamed' | 'beside'>): boolean {
  return pinned || kept || renamed || beside;
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
