/**
 * What a query says about its own runs, in comments of its text that have a line to themselves:
 * `-- @range last 7 days`, `-- @arg Name=value`, `-- @limit 100`. Of several ranges or limits the last one counts.
 */
export interface Directives {
  readonly range: string | undefined;
  readonly limit: number | undefined;
  readonly arguments: readonly { readonly name: string; readonly value: string }[];
  /** Directives that cannot be meant, as sentences. */
  readonly problems: readonly string[];
}

export function parseDirectives(queryText: string): Directives {
  let range: string | undefined;
  let limit: number | undefined;
  const named = new Map<string, string>();
  const problems: string[] = [];
  for (const [, name = '', rest = ''] of queryText.matchAll(/^[ \t]*--[ \t]*@([a-z]+)[ \t]*([^\r\n]*)$/gim)) {
    const value = rest.trim();
    switch (name.toLowerCase()) {
      case 'range':
        if (value) range = value;
        else problems.push('`-- @range` names no time range. Write for example `-- @range last 7 days`.');
        break;
      case 'limit':
        if (/^[1-9]\d{0,8}$/.test(value)) limit = Number(value);
        else problems.push(`\`-- @limit ${value}\` is not a number of rows. Write for example \`-- @limit 100\`.`);
        break;
      case 'arg': {
        const equals = value.indexOf('=');
        if (equals > 0) named.set(value.slice(0, equals).trim(), value.slice(equals + 1).trim());
        else problems.push(`\`-- @arg ${value}\` has no value. Write \`-- @arg Name=value\`.`);
        break;
      }
      default:
        // Other @words in comments are the writer's own business.
        break;
    }
  }
  return { range, limit, arguments: [...named].map(([name, value]) => ({ name, value })), problems };
}
