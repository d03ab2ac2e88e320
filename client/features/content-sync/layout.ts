import { type ContentLayout, defaultLayout, readLayout } from '../../../server/core/content/files/file-names.ts';
import type { Setting } from '../../infrastructure/setting.ts';

/** Where new files go, by kind. The command line reads the same setting. */
export const layoutSetting: Setting<ContentLayout> = {
  key: 'lql.content.layout',
  fallback: defaultLayout,
  parse: readLayout,
};
