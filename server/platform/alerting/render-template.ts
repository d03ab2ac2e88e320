import { jsonText } from '../../core/language/values/json.ts';
import type { Value } from '../../core/language/values/value.ts';

/** The text of a template with every `{{KEY}}` replaced by its value; a key without a value becomes empty. */
export function renderTemplate(text: string, values: { readonly [key: string]: Value }): string {
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
    const key = name.trim();
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : jsonText(value);
  });
}
