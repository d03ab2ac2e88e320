/** JSON text with integers of any length as the integers they are. */
export function wireJson(value: unknown): string {
  return JSON.stringify(value, exactly);
}

/** `JSON.rawJSON` is in every Node this runs on, but not yet in the library types of the language version we compile for. */
interface JsonWithRaw {
  rawJSON(text: string): unknown;
}

function exactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (JSON as unknown as JsonWithRaw).rawJSON(value.toString()) : value;
}
