import { behaviourChecks, compareHits } from '../../core/content/behaviour.ts';
import type { ContentObject } from '../../core/content/content-object.ts';
import type { QueryBehaviour } from '../../core/content/describe-behaviour.ts';
import type { Plan } from '../../core/content/plan.ts';
import { parseDirectives } from '../../core/documents/run-directives.ts';
import { toWireText } from '../../core/language/format/wire.ts';
import { analyze } from '../../core/language/semantics/analyze.ts';
import { parse } from '../../core/language/syntax/parse.ts';
import { endTimeArgument, type ResultRow, startTimeArgument } from '../../core/resources/execution.ts';
import { formatTime } from '../../core/resources/time.ts';
import { defaultTimeRange, parseTimeRange, type TimeRange } from '../../core/resources/time-range.ts';
import { endpoints } from '../endpoints/index.ts';
import { ApiError } from '../transport/errors.ts';
import { defaultRateLimit, reserveShare } from '../transport/rate-limits.ts';
import type { ContentOptions } from './content-sync.ts';

export interface BehaviourRequest {
  /** The window for all; undefined for what each query says of itself (`-- @range …`), else the last 24 hours. */
  readonly range: TimeRange | undefined;
  /** Most rows kept of what was added and of what was lost; 10 when left out. */
  readonly sample?: number;
  readonly progress?: (done: number, total: number) => void;
}

export type BehaviourResult =
  /** The plan changes no query that could be run before and after. */
  | { readonly kind: 'nothing' }
  /** It would cost more than there is without touching the reserve; nothing was run. `message` says what to do. */
  | { readonly kind: 'refused'; readonly needed: number; readonly left: number; readonly message: string }
  | { readonly kind: 'compared'; readonly queries: readonly QueryBehaviour[]; readonly requests: number };

/** At this many rows the service cuts a result. */
const resultRows = 5_000;
const defaultSample = 10;

/**
 * Runs the deployed and the new text of every query that the plan changes over the same window and compares the hits. Changes nothing. Two
 * requests a query, each text once, out of the budget for running queries, whose reserve is left alone. A text that the service refuses is
 * part of the answer. Fails with ApiError when cancelled through `options.signal`, or when the account cannot be reached.
 */
export async function planBehaviour(
  plan: Plan,
  account: ReadonlyMap<string, ContentObject>,
  { account: { client, names }, signal, now }: ContentOptions,
  { range, sample = defaultSample, progress }: BehaviourRequest,
): Promise<BehaviourResult> {
  const checks = behaviourChecks(plan, account).map((check) => {
    const { range: said, arguments: given } = parseDirectives(check.newText);
    return { check, arguments: given, range: range ?? rangeOf(said, now()) };
  });
  if (checks.length === 0) return { kind: 'nothing' };

  const runs = new Map<string, { readonly text: string; readonly arguments: readonly QueryArgument[] }>();
  const runKey = (text: string, queryArguments: readonly QueryArgument[]): string =>
    JSON.stringify([text, queryArguments]);
  const planned = checks.map(({ check, arguments: given, range: window }) => {
    const queryArguments = [
      { name: startTimeArgument, value: formatTime(window.start) },
      { name: endTimeArgument, value: formatTime(window.end) },
      ...given,
    ];
    const sides = { deployed: runKey(check.deployedText, queryArguments), new: runKey(check.newText, queryArguments) };
    runs.set(sides.deployed, { text: check.deployedText, arguments: queryArguments });
    runs.set(sides.new, { text: check.newText, arguments: queryArguments });
    return { check, window, sides };
  });

  const { functionality } = endpoints.queries.execute;
  const state = client.rateLimits.state().find((known) => known.functionality === functionality);
  const limit = state?.limit ?? defaultRateLimit;
  const left = Math.max(0, (state?.remaining ?? limit) - Math.ceil(limit * reserveShare));
  if (runs.size > left) {
    const message =
      `Comparing the hits takes ${runs.size} requests, two a changed query, and ${left} of the ${limit} an hour may be used for it. ` +
      'Plan fewer objects by naming them, or try again later. Nothing was run.';
    return { kind: 'refused', needed: runs.size, left, message };
  }

  const answers = new Map<string, readonly ResultRow[] | string>();
  for (const [key, { text, arguments: queryArguments }] of runs) {
    progress?.(answers.size, runs.size);
    answers.set(key, await run(text, queryArguments));
  }
  progress?.(answers.size, runs.size);

  async function run(text: string, queryArguments: readonly QueryArgument[]): Promise<readonly ResultRow[] | string> {
    const wire = toWireText(text);
    if (wire.kind === 'refused') return wire.diagnostics[0]?.message ?? 'It has no text.';
    try {
      const body = { query: { queryText: wire.text }, arguments: [...queryArguments] };
      return (await client.call(endpoints.queries.execute, { body, signal })).data;
    } catch (error) {
      // What the service says about the text is an answer; everything else concerns all of them.
      if (error instanceof ApiError && (error.status === 400 || error.status === 404)) return error.message;
      throw error;
    }
  }

  const columnsOf = (text: string): readonly string[] =>
    analyze(parse(text), { catalog: undefined, vendorPrefix: names.vendorPrefix }).resultColumns.map(
      ({ name }) => name,
    );
  const queries = planned.map(({ check, window, sides }): QueryBehaviour => {
    const [before, after] = [answers.get(sides.deployed) ?? [], answers.get(sides.new) ?? []];
    const failed = (side: 'deployed' | 'new', message: string): QueryBehaviour => ({
      check,
      range: window,
      outcome: { kind: 'failed', side, message },
    });
    if (typeof after === 'string') return failed('new', after);
    if (typeof before === 'string') return failed('deployed', before);
    const columns = { before: columnsOf(check.deployedText), after: columnsOf(check.newText) };
    const hits = compareHits(before, after, { sample, cutAt: resultRows, columns });
    return { check, range: window, outcome: { kind: 'compared', hits } };
  });
  return { kind: 'compared', queries, requests: runs.size };
}

interface QueryArgument {
  readonly name: string;
  readonly value: string;
}

/** The window a query names for itself, where that can be read. */
function rangeOf(said: string | undefined, now: number): TimeRange {
  const read = said === undefined ? undefined : parseTimeRange(said, now);
  if (read?.kind === 'range') return read.range;
  const usual = parseTimeRange(defaultTimeRange, now);
  return usual.kind === 'range' ? usual.range : { start: now - 86_400_000, end: now };
}
