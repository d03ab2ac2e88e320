import type { TProperties, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { badRequest } from '../service-error.ts';

/**
 * Checks a value of a request against its schema.
 * @throws ServiceError 400 that names the first thing that is wrong, with a slash path.
 */
export function checkBody(schema: TSchema, value: unknown): void {
  if (Check(schema, value)) return;
  const errors = Errors(schema, value);
  for (const error of errors) {
    if (error.keyword === 'additionalProperties') {
      const { additionalProperties } = error.params;
      throw badRequest(
        `key ${[error.instancePath.slice(1), additionalProperties[0]].filter(Boolean).join('/')} is unrecognized`,
      );
    }
  }
  const first = errors.find((error) => error.keyword !== 'anyOf') ?? errors[0];
  throw badRequest(
    `Invalid data: #1: [${first?.instancePath.slice(1) || 'body'}: ${first?.message ?? 'does not fit'}]`,
  );
}

/** Checks the parameters of a path or those behind the question mark. @throws ServiceError 400 */
export function checkParameters(
  schemas: TProperties,
  values: { readonly [name: string]: string },
  required: boolean,
): void {
  for (const [name, schema] of Object.entries(schemas)) {
    const value = values[name];
    if (value === undefined) {
      const optional = '~optional' in schema;
      if (required && !optional) throw badRequest(`Invalid data: #1: [${name}: the parameter is required]`);
    } else if (!Check(schema, value)) {
      const allowed = 'enum' in schema && Array.isArray(schema.enum) ? ` (allowed: [${schema.enum.join(', ')}])` : '';
      throw badRequest(`Invalid data: #1: [${name}: '${value}' is not a value of this parameter${allowed}]`);
    }
  }
}
