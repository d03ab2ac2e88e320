import { formatTime, parseTime } from '../resources/time.ts';

/**
 * What a query says about its own runs, in comments of its text that have a line to themselves:
 * `-- @range last 7 days`, `-- @limit 100`, `-- @arg Name=value`. Of several ranges or limits the last one counts.
 *
 * An argument may have a type, and may leave its value to whoever runs the query: `-- @arg Name: Number = 5`, `-- @arg Name: Timestamp`.
 */
export interface Directives {
  readonly range: string | undefined;
  readonly limit: number | undefined;
  readonly arguments: readonly NamedValue[];
  /** Arguments that the query declares without a value, in their order. */
  readonly asked: readonly AskedArgument[];
  /** Directives that cannot be meant, as sentences. */
  readonly problems: readonly string[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface AskedArgument {
  readonly name: string;
  readonly type: ArgumentType;
}

const argumentTypes = ['String', 'Number', 'Boolean', 'Timestamp'] as const;
export type ArgumentType = (typeof argumentTypes)[number];

export function parseDirectives(queryText: string): Directives {
  let range: string | undefined;
  let limit: number | undefined;
  const named = new Map<string, AskedArgument & { readonly value: string | undefined }>();
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
        const argument = parseArgument(value);
        if (typeof argument === 'string') problems.push(argument);
        else named.set(argument.name, argument);
        break;
      }
      default:
        // Other @words in comments are the writer's own business.
        break;
    }
  }
  return {
    range,
    limit,
    arguments: [...named.values()].flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }])),
    asked: [...named.values()].flatMap(({ name, type, value }) => (value === undefined ? [{ name, type }] : [])),
    problems,
  };
}

/** `Name`, `Name=value`, `Name: Type`, `Name: Type = value`; a sentence where it is none of them. */
function parseArgument(text: string): (AskedArgument & { readonly value: string | undefined }) | string {
  const wrong = (why: string): string => `\`-- @arg ${text}\` ${why}`;
  const equals = text.indexOf('=');
  const declared = equals < 0 ? text : text.slice(0, equals);
  const [, name, typeName] = /^([^\s:=]+)[ \t]*(?::[ \t]*(\S+))?$/.exec(declared.trim()) ?? [];
  if (name === undefined)
    return wrong('names no argument. Write `-- @arg Name=value`, or `-- @arg Name: Number` to be asked.');
  if (/^(?:Start|End)TimeRange$/.test(name))
    return wrong('cannot be given beside the time range. Write `-- @range 2026-01-05 to 2026-01-06`.');
  const type = argumentTypes.find((known) => known.toLowerCase() === (typeName ?? 'String').toLowerCase());
  if (!type) return wrong(`has no type that is known. Types are ${argumentTypes.join(', ')}.`);
  if (equals < 0) return { name, type, value: undefined };
  const checked = checkArgument(type, text.slice(equals + 1));
  return checked.kind === 'value' ? { name, type, value: checked.value } : wrong(`cannot be sent. ${checked.message}`);
}

export type CheckedArgument =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'refused'; readonly message: string };

/** The value as the service takes it: numbers as they are written, times in UTC with milliseconds. Texts go as they are. */
export function checkArgument(type: ArgumentType, text: string): CheckedArgument {
  const value = text.trim();
  switch (type) {
    case 'String':
      return { kind: 'value', value };
    case 'Number':
      return /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value)
        ? { kind: 'value', value }
        : { kind: 'refused', message: `'${value}' is not a number. Write for example 42 or -1.5.` };
    case 'Boolean':
      return /^(?:true|false)$/i.test(value)
        ? { kind: 'value', value: value.toLowerCase() }
        : { kind: 'refused', message: `'${value}' is neither true nor false.` };
    case 'Timestamp': {
      // Relative times would mean something else at each run: here a moment is meant.
      const parsed = /^\d{4}/.test(value) ? parseTime(value, 0) : undefined;
      return parsed?.kind === 'time'
        ? { kind: 'value', value: formatTime(parsed.time) }
        : {
            kind: 'refused',
            message: `'${value}' is not a time. Write for example 2026-01-05 or 2026-01-05T08:30:00Z.`,
          };
    }
  }
}
