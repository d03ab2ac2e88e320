import type { LqlType } from '../language/types/types.ts';
import { distinctKey, hashKey } from '../language/values/compare.ts';
import type { Value } from '../language/values/value.ts';

/** A key that two rows share exactly when all their values are equal; a row with a null has none, because null equals nothing (joins, IN). */
export function matchKey(types: readonly LqlType[]): (row: readonly Value[]) => unknown {
  const [only] = types;
  if (only !== undefined && types.length === 1) {
    const keyOf = hashKey(only);
    return (row) => {
      const value = row[0];
      return value === undefined ? undefined : keyOf(value);
    };
  }
  const keysOf = types.map(distinctKey);
  return (row) => {
    let key = '';
    for (let index = 0; index < keysOf.length; index++) {
      const value = row[index];
      if (value === undefined) return undefined;
      key += `${keysOf[index]?.(value)},`;
    }
    return key;
  };
}
