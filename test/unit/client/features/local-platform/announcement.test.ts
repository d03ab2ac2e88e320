import { expect, test } from 'vitest';
import { parseAnnouncement } from '../../../../../client/features/local-platform/announcement.ts';

test('the first line says where the platform is and with which key', () => {
  expect(parseAnnouncement('{"url":"http://127.0.0.1:4321/","keyId":"K","secret":"S"}')).toEqual({
    origin: 'http://127.0.0.1:4321',
    keyId: 'K',
    secret: 'S',
  });
  const more =
    '{"url":"http://127.0.0.1:4321","keyId":"K","secret":"S","accountId":"A","account":"a","rateLimit":true}';
  expect(parseAnnouncement(more)).toEqual({
    origin: 'http://127.0.0.1:4321',
    keyId: 'K',
    secret: 'S',
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
