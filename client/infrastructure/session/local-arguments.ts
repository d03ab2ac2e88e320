import { parseStrings, type Setting } from '../setting.ts';

/** Further arguments decide what a process is started with: they come from the user's own settings alone. */
export const localArgumentsSetting: Setting<readonly string[]> = {
  key: 'lql.localPlatform.arguments',
  fallback: [],
  parse: parseStrings,
  userOnly: true,
};

/** The vendor prefix that such arguments give the platform: its headers are named by it. Undefined when they give none. */
export function vendorPrefixIn(list: readonly string[]): string | undefined {
  const name = '--vendor-prefix';
  for (const [index, argument] of list.entries()) {
    if (argument === name) return list[index + 1];
    if (argument.startsWith(`${name}=`)) return argument.slice(name.length + 1);
  }
  return undefined;
}
