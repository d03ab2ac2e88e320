import { type ContentLayout, defaultLayout } from '../../../server/core/content/files/file-names.ts';
import type { Setting } from '../../infrastructure/setting.ts';

/** Names of the setting's parts, as the service calls the kinds. */
const parts = {
  queries: 'query',
  policies: 'policy',
  alertProfiles: 'alertProfile',
  exceptions: 'exception',
} as const satisfies Readonly<Record<string, keyof ContentLayout>>;

export const layoutSetting: Setting<ContentLayout> = {
  key: 'lql.content.layout',
  fallback: defaultLayout,
  parse: parseLayout,
};

/**
 * Folders by kind, relative to the folder of the content; what is not said is as usual. What leads out of it, or is no plain path, does not
 * count. Undefined when it is no object, or when two kinds would share a folder: their files could not be told apart.
 */
export function parseLayout(value: unknown): ContentLayout | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const written = new Map(Object.entries(value));
  const layout: { -readonly [kind in keyof ContentLayout]: string } = { ...defaultLayout };
  for (const [name, kind] of Object.entries(parts)) {
    const folder = written.get(name);
    if (typeof folder === 'string' && isPlainPath(folder)) layout[kind] = folder.replace(/\/+$/, '');
  }
  const folders = Object.values(layout).map((folder) => folder.toLowerCase());
  return new Set(folders).size === folders.length ? layout : undefined;
}

function isPlainPath(folder: string): boolean {
  const names = folder.replace(/\/+$/, '').split('/');
  return names.every(
    (name) => /^[A-Za-z0-9_][A-Za-z0-9_. -]*$/.test(name) && !/[. ]$/.test(name) && !/^\.+$/.test(name),
  );
}
