/** JSON text with integers of any length as the integers they are. */
export function wireJson(value: unknown): string {
  return JSON.stringify(value, exactly);
}

/** Texts of objects that never change, made when they are first needed. */
const texts = new WeakMap<object, string | undefined>();

/** Says of an object that neither it nor anything in it will change, so that its text is made once. */
export function keepText<T extends object>(value: T): T {
  if (!texts.has(value)) texts.set(value, undefined);
  return value;
}

/** The same as {@link wireJson} for an answer, as text or as bytes, with the texts of listed objects that are kept. */
export function answerJson(answer: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof answer !== 'object' || answer === null || !('data' in answer) || !Array.isArray(answer.data))
    return wireJson(answer);
  const { data, ...rest } = answer;
  const list = data as readonly unknown[];
  // Small lists are soon written; what is not kept may change.
  if (list.length < 50 || !list.every(isKept)) return wireJson(answer);
  const head = wireJson(rest);
  return Buffer.concat([
    Buffer.from(head === '{}' ? '{"data":' : `${head.slice(0, -1)},"data":`),
    listBytes(list),
    close,
  ]);
}

const close = Buffer.from('}');

/** Bytes of lists answered lately, the latest last: the same search asked again finds the same objects. */
const lists: { readonly list: readonly unknown[]; readonly bytes: Buffer }[] = [];
const mostListBytes = 16 * 1024 * 1024;

function listBytes(list: readonly unknown[]): Buffer {
  const index = lists.findIndex((entry) => sameObjects(entry.list, list));
  const found = index < 0 ? undefined : lists.splice(index, 1)[0];
  const entry = found ?? { list: [...list], bytes: Buffer.from(`[${list.map(listedText).join(',')}]`) };
  lists.push(entry);
  let total = lists.reduce((sum, { bytes }) => sum + bytes.length, 0);
  while (total > mostListBytes) total -= lists.shift()?.bytes.length ?? total;
  return entry.bytes;
}

function sameObjects(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

function isKept(value: unknown): value is object {
  return typeof value === 'object' && value !== null && texts.has(value);
}

function listedText(value: unknown): string {
  if (!isKept(value)) return wireJson(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = wireJson(value);
  texts.set(value, text);
  return text;
}

/** `JSON.rawJSON` is in every Node this runs on, but not yet in the library types of the language version we compile for. */
interface JsonWithRaw {
  rawJSON(text: string): unknown;
}

function exactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? (JSON as unknown as JsonWithRaw).rawJSON(value.toString()) : value;
}
