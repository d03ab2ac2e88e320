/** A value as indented JSON with a line end, as `--json` prints it. Integers beyond 2^53 are written with all their digits. */
export function jsonText(value: unknown): string {
  const written = JSON.stringify(
    value,
    (_, entry: unknown) => (typeof entry === 'bigint' ? raw.rawJSON(entry.toString()) : entry),
    2,
  );
  return `${written}\n`;
}

/** Node has it; the types of the language do not yet. */
const raw = JSON as unknown as { rawJSON(text: string): unknown };
