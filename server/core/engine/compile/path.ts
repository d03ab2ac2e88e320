import { jsonProperty } from '../../language/values/json.ts';
import type { Value } from '../../language/values/value.ts';
import type { Evaluator } from './compiled.ts';

/**
 * Follows keys into JSON. A missing key, a step into something that is no object and SQL null give SQL null; a key that maps to null gives
 * the JSON null.
 */
export function pathEvaluator(base: Evaluator, keys: readonly string[]): Evaluator {
  const walk = pathWalker(keys);
  return () => walk(base());
}

/** {@link pathEvaluator} for a value at hand. */
export function pathWalker(keys: readonly string[]): (value: Value) => Value {
  // Keys that every JavaScript object inherits need the careful way; for all others an ordinary read answers alike and much faster.
  if (keys.some((key) => key in Object.prototype)) {
    return (value) => keys.reduce<Value>((object, key) => jsonProperty(object, key), value);
  }
  const [first, second] = keys;
  if (first !== undefined && keys.length === 1) return (value) => property(value, first);
  if (first !== undefined && second !== undefined && keys.length === 2) {
    return (value) => property(property(value, first), second);
  }
  return (value) => {
    let current = value;
    for (const key of keys) {
      current = property(current, key);
      if (current === undefined) return undefined;
    }
    return current;
  };
}

function property(value: Value, key: string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [key: string]: Value })[key];
}
