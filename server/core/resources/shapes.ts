import { type Static, type TProperties, type TSchema, Type } from 'typebox';

/**
 * Building blocks of the service's shapes. Every shape is a JSON Schema value: the API client reads its static type from it, the local
 * platform validates with it, the editor completes resource files from it.
 */

/** An object of a response: fields may be added by the service at any time, so unknown ones are always allowed. */
export function openObject<P extends TProperties>(properties: P, description?: string) {
  return Type.Object(properties, description === undefined ? open : { ...open, description });
}

/** An object of a request: the service refuses keys that it does not know. */
export function closedObject<P extends TProperties>(properties: P, description?: string) {
  return Type.Object(properties, description === undefined ? closed : { ...closed, description });
}

/** The usual success body: the result under `data`. */
export function envelope<T extends TSchema>(data: T) {
  return Type.Object({ data }, open);
}

/** A success body with a list. */
export function listEnvelope<T extends TSchema>(item: T) {
  return Type.Object({ data: Type.Array(item) }, open);
}

/** A success body with one page of a list; without `paging` the page is the whole list. */
export function pageEnvelope<T extends TSchema>(item: T) {
  return Type.Object({ paging: Type.Optional(Type.Union([Paging, Type.Null()])), data: Type.Array(item) }, open);
}

/** A JSON object whose keys are not known, e.g. tags. */
export function jsonObject(description?: string) {
  return Type.Unsafe<JsonObjectShape>({ type: 'object', ...(description === undefined ? {} : { description }) });
}

/** A moment the service returns: ISO 8601, UTC, milliseconds. Some answers of the real service are coarser, so the form is not enforced. */
export function timestamp(description?: string) {
  return Type.String(description === undefined ? {} : { description });
}

const open = { additionalProperties: true } as const;
const closed = { additionalProperties: false } as const;

/** A JSON object as a record of values nobody has described. */
export type JsonObjectShape = { readonly [key: string]: unknown };

/** Beside `data` where the rows come in pages. An absent, null or empty `nextPage` marks the last page. */
export const Paging = Type.Object(
  {
    rows: Type.Optional(Type.Integer({ description: 'Rows in this page.' })),
    totalRows: Type.Optional(Type.Integer({ description: 'Rows of the whole result.' })),
    urls: Type.Optional(
      Type.Union([
        Type.Object(
          {
            nextPage: Type.Optional(
              Type.Union([Type.String(), Type.Null()], {
                description: 'Full URL of the next page, valid for 24 hours.',
              }),
            ),
          },
          open,
        ),
        Type.Null(),
      ]),
    ),
  },
  open,
);
export type Paging = Static<typeof Paging>;

/** The body of every 4xx and 5xx answer. */
export const ErrorBody = Type.Object({ message: Type.String() }, open);
export type ErrorBody = Static<typeof ErrorBody>;
