import type { ContentKind } from '../content-object.ts';

/** Folders below the root of the content, without slashes at their ends. */
export interface ContentLayout {
  readonly query: string;
  readonly policy: string;
  readonly alertProfile: string;
  readonly exception: string;
}

export const defaultLayout: ContentLayout = {
  query: 'queries',
  policy: 'policies',
  alertProfile: 'alert-profiles',
  exception: 'exceptions',
};

/** How settings call the parts of a layout. */
export const layoutKeys = {
  query: 'queries',
  policy: 'policies',
  alertProfile: 'alertProfiles',
  exception: 'exceptions',
} as const satisfies { readonly [kind in ContentKind]: string };

/**
 * Folders by kind as a setting says them, relative to the folder of the content; what is not said is as usual. What leads out of it, or is no
 * plain path, does not count. Undefined when it is no object, or when two kinds would share a folder: their files could not be told apart.
 */
export function readLayout(value: unknown): ContentLayout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const written = new Map(Object.entries(value));
  const layout: { -readonly [kind in keyof ContentLayout]: string } = { ...defaultLayout };
  for (const kind of Object.keys(layoutKeys) as ContentKind[]) {
    const folder = written.get(layoutKeys[kind]);
    if (typeof folder === 'string' && isPlainPath(folder)) layout[kind] = folder.replace(/\/+$/, '');
  }
  const folders = Object.values(layout).map((folder) => folder.toLowerCase());
  return new Set(folders).size === folders.length ? layout : undefined;
}

function isPlainPath(folder: string): boolean {
  const names = folder.replace(/\/+$/, '').split('/');
  return names.every((name) => /^[A-Za-z0-9_][A-Za-z0-9_. -]*$/.test(name) && !/[. ]$/.test(name));
}

/**
 * Where an object's file goes, relative to the root, with `/`: `$account-buckets-1` → `policies/buckets-1.yaml`. `isTaken` answers for
 * folded paths (`foldedPath`) of files that are there; where the plain name is taken, one with the case of the id spelled out is used.
 */
export function pathOfObject(
  kind: ContentKind,
  id: string,
  layout: ContentLayout,
  isTaken: (folded: string) => boolean,
): string {
  const plain = `${layout[kind]}/${nameOfObject(kind, id)}`;
  const free = isTaken(foldedPath(`${plain}.yaml`)) ? `${plain}~${caseBits(plain)}` : plain;
  return `${free}.yaml`;
}

/** The id that a path below a kind's folder stands for: the inverse of `pathOfObject`. `relative` has no extension. */
export function idOfPath(kind: ContentKind, relative: string): string {
  const name = relative
    .split('~/~')
    .join('')
    .replace(/(?!^)~[0-9a-v]*$/, '');
  if (kind === 'exception') {
    const slash = name.indexOf('/');
    if (slash < 0) return decodeName(name);
    return `${policyIdOf(name.slice(0, slash))}/${decodeName(name.slice(slash + 1))}`;
  }
  return kind === 'policy' ? policyIdOf(name) : decodeName(name);
}

/** Two paths are one file on some system exactly when these are equal. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

const neutral = '$account-';

function nameOfObject(kind: ContentKind, id: string): string {
  if (kind === 'policy') return policyName(id);
  if (kind !== 'exception') return encodeName(id);
  const slash = id.indexOf('/');
  return slash < 0 ? encodeName(id) : `${policyName(id.slice(0, slash))}/${encodeName(id.slice(slash + 1))}`;
}

// Nearly every policy is `$account-…`; a shell would read that as a variable, so the others get the mark.
function policyName(id: string): string {
  return id.startsWith(neutral) && id.length > neutral.length
    ? encodeName(id.slice(neutral.length))
    : `~${encodeName(id)}`;
}

function policyIdOf(name: string): string {
  return name.startsWith('~') ? decodeName(name.slice(1)) : `${neutral}${decodeName(name)}`;
}

/** Longer names are cut into folders: the systems' limit is 255 bytes, and an extension and a mark must still fit. */
const longestPiece = 160;
// Names that Windows keeps for devices, whatever their extension.
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$)(?=\.|$)/i;

/** A text in letters, digits, `_`, `-`, inner dots and `%`: what every file system takes, whatever it does with accents. */
function encodeName(text: string): string {
  if (text === '') return '%';
  let name = '';
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const innerDot = character === '.' && index > 0 && index < characters.length - 1;
    name += /^[A-Za-z0-9_-]$/.test(character) || innerDot ? character : escaped(character);
  }
  if (deviceName.test(name)) name = `%${hex(name.charCodeAt(0))}${name.slice(1)}`;
  const pieces: string[] = [];
  for (let at = 0; at < name.length; at += longestPiece) pieces.push(name.slice(at, at + longestPiece));
  return pieces.join('~/~');
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  // Half of a pair has no UTF-8 form.
  if (character.length === 1 && code >= 0xd800 && code <= 0xdfff) return `%u${code.toString(16).toUpperCase()}`;
  return code < 0x80 ? `%${hex(code)}` : encodeURIComponent(character);
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(2, '0');

function decodeName(name: string): string {
  if (name === '%') return '';
  return name.replace(/%u([0-9A-F]{4})|((?:%[0-9A-F]{2})+)/gi, (written, half: string | undefined) => {
    if (half !== undefined) return String.fromCharCode(Number.parseInt(half, 16));
    try {
      return decodeURIComponent(written);
    } catch {
      // A name that we did not give.
      return written;
    }
  });
}

/** Which letters are capitals, five a digit: tells names apart that are the same without their case. */
function caseBits(name: string): string {
  let digits = '';
  let value = 0;
  let count = 0;
  for (const character of name) {
    if (!/[A-Za-z]/.test(character)) continue;
    value |= (character < 'a' ? 1 : 0) << count;
    if (++count === 5) {
      digits += value.toString(32);
      value = 0;
      count = 0;
    }
  }
  if (count > 0) digits += value.toString(32);
  return digits.replace(/0+$/, '');
}
