// A key that is like no other text, so that wherever it turns up it is found.
export const canaryKeyId = 'CANARY_5F1C0FFEE0DDBA11C0DE5EED';
export const canarySecret = '_canary-Secret/5f1c+0ddba11~0123456789abcdef';

/** The forms in which a secret would be found: raw, URL-encoded, base64, base64 for addresses, hexadecimal. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}
