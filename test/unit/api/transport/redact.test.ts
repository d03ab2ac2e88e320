import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRedactor, createSecret, reveal } from '../../../../server/api/transport/redact.ts';

const canary = '_canary/secret+0123456789abcdef';
const forms = [
  canary,
  encodeURIComponent(canary),
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  Buffer.from(canary).toString('base64url'),
  Buffer.from(canary).toString('hex'),
];

describe('createSecret', () => {
  it('shows itself to reveal alone', () => {
    const secret = createSecret(canary);
    expect(reveal(secret)).toBe(canary);
    const seen = [
      `${secret}`,
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { depth: 9, showHidden: true }),
      inspect(secret, { customInspect: false, showHidden: true, getters: true, showProxy: true }),
      inspect(new Error('outer', { cause: { secret, list: [secret], map: new Map([[secret, secret]]) } }), {
        showHidden: true,
      }),
      Object.getOwnPropertySymbols(secret)
        .map((symbol) => String(Reflect.get(secret, symbol)))
        .join(),
      JSON.stringify(Object.entries(secret)),
      JSON.stringify(Object.getOwnPropertyDescriptors(secret)),
      JSON.stringify(structuredCloneOrName(secret)),
    ];
    for (const text of seen) for (const form of forms) expect(text).not.toContain(form);
    expect(() => reveal({ ...secret })).toThrow(TypeError);
  });
});

describe('createRedactor', () => {
  it('masks every form of a secret', () => {
    const redact = createRedactor(() => [createSecret(canary)]);
    for (const form of forms) expect(redact(`before ${form} after`)).toMatch(/^before \*\*\*=* after$/);
    expect(redact('nothing here')).toBe('nothing here');
  });
});

function structuredCloneOrName(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch (error) {
    return String(error);
  }
}
