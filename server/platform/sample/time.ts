/** All sample times are written as distances from the anchor: the moment the sample account is "now". */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Days of history the sample account holds, today included. */
export const historyDays = 8;

/** The daily collection of configuration ended this long before the anchor. */
export const lastCollectionAge = 3 * hour;

/** Host agents report in batches of this length. */
export const batchLength = hour;

/** ISO 8601 with milliseconds, as the service prints times and as audit events carry them inside JSON. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** ISO 8601 with whole seconds, the form cloud providers use inside their own documents. */
export function isoSeconds(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
