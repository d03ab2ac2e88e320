import { expect, test } from 'vitest';
import { createRedactor } from '../../../../client/infrastructure/redactor.ts';

const secret = '_c4nary/Secret+0123456789==';

test.each([
  ['plain', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['base64', Buffer.from(secret).toString('base64')],
  ['hexadecimal', Buffer.from(secret).toString('hex')],
])('a protected secret is hidden in %s form, wherever and however often it stands', (_form, written) => {
  const redactor = createRedactor();
  redactor.protect(secret);
  expect(redactor.redact(`a ${written} b ${written}`)).toBe('a [hidden] b [hidden]');
});

test('bearer tokens are hidden although nobody declared them', () => {
  expect(createRedactor().redact('Authorization: Bearer abc.DEF-123_x=, next')).toBe(
    'Authorization: Bearer [hidden], next',
  );
});

test('a short text is no secret: ordinary words stay readable', () => {
  const redactor = createRedactor();
  redactor.protect('query');
  expect(redactor.redact('the query failed')).toBe('the query failed');
});
