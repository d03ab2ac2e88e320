/** The service's types plus two of ours: `null` (the literal) and `unknown` (something that could not be resolved: never an error's cause twice). */
export type LqlType = 'string' | 'number' | 'timestamp' | 'json' | 'boolean' | 'null' | 'unknown';

/** Names a cast may use, compared without case. */
export const castTypeNames = ['string', 'number', 'timestamp', 'json', 'boolean'] as const;

/** The type behind a `dataType` of the service's schemas (`String`, `Number`, `Timestamp`, `JSON`, `Boolean`; any case). Others are `unknown`. */
export function typeFromDataType(dataType: string): LqlType {
  const lower = dataType.toLowerCase();
  return lower === 'string' || lower === 'number' || lower === 'timestamp' || lower === 'json' || lower === 'boolean'
    ? lower
    : 'unknown';
}

/** The service's spelling of a type. */
export function dataTypeOf(type: LqlType): string {
  if (type === 'json') return 'JSON';
  return type.charAt(0).toUpperCase() + type.slice(1);
}
