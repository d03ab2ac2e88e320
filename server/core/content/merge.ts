import type { Comparison } from './compare.ts';
import type { ContentFields, ContentObject } from './content-object.ts';
import { longestSubsequence } from './subsequence.ts';

/** A stretch of lines, as each of the three texts has it. Lines keep their line ends. */
export interface MergeHunk {
  /** Who changed it since the base. `same`: nobody; `both`: both in the same way; `conflict`: both, differently. */
  readonly kind: 'same' | 'local' | 'remote' | 'both' | 'conflict';
  readonly base: readonly string[];
  readonly local: readonly string[];
  readonly remote: readonly string[];
}

/** Merges two texts that come from a third, line by line. The hunks, put together, give each of the three texts again. */
export function mergeTexts(base: string, local: string, remote: string): readonly MergeHunk[] {
  const [before, here, there] = [linesOf(base), linesOf(local), linesOf(remote)];
  const [toHere, toThere] = [longestSubsequence(before, here), longestSubsequence(before, there)];
  const hunks: MergeHunk[] = [];
  let [b, l, r] = [0, 0, 0];
  for (let k = 0; k <= before.length; k++) {
    const atEnd = k === before.length;
    const [nextHere, nextThere] = atEnd ? [here.length, there.length] : [toHere[k], toThere[k]];
    if (nextHere === undefined || nextThere === undefined) continue;
    add(hunks, before.slice(b, k), here.slice(l, nextHere), there.slice(r, nextThere));
    if (!atEnd)
      add(hunks, before.slice(k, k + 1), here.slice(nextHere, nextHere + 1), there.slice(nextThere, nextThere + 1));
    [b, l, r] = [k + 1, nextHere + 1, nextThere + 1];
  }
  return hunks;
}

function add(hunks: MergeHunk[], base: readonly string[], local: readonly string[], remote: readonly string[]): void {
  if (base.length === 0 && local.length === 0 && remote.length === 0) return;
  const [before, here, there] = [base.join(''), local.join(''), remote.join('')];
  const changedHere = before !== here;
  const changedThere = before !== there;
  const kind = !changedHere
    ? changedThere
      ? 'remote'
      : 'same'
    : !changedThere
      ? 'local'
      : here === there
        ? 'both'
        : 'conflict';
  const last = hunks.at(-1);
  if (kind === 'same' && last?.kind === 'same') {
    hunks[hunks.length - 1] = {
      kind,
      base: [...last.base, ...base],
      local: [...last.local, ...local],
      remote: [...last.remote, ...remote],
    };
  } else hunks.push({ kind, base, local, remote });
}

/** How many places a person has to decide. */
export function conflictsIn(hunks: readonly MergeHunk[]): number {
  return hunks.filter(({ kind }) => kind === 'conflict').length;
}

/** The merged text; where both sides differ, what `decide` says. */
export function mergedText(hunks: readonly MergeHunk[], decide: (hunk: MergeHunk) => readonly string[]): string {
  return hunks
    .flatMap((hunk) => (hunk.kind === 'conflict' ? decide(hunk) : hunk.kind === 'remote' ? hunk.remote : hunk.local))
    .join('');
}

/** The merged text with git's conflict markers, which every editor and every reader of files knows. */
export function textWithMarkers(
  hunks: readonly MergeHunk[],
  labels: { readonly local: string; readonly remote: string },
): string {
  const lineEnd = hunks.some(({ base, local }) => [...base, ...local].some((line) => line.endsWith('\r\n')))
    ? '\r\n'
    : '\n';
  const ended = (lines: readonly string[]): readonly string[] =>
    lines.map((line) => (line.endsWith('\n') ? line : line + lineEnd));
  return mergedText(hunks, ({ local, base, remote }) => [
    `<<<<<<< ${labels.local}${lineEnd}`,
    ...ended(local),
    `||||||| when both were the same${lineEnd}`,
    ...ended(base),
    `=======${lineEnd}`,
    ...ended(remote),
    `>>>>>>> ${labels.remote}${lineEnd}`,
  ]);
}

/** Whether a text still has a conflict marker. */
export function hasMarkers(text: string): boolean {
  return /^(?:<{7}|>{7})(?: |$)/m.test(text);
}

/**
 * The conflicts of which `result` still says what was there before either side changed it. That is what an editor that asks place by place
 * saves when it is closed half way.
 */
export function undecided(hunks: readonly MergeHunk[], result: string): number {
  const before = hunks.flatMap(({ base }) => base);
  const after = linesOf(result);
  const found = longestSubsequence(before, after);
  let at = 0;
  let count = 0;
  for (const { kind, base } of hunks) {
    const [start, end] = [at, at + base.length];
    at = end;
    if (kind !== 'conflict') continue;
    const previous = start === 0 ? -1 : found[start - 1];
    const next = end === before.length ? after.length : found[end];
    if (previous === undefined || next === undefined) continue;
    const untouched = base.every((_, index) => found[start + index] === previous + 1 + index);
    if (untouched && next - previous - 1 === base.length) count++;
  }
  return count;
}

/** What two texts have in common, to merge them by where nothing says what they come from: every difference is then a conflict. */
export function commonText(a: string, b: string): string {
  const lines = linesOf(a);
  const found = longestSubsequence(lines, linesOf(b));
  return lines.filter((_, index) => found[index] !== undefined).join('');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Three versions of an object that differ in nothing but what a person has to decide. */
export interface MergeSides {
  readonly base: ContentObject | undefined;
  readonly local: ContentObject;
  readonly remote: ContentObject;
  /** Fields that both sides changed, or of which nobody knows who did. */
  readonly conflicts: readonly string[];
  /** Fields that one side alone changed: taken over in all three. */
  readonly merged: readonly { readonly field: string; readonly from: 'local' | 'remote' }[];
}

/** Undefined where one side is missing: then there is nothing to merge, but a question to answer. */
export function mergeSides(comparison: Comparison): MergeSides | undefined {
  const { kind, id, base, local, remote, changes } = comparison;
  if (!local || !remote) return undefined;
  const alone = changes.flatMap(({ field, changedBy }) =>
    changedBy === 'local' || changedBy === 'remote' ? [{ field, from: changedBy }] : [],
  );
  const withAlone = (fields: ContentFields): ContentObject => {
    const next = { ...fields };
    for (const { field, from } of alone) {
      const value = (from === 'local' ? local : remote).fields[field];
      if (value === undefined) delete next[field];
      else next[field] = value;
    }
    return { kind, id, fields: next };
  };
  const decided = new Set(alone.map(({ field }) => field));
  return {
    base: base && withAlone(base.fields),
    local: withAlone(local.fields),
    remote: withAlone(remote.fields),
    conflicts: changes.flatMap(({ field }) => (decided.has(field) ? [] : [field])),
    merged: alone,
  };
}
