/** Ends a switch over a discriminated union: does not compile while a case is missing, and throws if data lied about its type. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
