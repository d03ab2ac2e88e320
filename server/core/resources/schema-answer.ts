import { type Static, Type } from 'typebox';

/**
 * Answers of the schemas endpoints. They come bare, and in several forms: type names, a list of `{name, type}`, one JSON Schema or a list
 * with one, `{oneOf}`, `{}`. `columnsFromSchemaAnswer` reads them all.
 */
export const SchemaAnswer = Type.Unknown();
export type SchemaAnswer = Static<typeof SchemaAnswer>;

/** The list of schema types: names, or objects that describe them. */
export const SchemaTypes = Type.Array(Type.Unknown());
export type SchemaTypes = Static<typeof SchemaTypes>;
