import type { Value } from './value.ts';

export interface JsonStyle {
  /** What a level is indented by; compact when left out. */
  readonly indent?: string;
  /** Keys in the order of their code units instead of their own: one text for objects that are equal. */
  readonly sorted?: boolean;
}

/** An object or array that is being written. */
interface Frame {
  readonly members: readonly (readonly [key: string | undefined, value: Value])[];
  readonly close: ']' | '}';
  next: number;
}

/**
 * JSON with integers of any size exact, which JSON.stringify refuses. SQL null is `null`, and as a member of an object it is left out.
 * Keeps its own stack: data decides how deep it is nested, and must not decide over the program's stack.
 */
export function writeJson(value: Value, { indent = '', sorted = false }: JsonStyle = {}): string {
  const parts: string[] = [];
  const frames: Frame[] = [];
  const newline = (): string => (indent === '' ? '' : `\n${indent.repeat(frames.length)}`);
  const open = (next: Value): void => {
    if (next === null || typeof next !== 'object') {
      parts.push(scalarText(next));
      return;
    }
    const members = membersOf(next, sorted);
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

/** A value without members as JSON; SQL null is `null`. */
export function scalarText(value: Exclude<Value, object>): string {
  if (value === undefined || value === null) return 'null';
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function membersOf(value: Value & object, sorted: boolean): Frame['members'] {
  if (Array.isArray(value)) return (value as readonly Value[]).map((item) => [undefined, item] as const);
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return sorted ? members.sort(([a], [b]) => (a < b ? -1 : 1)) : members;
}
