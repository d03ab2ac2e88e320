import { nearestNames } from '../../language/catalog/nearest.ts';
import { type ResourceCode, resourceCodes } from '../../language/diagnostics/codes/resource-codes.ts';
import { type Diagnostic, type Fix, keepGravest } from '../../language/diagnostics/diagnostic.ts';
import type { TextRange } from '../../text/range.ts';
import { checkIds, idFields } from './check-ids.ts';
import { type PlacedEntry, type PlacedMap, type PlacedValue, readPlacedValues } from './placed-value.ts';
import {
  type FieldSchema,
  kindOfKeys,
  looksLikeQuery,
  type ResourceDefinition,
  type ResourceKind,
  resourceDefinitions,
  wrapperKeys,
} from './resource-kinds.ts';
import { whyUnreadable } from './unreadable.ts';

/** One authored object of a document. */
export interface PlacedResource {
  readonly kind: ResourceKind;
  readonly map: PlacedMap;
}

/**
 * The queries, policies, alert profiles and exceptions of a YAML or JSON document: at its top, in a list at its top, or below
 * `queries`, `policies`, `alertProfiles`, `exceptions`. Maps that are not surely one of them are left alone.
 */
export function findResources(document: string): readonly PlacedResource[] {
  if (last?.document === document) return last.found;
  const found = marks.test(document) ? readResources(document) : [];
  last = { document, found };
  return found;
}

/** Without one of these there is no object: most documents are not read at all. */
const marks = /\b(?:queryText|queryId|policyId|policyType|alertProfileId)\b/;

/** Checking, completion, hover and index ask about the same text in turn. */
let last: { readonly document: string; readonly found: readonly PlacedResource[] } | undefined;

function readResources(document: string): readonly PlacedResource[] {
  const found: PlacedResource[] = [];
  const look = (value: PlacedValue): void => {
    if (value.kind !== 'map') return;
    const kind = kindOfKeys(new Set(value.entries.map(({ key }) => key)));
    if (kind !== undefined && (kind !== 'query' || isQuery(value))) {
      found.push({ kind, map: value });
      return;
    }
    for (const { key, value: list } of value.entries) {
      if (wrapperKeys.has(key) && list.kind === 'list') for (const item of list.items) look(item);
    }
  };
  for (const value of readPlacedValues(document) ?? []) {
    if (value.kind === 'list') for (const item of value.items) look(item);
    else look(value);
  }
  return found;
}

/** Without an id, only a text makes a query of it. */
function isQuery({ entries }: PlacedMap): boolean {
  if (entries.some(({ key }) => key === 'queryId')) return true;
  const text = entries.find(({ key }) => key === 'queryText')?.value;
  return text?.kind === 'scalar' && looksLikeQuery(text.value);
}

/**
 * What is wrong with the authored objects of a document, by the schemas of the service: keys that would vanish silently, values of a
 * wrong type or outside of their list, what is missing, and ids that no account takes. Ranges and edits are of the document itself. JSON with comments
 * is left alone: read as YAML, it would mean something else. A file that cannot be read has that one finding. With the vendor's abbreviation,
 * ids that it keeps for itself are found, too.
 */
export function checkResources(
  document: string,
  form: 'yaml' | 'json' = 'yaml',
  vendorPrefix?: string,
): readonly Diagnostic[] {
  const unreadable = whyUnreadable(document, form);
  if (unreadable) {
    const message = `The file cannot be read: ${unreadable.message} Until it can, nothing of it is deployed and nothing is pulled into it.`;
    return [finding('unreadable-file', unreadable.range, message)];
  }
  if (form === 'json' && !isJson(document)) return [];
  const diagnostics: Diagnostic[] = [];
  const resources = findResources(document);
  for (const { kind, map } of resources) checkObject(map, resourceDefinitions[kind], diagnostics);
  for (const { code, range, message, fixes } of checkIds(resources, vendorPrefix))
    diagnostics.push({ ...finding(code, range, message), fixes });
  return keepGravest(diagnostics);
}

function isJson(document: string): boolean {
  try {
    JSON.parse(document);
    return true;
  } catch {
    return false;
  }
}

function checkObject(map: PlacedMap, definition: ResourceDefinition, into: Diagnostic[]): void {
  const { fields, serviceFields, word, kind } = definition;
  for (const entry of map.entries) {
    // An empty id is a missing one.
    if (entry.key === idFields[kind] && isEmptyText(entry.value)) continue;
    const schema = fields[entry.key];
    if (schema !== undefined && Object.hasOwn(fields, entry.key)) checkField(entry, schema, into);
    else if (serviceFields.has(entry.key)) {
      const message = `"${entry.key}" is set by the service. In a file it has no effect.`;
      into.push({ ...finding('service-field', entry.keyRange, message), tags: ['unnecessary'] });
    } else into.push(unknownField(entry, map, Object.keys(fields), word));
  }
  // A missing id is no refusal but a choice to be made; it has a code of its own.
  const required = definition.required.filter((field) => field !== idFields[definition.kind]);
  reportMissing(map, required, fields, word, into);
}

function isEmptyText(value: PlacedValue): boolean {
  return value.kind === 'scalar' && (value.value === null || value.value === '');
}

function checkField({ key, keyRange, value }: PlacedEntry, schema: FieldSchema, into: Diagnostic[]): void {
  if (schema.deprecated === true) {
    const message = `"${key}" is deprecated. ${schema.description ?? ''}`.trim();
    into.push({ ...finding('deprecated-field', keyRange, message), tags: ['deprecated'] });
  }
  checkValue(key, value, schema, into);
}

function checkValue(key: string, value: PlacedValue, schema: FieldSchema, into: Diagnostic[]): void {
  if (value.kind === 'unknown') return;
  if (schema.enum !== undefined) {
    checkChoice(key, value, schema.enum.map(String), into);
    return;
  }
  const expected = schema.type;
  const actual = typeOf(value);
  if (expected !== undefined && expected !== actual) {
    into.push(wrongType(key, value, expected, actual, schema));
    return;
  }
  if (value.kind === 'list') {
    if (value.items.length < (schema.minItems ?? 0))
      into.push(finding('wrong-field-value', value.range, `"${key}" needs at least ${schema.minItems} entry.`));
    if (schema.items !== undefined) for (const item of value.items) checkItem(key, item, schema.items, into);
  } else if (value.kind === 'scalar') checkLimits(key, value.value, value.range, schema, into);
}

function checkItem(key: string, item: PlacedValue, schema: FieldSchema, into: Diagnostic[]): void {
  if (schema.properties === undefined || item.kind !== 'map') {
    checkValue(key, item, schema, into);
    return;
  }
  const fields = schema.properties;
  for (const entry of item.entries) {
    const field = Object.hasOwn(fields, entry.key) ? fields[entry.key] : undefined;
    if (field !== undefined) checkField(entry, field, into);
    else if (schema.additionalProperties === false)
      into.push(unknownField(entry, item, Object.keys(fields), `an entry of "${key}"`));
  }
  reportMissing(item, schema.required ?? [], fields, `an entry of "${key}"`, into);
}

function checkLimits(key: string, value: unknown, range: TextRange, schema: FieldSchema, into: Diagnostic[]): void {
  if (typeof value === 'string') {
    if (value.trim() === '' && (schema.minLength ?? 0) > 0)
      into.push(finding('wrong-field-value', range, `"${key}" is empty. The service refuses that: write a text.`));
    if (schema.maxLength !== undefined && value.length > schema.maxLength)
      into.push(
        finding(
          'wrong-field-value',
          range,
          `"${key}" has ${value.length} characters; the service takes ${schema.maxLength}.`,
        ),
      );
  }
  if (typeof value === 'number' && schema.minimum !== undefined && value < schema.minimum)
    into.push(finding('wrong-field-value', range, `"${key}" is ${value}; the smallest value is ${schema.minimum}.`));
}

function checkChoice(key: string, value: PlacedValue, choices: readonly string[], into: Diagnostic[]): void {
  const text = value.kind === 'scalar' ? String(value.value) : undefined;
  if (text !== undefined && choices.includes(text)) return;
  const near = text === undefined ? undefined : nearestNames(text, choices)[0];
  const list = choices.join(', ');
  const message = `"${key}" is one of ${list}${near === undefined ? '.' : `. Did you mean "${near}"?`}`;
  const fixes =
    near !== undefined && value.kind === 'scalar' && value.isPlain
      ? [replace(`Change to ${near}`, value.range, near, true)]
      : [];
  into.push({ ...finding('unknown-field-value', value.range, message), fixes });
}

function unknownField(
  { key, keyRange }: PlacedEntry,
  map: PlacedMap,
  known: readonly string[],
  word: string,
): Diagnostic {
  const present = new Set(map.entries.map((entry) => entry.key));
  const near = nearestNames(
    key,
    known.filter((name) => !present.has(name)),
  );
  const question = near[0] === undefined ? '' : ` Did you mean "${near[0]}"?`;
  const message = `"${key}" is no field of ${word}. The vendor's tools drop it silently, and the service refuses it.${question}`;
  const fixes = near.map((name, i) => replace(`Change to "${name}"`, keyRange, name, i === 0 && near.length === 1));
  return { ...finding('unknown-field', keyRange, message), fixes };
}

function reportMissing(
  map: PlacedMap,
  required: readonly string[],
  fields: Readonly<Record<string, FieldSchema>>,
  word: string,
  into: Diagnostic[],
): void {
  if (!map.isComplete) return;
  const present = new Set(map.entries.map(({ key }) => key));
  const missing = required.filter((field) => !present.has(field));
  if (missing.length === 0) return;
  const [first] = map.entries;
  const list = missing.map((field) => `"${field}"`).join(', ');
  into.push({
    ...finding(
      'missing-field',
      first?.keyRange ?? map.range,
      `${capital(word)} needs ${list}. Without ${missing.length === 1 ? 'it' : 'them'} the service refuses it.`,
    ),
    fixes: addFields(map, missing, fields),
  });
}

/** Puts the missing fields below the others, in block style only: in flow style there is no telling where a person wants them. */
function addFields(
  map: PlacedMap,
  missing: readonly string[],
  fields: Readonly<Record<string, FieldSchema>>,
): readonly Fix[] {
  const first = map.entries[0];
  if (map.indent === undefined || first === undefined) return [];
  const pad = ' '.repeat(map.indent);
  const at = { start: first.keyRange.start, end: first.keyRange.start };
  const lines = missing.map((field) => `${field}: ${placeholder(fields[field])}\n${pad}`).join('');
  return [{ title: `Add ${missing.join(', ')}`, edits: [{ range: at, newText: lines }], safe: false }];
}

function placeholder(schema: FieldSchema | undefined): string {
  if (schema?.default !== undefined) return String(schema.default);
  if (schema?.enum !== undefined) return String(schema.enum[Math.floor(schema.enum.length / 2)]);
  if (schema?.type === 'boolean') return 'true';
  if (schema?.type === 'number') return '1';
  if (schema?.type === 'array') return '[]';
  return '""';
}

function wrongType(key: string, value: PlacedValue, expected: string, actual: string, schema: FieldSchema): Diagnostic {
  const message =
    `"${key}" is ${typeWords[expected] ?? expected}, and this is ${typeWords[actual] ?? actual}. ${schema.description ?? ''}`.trim();
  const fixes: Fix[] = [];
  if (value.kind === 'scalar' && typeof value.value === 'string') {
    const lower = value.value.toLowerCase();
    const isBoolean = expected === 'boolean' && (lower === 'true' || lower === 'false');
    const isNumber = expected === 'number' && /^\d+$/.test(lower);
    if (isBoolean || isNumber) fixes.push(replace(`Write ${lower} without quotes`, value.range, lower, true));
  }
  if (expected === 'string' && value.kind === 'scalar' && value.isPlain && value.value !== null)
    fixes.push(replace('Put it in quotes', value.range, `"${String(value.value)}"`, true));
  return { ...finding('wrong-field-type', value.range, message), fixes };
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'nothing',
};

function typeOf(value: PlacedValue): string {
  if (value.kind === 'map') return 'object';
  if (value.kind === 'list') return 'array';
  if (value.kind === 'scalar') return value.value === null ? 'null' : typeof value.value;
  return 'unknown';
}

function finding(code: ResourceCode, range: TextRange, message: string): Diagnostic {
  return { code, severity: resourceCodes[code].severity, range, message, fixes: [] };
}

function replace(title: string, range: TextRange, newText: string, safe: boolean): Fix {
  return { title, edits: [{ range, newText }], safe };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
