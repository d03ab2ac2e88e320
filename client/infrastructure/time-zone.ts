import { parseOneOf, type Setting } from './setting.ts';

/** In which zone times of windows are told. Times in rows are shown as they were received. */
export const timeZoneSetting: Setting<'utc' | 'local'> = {
  key: 'lql.run.timeZone',
  fallback: 'utc',
  parse: parseOneOf('utc', 'local'),
};
