import type { Operation, Plan } from '../../core/content/plan.ts';
import { endpoints } from '../endpoints/index.ts';
import { defaultRateLimit, type RateLimits } from '../transport/rate-limits.ts';
import { callOf } from './account-target.ts';

/** The calls of a plan, those that look before and after waves left out, that share one budget of the service. */
export interface PlanCost {
  /** As the service counts them, e.g. `PATCH Queries`. */
  readonly functionality: string;
  readonly calls: number;
  /** Calls that are allowed now, and in an hour. */
  readonly left: number;
  readonly limit: number;
}

/** What a plan costs, against what the account's budgets have left. */
export function planCost({ operations }: Plan, rateLimits: RateLimits): readonly PlanCost[] {
  const calls = new Map<string, number>();
  const add = (functionality: string): void => void calls.set(functionality, (calls.get(functionality) ?? 0) + 1);
  for (const operation of operations) for (const call of callsOf(operation)) add(call);
  const states = new Map(rateLimits.state().map((state) => [state.functionality, state]));
  return [...calls].sort().map(([functionality, count]) => {
    const state = states.get(functionality);
    const limit = state?.limit ?? defaultRateLimit;
    return { functionality, calls: count, left: state?.remaining ?? limit, limit };
  });
}

function callsOf(operation: Operation): string[] {
  const { kind, action, desired, templates } = operation;
  if (kind === 'alertProfile' && action === 'update')
    return templates.map((step) => callOf({ ...operation, templates: [step] }).functionality);
  const first = callOf(operation).functionality;
  // What the policy's exceptions are is read before they go along with it.
  if (kind === 'policy' && action === 'delete') return [endpoints.exceptions.list.functionality, first];
  // Name and description of a query are written once it is there.
  const hasTexts = Object.keys(desired?.fields ?? {}).some((field) => field !== 'queryText');
  return kind === 'query' && action === 'create' && hasTexts
    ? [first, callOf({ ...operation, action: 'update' }).functionality]
    : [first];
}

/** The budgets that a plan is larger than, one sentence each: it finishes by itself, but not at once. */
export function describeCost(costs: readonly PlanCost[]): string {
  return costs
    .filter(({ calls, left }) => calls > left)
    .map(({ functionality, calls, left, limit }) => {
      const hours = Math.ceil((calls - left) / limit);
      const wait = hours === 1 ? 'up to an hour' : `up to ${hours} hours`;
      return `It takes ${calls} calls of “${functionality}”; ${left} of the ${limit} an hour are left, so it will wait ${wait} by itself.\n`;
    })
    .join('');
}
