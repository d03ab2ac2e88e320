import { type Static, Type } from 'typebox';
import { openObject } from './shapes.ts';

const nullableText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** One column of a datasource or of a query's result. */
export const ResultField = openObject({
  name: Type.String(),
  dataType: Type.String({ description: 'String, Number, Timestamp, JSON or Boolean.' }),
  description: nullableText,
});
export type ResultField = Static<typeof ResultField>;

/** A way from one datasource to another that `with` can follow. */
const SourceRelationship = openObject({
  name: Type.String({ description: '`(default)` for the one used without `on`.' }),
  from: Type.String(),
  to: Type.String(),
  toCardinality: Type.Optional(
    Type.Union([Type.String(), Type.Number(), Type.Null()], { description: 'ONE or MANY; `1` is read as ONE.' }),
  ),
  description: nullableText,
});
export type SourceRelationship = Static<typeof SourceRelationship>;

/** One entry of the datasource list. Everything but the name may be missing or null. */
export const DatasourceRecord = openObject({
  name: Type.String({ minLength: 1 }),
  description: nullableText,
  resultSchema: Type.Optional(Type.Union([Type.Array(ResultField), Type.Null()])),
  sourceRelationships: Type.Optional(Type.Union([Type.Array(SourceRelationship), Type.Null()])),
});
export type DatasourceRecord = Static<typeof DatasourceRecord>;
