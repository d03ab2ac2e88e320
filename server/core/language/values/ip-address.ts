/** An address or a block of addresses: the first `prefixLength` bits of `bytes` say which. */
export interface IpBlock {
  readonly family: 4 | 6;
  /** 4 or 16 bytes, most significant first, host bits kept as written. */
  readonly bytes: readonly number[];
  /** 32 or 128 for a plain address. */
  readonly prefixLength: number;
  /** The address as written, without the prefix length. */
  readonly address: string;
}

/** Reads an IPv4 or IPv6 address or CIDR block; undefined when the text is neither. */
export function parseIpBlock(text: string): IpBlock | undefined {
  const trimmed = text.trim();
  const slash = trimmed.indexOf('/');
  const address = slash < 0 ? trimmed : trimmed.slice(0, slash);
  const bytes = address.includes(':') ? parseIpv6(address) : parseIpv4(address);
  if (bytes === undefined) return undefined;
  const bits = bytes.length * 8;
  let prefixLength = bits;
  if (slash >= 0) {
    const prefix = trimmed.slice(slash + 1);
    if (!/^[0-9]{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
    prefixLength = Number(prefix);
  }
  return { family: bytes.length === 4 ? 4 : 6, bytes, prefixLength, address };
}

/** Whether every address of `inner` belongs to `outer`. Blocks of different families share no address. */
export function blockContains(outer: IpBlock, inner: IpBlock): boolean {
  if (outer.family !== inner.family || outer.prefixLength > inner.prefixLength) return false;
  let bits = outer.prefixLength;
  for (let index = 0; bits > 0; index++, bits -= 8) {
    const mask = bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff;
    if (((outer.bytes[index] ?? 0) & mask) !== ((inner.bytes[index] ?? 0) & mask)) return false;
  }
  return true;
}

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const bytes: number[] = [];
  for (const part of parts) {
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    bytes.push(Number(part));
  }
  return bytes;
}

function parseIpv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** Colon-separated groups of 16 bits as bytes; the last may be an IPv4 address. */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return [];
  const bytes: number[] = [];
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (mayEndInIpv4 && index === groups.length - 1 && group.includes('.')) {
      const tail = parseIpv4(group);
      if (tail === undefined) return undefined;
      bytes.push(...tail);
      continue;
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
    const value = Number.parseInt(group, 16);
    bytes.push(value >> 8, value & 0xff);
  }
  return bytes;
}
