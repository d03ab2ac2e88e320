/** A disturbance for tests: what happens to the next answers of some operations. */
export interface Fault {
  /** Method and path, `*` for any text: `POST /api/v2/Queries/execute`, `* *`. */
  readonly match: string;
  /** How often it happens before it is used up; default 1. */
  readonly times?: number;
  /** Milliseconds to wait before anything else. */
  readonly delay?: number;
  readonly action?:
    | {
        readonly kind: 'status';
        readonly status: number;
        readonly message?: string;
        readonly headers?: { readonly [name: string]: string };
      }
    /** Closes the socket without an answer, after the request took effect when `late`. */
    | { readonly kind: 'reset'; readonly late?: boolean }
    /** Announces the whole body and closes the socket after this many bytes of it. */
    | { readonly kind: 'truncate'; readonly bytes: number }
    /** Sends the body in pieces of this many bytes with a pause between them. */
    | { readonly kind: 'slow'; readonly bytes: number; readonly pause: number }
    /** Sends the client elsewhere. */
    | { readonly kind: 'redirect'; readonly status: 301 | 302 | 303 | 307 | 308; readonly location: string };
}

export interface FaultPlan {
  add(fault: Fault): void;
  clear(): void;
  /** The fault for a request, used up by one. */
  take(method: string, path: string): Fault | undefined;
}

export function createFaultPlan(): FaultPlan {
  let faults: { readonly fault: Fault; left: number }[] = [];
  return {
    add: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    clear: () => {
      faults = [];
    },
    take(method, path) {
      const entry = faults.find(({ fault }) => matches(fault.match, `${method} ${path}`));
      if (entry === undefined) return undefined;
      entry.left--;
      if (entry.left <= 0) faults = faults.filter((candidate) => candidate !== entry);
      return entry.fault;
    },
  };
}

/** Whether a text is of a pattern in which `*` stands for any text. Looks for the fixed parts one after the other. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  const first = parts.shift() ?? '';
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let position = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, position);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    position = found + part.length;
  }
  return true;
}
