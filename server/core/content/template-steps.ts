import { isJsonObject } from '../language/values/json.ts';
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

/** The templates that are there once steps were made, in the order of their names, as all templates are compared. */
export function withSteps(templates: Value, steps: readonly TemplateStep[]): readonly JsonObject[] {
  const named = new Map(byName(templates));
  for (const step of steps) {
    if (step.action === 'delete') named.delete(step.name);
    else named.set(step.name, step.template);
  }
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, template]) => template);
}

function byName(templates: Value): ReadonlyMap<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  if (!Array.isArray(templates)) return named;
  for (const template of templates as readonly Value[]) {
    if (isJsonObject(template) && typeof template['name'] === 'string') named.set(template['name'], template);
  }
  return named;
}
