import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../api/endpoints/index.ts';
import type { ExceptionConstraint, ExceptionRecord } from '../../core/resources/index.ts';
import { commit, type RequestContext } from '../context.ts';
import { badRequest, notFound } from '../service-error.ts';
import { parseServiceTime } from '../times.ts';
import { constraintFields, requirePolicy } from './policy-records.ts';

export const exceptionHandlers: Handlers<RequestContext>['exceptions'] = {
  create({ query, body }, context) {
    const { state } = context.account;
    checkConstraints(query.policyId, body.constraints, context);
    if (body.expiryTime !== undefined) parseServiceTime(body.expiryTime, 'expiryTime');
    const exception: ExceptionRecord = {
      exceptionId: randomUUID(),
      description: body.description ?? '',
      constraints: body.constraints.map((constraint) => ({ ...constraint })),
      policyId: query.policyId,
      ...(body.expiryTime === undefined ? {} : { expiryTime: body.expiryTime }),
      ...lastUpdate(context),
    };
    const list = Object.hasOwn(state.exceptions, query.policyId) ? state.exceptions[query.policyId] : undefined;
    state.exceptions[query.policyId] = { ...list, [exception.exceptionId]: exception };
    commit(
      context,
      'PolicyException',
      'CREATE',
      `Exception ${exception.exceptionId} of ${query.policyId} was created.`,
    );
    return { data: exception };
  },
  list({ query }, context) {
    const { exceptions } = context.account.state;
    if (query.policyId === undefined) return { data: Object.values(exceptions).flatMap((list) => Object.values(list)) };
    requirePolicy(context, query.policyId);
    return { data: Object.values(exceptions[query.policyId] ?? {}) };
  },
  get: ({ params, query }, context) => ({ data: requireException(query.policyId, params.exceptionId, context) }),
  update({ params, query, body }, context) {
    const exception = requireException(query.policyId, params.exceptionId, context);
    if (body.constraints !== undefined) checkConstraints(query.policyId, body.constraints, context);
    Object.assign(exception, body, lastUpdate(context));
    commit(context, 'PolicyException', 'UPDATE', `Exception ${params.exceptionId} of ${query.policyId} was changed.`);
    return { data: exception };
  },
  delete({ params, query }, context) {
    requireException(query.policyId, params.exceptionId, context);
    delete context.account.state.exceptions[query.policyId]?.[params.exceptionId];
    commit(context, 'PolicyException', 'DELETE', `Exception ${params.exceptionId} of ${query.policyId} was deleted.`);
    return undefined;
  },
};

function requireException(policyId: string, exceptionId: string, context: RequestContext): ExceptionRecord {
  requirePolicy(context, policyId);
  const { exceptions } = context.account.state;
  const exception = Object.hasOwn(exceptions, policyId) ? exceptions[policyId]?.[exceptionId] : undefined;
  if (exception === undefined) throw notFound(`Exception ${exceptionId} not found for policy ${policyId}`);
  return exception;
}

function lastUpdate({ now, user }: RequestContext): { lastUpdateTime: string; lastUpdateUser: string } {
  return { lastUpdateTime: new Date(now).toISOString(), lastUpdateUser: user };
}

/** @throws ServiceError 404 for an unknown policy, 400 for a key the policy does not take or values of the wrong kind. */
function checkConstraints(
  policyId: string,
  constraints: readonly ExceptionConstraint[],
  context: RequestContext,
): void {
  const fields = new Map(
    constraintFields(requirePolicy(context, policyId), context).map((field) => [field.fieldKey, field]),
  );
  if (constraints.length === 0)
    throw badRequest('Invalid data: #1: [constraints: at least one constraint is required]');
  for (const { fieldKey, fieldValues } of constraints) {
    const field = fields.get(fieldKey);
    if (field === undefined) {
      throw badRequest(
        `fieldKey: ${fieldKey} is not applicable to policy ${policyId}. Valid fieldKey are [${[...fields.keys()].sort().join(', ')}]`,
      );
    }
    for (const value of fieldValues) {
      const fits = field.dataType === 'KVTagPair' ? isTagPair(value) : typeof value === 'string';
      if (!fits) {
        const expected = field.dataType === 'KVTagPair' ? 'an object {"key", "value"}' : 'a text';
        throw badRequest(`Invalid data: #1: [constraints: a value of ${fieldKey} must be ${expected}]`);
      }
    }
  }
}

/** A tag of an exception: its key and the value or values that are let off. */
export function isTagPair(
  value: unknown,
): value is { readonly key: string; readonly value: string | readonly string[] } {
  if (typeof value !== 'object' || value === null || !('key' in value) || !('value' in value)) return false;
  const list: unknown = Array.isArray(value.value) ? value.value : [value.value];
  return typeof value.key === 'string' && Array.isArray(list) && list.every((entry) => typeof entry === 'string');
}
