import type { Value } from '../language/values/value.ts';

/** The text of a cell: what is shown, searched, copied and exported. `undefined` for null, which each of them spells its own way. */
export function cellText(value: Value): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return jsonText(value);
  return String(value);
}

/** An object or array that is being written. */
interface Frame {
  readonly members: readonly (readonly [key: string | undefined, value: Value])[];
  readonly close: ']' | '}';
  next: number;
}

/**
 * JSON with integers of any size exact, which JSON.stringify refuses; compact unless `indent` is given.
 * Keeps its own stack: data decides how deep it is nested, and must not decide over the program's stack.
 */
export function jsonText(value: Value, indent = ''): string {
  const parts: string[] = [];
  const frames: Frame[] = [];
  const newline = (): string => (indent === '' ? '' : `\n${indent.repeat(frames.length)}`);
  const open = (next: Value): void => {
    if (next === null || typeof next !== 'object') {
      parts.push(scalarText(next));
      return;
    }
    const members = membersOf(next);
    const close = Array.isArray(next) ? ']' : '}';
    if (members.length === 0) parts.push(close === ']' ? '[]' : '{}');
    else {
      parts.push(close === ']' ? '[' : '{');
      frames.push({ members, close, next: 0 });
    }
  };
  open(value);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const member = frame.members[frame.next];
    if (!member) {
      frames.pop();
      parts.push(newline(), frame.close);
      continue;
    }
    if (frame.next++ > 0) parts.push(',');
    parts.push(newline());
    const [key, item] = member;
    if (key !== undefined) parts.push(JSON.stringify(key), indent === '' ? ':' : ': ');
    open(item);
  }
  return parts.join('');
}

function scalarText(value: Exclude<Value, object>): string {
  if (value === undefined || value === null) return 'null';
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function membersOf(value: Value & object): Frame['members'] {
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => [undefined, item] as const);
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
