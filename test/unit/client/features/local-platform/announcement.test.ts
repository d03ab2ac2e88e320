import { expect, test } from 'vitest';
import { parseAnnouncement } from '../../../../../client/features/local-platform/announcement.ts';
import { reveal } from '../../../../../server/api/transport/redact.ts';

test('the first line says where the platform is and with which key', () => {
  const credentials = parseAnnouncement('{"url":"http://127.0.0.1:4321/","keyId":"K","secret":"S"}');
  expect(credentials).toMatchObject({ origin: 'http://127.0.0.1:4321', keyId: 'K' });
  expect(credentials && reveal(credentials.secret)).toBe('S');
  const more =
    '{"url":"http://127.0.0.1:4321","keyId":"K","secret":"S","accountId":"A","account":"a","rateLimit":true}';
  expect(parseAnnouncement(more)).toMatchObject({
    origin: 'http://127.0.0.1:4321',
    keyId: 'K',
    localAccountId: 'A',
  });
});

test.each([
  '',
  'listening',
  '[]',
  'null',
  '{"url":"http://127.0.0.1:1"}',
  '{"url":"nowhere","keyId":"K","secret":"S"}',
])('the line %j is not understood', (line) => {
  expect(parseAnnouncement(line)).toBeUndefined();
});
