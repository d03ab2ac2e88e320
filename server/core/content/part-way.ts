import type { JsonObject, Value } from '../language/values/value.ts';
import type { RemoteObject } from './content-object.ts';
import { canonicalText, fieldMeaning } from './normalise.ts';
import type { Operation } from './plan.ts';
import { templateSteps } from './template-steps.ts';

/** What the next call of an operation does alone: some operations take several calls, with a look at the account between them. */
export function stepOf(operation: Operation): Operation {
  const { kind, action, desired, templates } = operation;
  const [first] = templates;
  if (kind === 'alertProfile' && action === 'update' && first) return { ...operation, templates: [first] };
  // The service takes the text of a new query; its name and description only of one that is there.
  if (kind === 'query' && action === 'create' && desired)
    return { ...operation, desired: { ...desired, fields: { queryText: desired.fields['queryText'] } } };
  return operation;
}

/**
 * Some operations take several calls. When one was begun and the account shows what exactly its first calls leave behind, this is the
 * operation that does the rest; undefined when the account shows anything else, which then is somebody's own change.
 */
export function restOf(operation: Operation, now: RemoteObject | undefined): Operation | undefined {
  const { kind, action, desired, before } = operation;
  if (!desired || !now) return undefined;
  if (kind === 'alertProfile' && action === 'update') {
    const shown = canonicalText(sorted(now.fields['alerts']));
    let alerts = listOf(before?.fields['alerts']);
    for (const step of operation.templates) {
      alerts = alerts.filter((template) => template['name'] !== step.name);
      if (step.action !== 'delete') alerts = [...alerts, step.template];
      if (canonicalText(sorted(alerts)) !== shown) continue;
      return { ...operation, before: now, templates: templateSteps(now.fields['alerts'], desired.fields['alerts']) };
    }
    return undefined;
  }
  if (kind === 'query' && action === 'create') {
    const text = (object: { readonly fields: JsonObject }): string =>
      canonicalText(fieldMeaning(kind, 'queryText', object.fields));
    const bare = now.fields['queryName'] === undefined && now.fields['description'] === undefined;
    return bare && text(now) === text(desired) ? { ...operation, action: 'update', before: now } : undefined;
  }
  return undefined;
}

function listOf(value: Value): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonObject[]) : [];
}

function sorted(value: Value | readonly JsonObject[]): Value {
  return [...listOf(value as Value)].sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
}
