/** Three-valued logic: `undefined` is SQL null, "not known". */
export type Truth = boolean | undefined;

/** False as soon as one side is, whatever the other; else null when a side is null. */
export function and(a: Truth, b: Truth): Truth {
  if (a === false || b === false) return false;
  return a === undefined || b === undefined ? undefined : true;
}

/** True as soon as one side is, whatever the other; else null when a side is null. */
export function or(a: Truth, b: Truth): Truth {
  if (a === true || b === true) return true;
  return a === undefined || b === undefined ? undefined : false;
}

export function not(a: Truth): Truth {
  return a === undefined ? undefined : !a;
}
