import { type Static, Type } from 'typebox';
import { closedObject, openObject, timestamp } from './shapes.ts';

/** Where a policy does not apply: a key of the policy's exception configuration, and the values that are let off. */
export const ExceptionConstraint = Type.Object(
  {
    fieldKey: Type.String({ minLength: 1, description: 'e.g. accountIds, regionNames, resourceTags.' }),
    fieldValues: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: 'Texts (`*` for all), or `{key, value}` objects for tags.',
    }),
  },
  { additionalProperties: true },
);
export type ExceptionConstraint = Static<typeof ExceptionConstraint>;

const constraints = Type.Array(ExceptionConstraint);

export const ExceptionCreate = closedObject({
  description: Type.Optional(Type.String()),
  constraints,
  expiryTime: Type.Optional(timestamp('When the exception ends.')),
});
export type ExceptionCreate = Static<typeof ExceptionCreate>;

export const ExceptionUpdate = closedObject({
  description: Type.Optional(Type.String()),
  constraints: Type.Optional(constraints),
});
export type ExceptionUpdate = Static<typeof ExceptionUpdate>;

export const ExceptionRecord = openObject({
  exceptionId: Type.String(),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  constraints: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
  policyId: Type.Optional(Type.String()),
  expiryTime: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  lastUpdateTime: Type.Optional(timestamp()),
  lastUpdateUser: Type.Optional(Type.String()),
});
export type ExceptionRecord = Static<typeof ExceptionRecord>;
