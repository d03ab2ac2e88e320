import type { JsonObject, Value } from '../language/values/value.ts';
import { canonicalText } from './normalise.ts';

/** One call that changes one template of an alert profile. */
export type TemplateStep =
  | { readonly action: 'create' | 'update'; readonly name: string; readonly template: JsonObject }
  | { readonly action: 'delete'; readonly name: string };

/** The calls that turn the templates `before` into `after`: changes first, so that a policy never names a template that is gone too early. */
export function templateSteps(before: Value, after: Value): TemplateStep[] {
  const old = byName(before);
  const wanted = byName(after);
  const steps: TemplateStep[] = [];
  for (const [name, template] of wanted) {
    const existing = old.get(name);
    if (!existing) steps.push({ action: 'create', name, template });
    else if (canonicalText(existing) !== canonicalText(template)) steps.push({ action: 'update', name, template });
  }
  for (const name of old.keys()) if (!wanted.has(name)) steps.push({ action: 'delete', name });
  return steps;
}

function byName(templates: Value): ReadonlyMap<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  if (!Array.isArray(templates)) return named;
  for (const template of templates as readonly Value[]) {
    if (typeof template !== 'object' || template === null || Array.isArray(template)) continue;
    const object = template as JsonObject;
    if (typeof object['name'] === 'string') named.set(object['name'], object);
  }
  return named;
}
