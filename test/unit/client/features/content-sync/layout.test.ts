import { expect, it } from 'vitest';
import { layoutSetting } from '../../../../../client/features/content-sync/layout.ts';
import { defaultLayout } from '../../../../../server/core/content/files/file-names.ts';

const { parse: parseLayout } = layoutSetting;

it('takes the folders that are said, and the usual ones for the rest', () => {
  expect(parseLayout({})).toEqual(defaultLayout);
  expect(parseLayout({ queries: 'content/lql/', alertProfiles: 'profiles' })).toEqual({
    ...defaultLayout,
    query: 'content/lql',
    alertProfile: 'profiles',
  });
});

it.each([
  '..',
  '../up',
  'a/../b',
  '/absolute',
  'C:\\x',
  'a\\b',
  '',
  'a//b',
  '.lql',
  '.git/x',
  'con/.',
  'name ',
  7,
  null,
])('does not take %j for a folder', (folder) => {
  expect(parseLayout({ policies: folder })).toEqual(defaultLayout);
});

it.each([{ queries: 'policies' }, { queries: 'same', exceptions: 'Same' }])(
  'refuses folders that two kinds would share: %j',
  (layout) => {
    expect(parseLayout(layout)).toBeUndefined();
  },
);

it.each([null, 'queries', 3, undefined])('refuses what is no object: %j', (value) => {
  expect(parseLayout(value)).toBeUndefined();
});
