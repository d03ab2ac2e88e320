/**
 * A text that must never be seen. It can be handed on and stored in objects; whatever prints, logs, inspects or serialises it gets `***`.
 * Only `reveal` gives the text, and only the place that writes the header calls it.
 */
export interface Secret {
  readonly kind: 'secret';
  toString(): string;
  toJSON(): string;
}

const texts = new WeakMap<Secret, string>();
const mask = '***';

/** Hides a text. */
export function createSecret(text: string): Secret {
  const secret: Secret = Object.freeze({
    kind: 'secret' as const,
    toString: () => mask,
    toJSON: () => mask,
    [Symbol.toPrimitive]: () => mask,
    [Symbol.for('nodejs.util.inspect.custom')]: () => mask,
  });
  texts.set(secret, text);
  return secret;
}

/** The hidden text. */
export function reveal(secret: Secret): string {
  const text = texts.get(secret);
  if (text === undefined) throw new TypeError('This is not a secret made by createSecret.');
  return text;
}

/**
 * A function that masks the given secrets in a text, raw, URL-encoded, base64 or hexadecimal: the second net under messages that come from
 * elsewhere, e.g. a service that echoes a header.
 */
export function createRedactor(secrets: () => Iterable<Secret>): (text: string) => string {
  return (text) => {
    let redacted = text;
    for (const secret of secrets()) {
      for (const form of formsOf(reveal(secret))) {
        if (redacted.includes(form)) redacted = redacted.replaceAll(form, mask);
      }
    }
    return redacted;
  };
}

function formsOf(text: string): string[] {
  // A short text would mask half of every message, and is no secret worth the name.
  if (text.length < 4) return [];
  const bytes = Buffer.from(text, 'utf8');
  const hex = bytes.toString('hex');
  const forms = [
    text,
    encodeURIComponent(text),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    hex,
    hex.toUpperCase(),
  ];
  return [...new Set(forms)];
}
