/**
 * Looks for secrets in whatever a run leaves behind: logs, output, messages, files. A secret is found raw, URL-encoded, in base64 wherever
 * it begins, hexadecimal, as UTF-16 (as databases of browsers keep texts), and inside gzip.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { gunzipSync } from 'node:zlib';

export interface SecretHit {
  /** Where: the name of an artefact. */
  readonly place: string;
  /** Which, by the name it was given: never its text. */
  readonly secret: string;
  readonly form: string;
}

export interface SecretSearch {
  /** A secret to look for. One text may be given more than once. */
  protect(name: string, text: string): void;
  /** Keeps a text or bytes; they are searched in the end, when every secret is known. */
  add(place: string, content: string | Buffer): void;
  /** Keeps everything that shows of a value: printed, inspected with what is hidden, serialised. Errors with their causes. */
  addValue(place: string, value: unknown): void;
  /** Keeps every file below a folder, and its name. */
  addFolder(folder: string, leaveOut?: (file: string) => boolean): void;
  finish(): SecretReport;
}

export interface SecretReport {
  readonly secrets: number;
  readonly artefacts: number;
  readonly bytes: number;
  readonly hits: readonly SecretHit[];
  /** One line of figures. */
  readonly summary: string;
}

export function createSecretSearch(): SecretSearch {
  const secrets = new Map<string, string>();
  const artefacts: { readonly place: string; readonly content: Buffer }[] = [];
  const add = (place: string, content: string | Buffer): void => {
    artefacts.push({ place, content: typeof content === 'string' ? Buffer.from(content, 'utf8') : content });
  };
  return {
    protect(name, text) {
      // Shorter texts turn up by chance.
      if (text.length < 8) throw new RangeError(`The secret ${name} is too short to be looked for.`);
      secrets.set(text, name);
    },
    add,
    addValue(place, value) {
      const shown = [
        String(value),
        inspect(value, { depth: 12, showHidden: true, getters: true, maxStringLength: null, maxArrayLength: null }),
        serialised(value),
      ];
      for (let cause = value; cause instanceof Error; cause = cause.cause) {
        shown.push(cause.message, cause.stack ?? '', serialised(Object.getOwnPropertyDescriptors(cause)));
      }
      add(place, shown.join('\n'));
    },
    addFolder(folder, leaveOut = () => false) {
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        if (leaveOut(file)) continue;
        add(`the name of ${file}`, file);
        if (entry.isFile()) add(file, readFileSync(file));
      }
    },
    finish() {
      const forms = [...secrets].flatMap(([text, name]) => formsOf(text).map((form) => ({ ...form, name })));
      const hits: SecretHit[] = [];
      let bytes = 0;
      for (const { place, content } of artefacts) {
        for (const part of [content, ...unpacked(content)]) {
          bytes += part.length;
          for (const { name, form, needle } of forms) {
            if (part.includes(needle)) hits.push({ place, secret: name, form });
          }
        }
      }
      const summary = `${secrets.size} secrets in ${forms.length} forms, ${artefacts.length} artefacts, ${bytes.toLocaleString('en')} bytes searched: ${hits.length} hits`;
      return { secrets: secrets.size, artefacts: artefacts.length, bytes, hits, summary };
    },
  };
}

/** What a text looks like where somebody wrote it down in another way. */
export function formsOf(text: string): readonly { readonly form: string; readonly needle: Buffer }[] {
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const forms: [string, string | Buffer][] = [
    ['raw', text],
    ['URL-encoded', encodeURIComponent(text)],
    ['JSON', JSON.stringify(text).slice(1, -1)],
    ['hexadecimal', hex],
    ['hexadecimal', hex.toUpperCase()],
    ['UTF-16', Buffer.from(text, 'utf16le')],
  ];
  // Base64 depends on how many bytes come before; what the neighbours have a part in is left out.
  for (let before = 0; before < 3; before++) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const whole = encoded.slice(before === 0 ? 0 : before + 1, (before + bytes.length) % 3 === 0 ? undefined : -1);
    forms.push(['base64', whole], ['base64 of addresses', whole.replaceAll('+', '-').replaceAll('/', '_')]);
  }
  const distinct = new Map(
    forms.map(([form, needle]) => [needle.toString('latin1'), { form, needle: Buffer.from(needle) }]),
  );
  return [...distinct.values()];
}

function unpacked(content: Buffer): readonly Buffer[] {
  if (content[0] !== 0x1f || content[1] !== 0x8b) return [];
  try {
    return [gunzipSync(content)];
  } catch {
    return [];
  }
}

function serialised(value: unknown): string {
  try {
    return JSON.stringify(value, (_, entry: unknown) => (typeof entry === 'bigint' ? entry.toString() : entry)) ?? '';
  } catch (error) {
    return String(error);
  }
}
