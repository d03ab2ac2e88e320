export interface Redactor {
  redact(text: string): string;
  protect(secret: string): void;
}

/** Replaces declared secrets, in plain, URL-encoded, base64 and hexadecimal form, and whatever stands where a token stands. */
export function createRedactor(): Redactor {
  const forms = new Set<string>();
  return {
    protect(secret) {
      // A very short "secret" would blank out ordinary words; no key of the service is that short.
      if (secret.length < 8) return;
      const bytes = Buffer.from(secret, 'utf8');
      for (const form of [secret, encodeURIComponent(secret), bytes.toString('base64'), bytes.toString('hex')])
        forms.add(form);
    },
    redact(text) {
      let result = text.replace(/\bBearer [\w.~+/=-]+/g, 'Bearer [hidden]');
      for (const form of forms) result = result.replaceAll(form, '[hidden]');
      return result;
    },
  };
}
