import { defaultSearchDays, maxSearchDays } from '../../core/resources/index.ts';
import { badRequest } from '../service-error.ts';
import { parseServiceTime } from '../times.ts';

/** Start included, end excluded, in milliseconds since 1970 UTC. */
export interface SearchRange {
  readonly startTime: number;
  readonly endTime: number;
}

export interface RangeRules {
  /** Whether the rule of 24 hours by default and 7 days at most holds. */
  readonly bounded: boolean;
  /** Days back from now before which a range must not begin. */
  readonly historyDays?: number;
}

const dayMilliseconds = 86_400_000;

/** The range of a search. @throws ServiceError 400 for a range that ends before it begins, is too long, or begins too early. */
export function searchRange(
  filter: { readonly startTime?: string; readonly endTime?: string } | undefined,
  rules: RangeRules,
  now: number,
): SearchRange {
  const endTime = filter?.endTime === undefined ? now : parseServiceTime(filter.endTime, 'timeFilter/endTime');
  const startTime =
    filter?.startTime === undefined
      ? rules.bounded
        ? endTime - defaultSearchDays * dayMilliseconds
        : 0
      : parseServiceTime(filter.startTime, 'timeFilter/startTime');
  if (startTime >= endTime) throw badRequest('Invalid data: #1: [timeFilter: startTime must be before endTime]');
  if (rules.bounded && endTime - startTime > maxSearchDays * dayMilliseconds) {
    throw badRequest(`Invalid data: #1: [timeFilter: the range must not be longer than ${maxSearchDays} days]`);
  }
  if (rules.historyDays !== undefined && startTime < now - rules.historyDays * dayMilliseconds) {
    throw badRequest(`Invalid data: #1: [timeFilter: startTime must not be more than ${rules.historyDays} days ago]`);
  }
  // What happens at this very moment is part of a range that ends now.
  return { startTime, endTime: filter?.endTime === undefined ? endTime + 1 : endTime };
}

/** The range of the lists that take it behind the question mark: the 24 hours before its end where no start is given. */
export function listRange(query: { readonly startTime?: string; readonly endTime?: string }, now: number): SearchRange {
  const range = searchRange(query, { bounded: false }, now);
  return query.startTime === undefined
    ? { ...range, startTime: range.endTime - defaultSearchDays * dayMilliseconds }
    : range;
}
