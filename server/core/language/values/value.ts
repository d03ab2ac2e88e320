/**
 * A value while a query runs. SQL null is `undefined`; `null` is the JSON null, a value. That is how JavaScript objects read:
 * a missing key gives `undefined`, a key that maps to null gives `null`.
 * Timestamps are numbers (milliseconds since 1970 UTC); the static type tells them from numbers. Integers beyond 2^53 are bigint.
 * Strings of type String and JSON strings are both JavaScript strings: again the static type tells.
 */
export type Value = undefined | null | boolean | number | bigint | string | JsonObject | JsonArray;

export type JsonObject = { readonly [key: string]: Value };
export type JsonArray = readonly Value[];
