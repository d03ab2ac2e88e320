/** A setting of ours, read with a check: what a person or a repository wrote into settings.json may have any shape. */
export interface Setting<T> {
  readonly key: `lql.${string}`;
  readonly fallback: T;
  /** Undefined for a value that is not of this setting's shape: the fallback counts then. */
  readonly parse: (value: unknown) => T | undefined;
  /**
   * Settings that decide where credentials go or what is started are read from the user's own settings alone. A
   * workspace, which may be anybody's repository, has no say in them, whatever it writes and wherever.
   */
  readonly userOnly?: true;
}

export function parseString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function parseBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** A whole number from `least` to `most`; one beyond them counts as the nearer of them. */
export function parseWhole(value: unknown, least: number, most: number): number | undefined {
  return Number.isInteger(value) ? Math.max(least, Math.min(most, Number(value))) : undefined;
}

export function parseStrings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

export function parseOneOf<const T extends readonly string[]>(
  ...allowed: T
): (value: unknown) => T[number] | undefined {
  return (value) => allowed.find((item) => item === value);
}
