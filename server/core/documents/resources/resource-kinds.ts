import { AlertProfileCreate, AlertTemplateCreate } from '../../resources/alert-profile.ts';
import { ExceptionConstraint, ExceptionCreate } from '../../resources/exception.ts';
import { PolicyCreate, PolicyRecord } from '../../resources/policy.ts';
import { QueryCreate, QueryRecord, QueryUpdate } from '../../resources/query.ts';

/** The kinds of objects that people keep in files. */
export type ResourceKind = 'query' | 'policy' | 'alertProfile' | 'exception';

/** What the resource schemas say about a value, read from their JSON Schema form. */
export interface FieldSchema {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly deprecated?: boolean | undefined;
  readonly default?: unknown | undefined;
  readonly minimum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly items?: FieldSchema | undefined;
  readonly properties?: Readonly<Record<string, FieldSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: unknown | undefined;
}

export interface ResourceDefinition {
  readonly kind: ResourceKind;
  /** What people call it, with its article. */
  readonly word: string;
  /** Fields people write. */
  readonly fields: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  /** Fields the service fills in: harmless in a file, and without effect. */
  readonly serviceFields: ReadonlySet<string>;
}

const query = jsonSchema(QueryCreate);
const queryChanges = jsonSchema(QueryUpdate);
const policy = jsonSchema(PolicyCreate);
const profile = jsonSchema(AlertProfileCreate);
const exception = jsonSchema(ExceptionCreate);

/** Fields of older files and of the vendor's own tools, which the service takes and ignores. */
const tolerated: FieldSchema = {
  description: 'Needed by the service years ago, ignored today.',
  deprecated: true,
};

const servicePart = ['owner', 'lastUpdateTime', 'lastUpdateUser', 'resultSchema'];

export const resourceDefinitions: Readonly<Record<ResourceKind, ResourceDefinition>> = {
  query: {
    kind: 'query',
    word: 'a query',
    fields: {
      ...query.properties,
      queryName: queryChanges.properties?.['queryName'] ?? {},
      description: queryChanges.properties?.['description'] ?? {},
      queryLanguage: { type: 'string', description: 'Language of the text; LQL when absent.' },
      usageContext: { type: 'string', description: 'Where the query is meant to be used.' },
      evaluatorId: tolerated,
    },
    required: query.required ?? [],
    serviceFields: new Set([...servicePart, ...keysOf(jsonSchema(QueryRecord))]),
  },
  policy: {
    kind: 'policy',
    word: 'a policy',
    fields: {
      ...policy.properties,
      queryText: { type: 'string', description: 'The query itself, for a policy that brings its own.' },
      policyUi: { type: 'object', description: 'Where the console lists the policy.' },
      evaluatorId: tolerated,
    },
    required: (policy.required ?? []).filter((field) => field !== 'queryId'),
    serviceFields: new Set([...servicePart, ...keysOf(jsonSchema(PolicyRecord))]),
  },
  alertProfile: {
    kind: 'alertProfile',
    word: 'an alert profile',
    fields: { ...profile.properties, alerts: { type: 'array', items: jsonSchema(AlertTemplateCreate) } },
    required: profile.required ?? [],
    serviceFields: new Set(['fields', 'descriptionKeys', ...servicePart]),
  },
  exception: {
    kind: 'exception',
    word: 'a policy exception',
    fields: {
      ...exception.properties,
      policyId: { type: 'string', minLength: 1, description: 'Id of the policy that the exception belongs to.' },
      name: {
        type: 'string',
        minLength: 1,
        description: 'How files call the exception, where several stand in one file; the service does not see it.',
      },
      constraints: { type: 'array', items: jsonSchema(ExceptionConstraint) },
    },
    required: [...(exception.required ?? []), 'policyId'],
    serviceFields: new Set(['exceptionId', ...servicePart]),
  },
};

/** Keys under which files hold lists of objects. */
export const wrapperKeys: ReadonlyMap<string, ResourceKind> = new Map([
  ['queries', 'query'],
  ['policies', 'policy'],
  ['alertProfiles', 'alertProfile'],
  ['exceptions', 'exception'],
]);

/** Fields of the entries below these keys. */
export const nestedFields: ReadonlyMap<string, Readonly<Record<string, FieldSchema>>> = new Map([
  ['alerts', jsonSchema(AlertTemplateCreate).properties ?? {}],
  ['constraints', jsonSchema(ExceptionConstraint).properties ?? {}],
]);

const policyMarks = ['title', 'severity', 'alertEnabled', 'remediation', 'enabled'];

/** The kind of object that a map with these keys is; undefined when it could be anything else in the world. */
export function kindOfKeys(keys: ReadonlySet<string>): ResourceKind | undefined {
  if (keys.has('alertProfileId') && (keys.has('extends') || keys.has('alerts'))) return 'alertProfile';
  const marks = policyMarks.filter((mark) => keys.has(mark)).length;
  if (marks >= 2 && (keys.has('queryId') || keys.has('queryText') || keys.has('policyType'))) return 'policy';
  if (keys.has('queryText') && (keys.has('queryId') || isQueryWithoutId(keys))) return 'query';
  if (keys.has('constraints') && keys.has('policyId')) return 'exception';
  return undefined;
}

/** Whether a text without an id is surely a query: other languages go by the same key. */
export function looksLikeQuery(text: unknown): boolean {
  return typeof text === 'string' && /\bsource\s*\{/i.test(text) && /\breturn\b/i.test(text);
}

/** A text with nothing but what belongs to queries around it. */
function isQueryWithoutId(keys: ReadonlySet<string>): boolean {
  const { fields, serviceFields } = resourceDefinitions.query;
  for (const key of keys) if (!Object.hasOwn(fields, key) && !serviceFields.has(key)) return false;
  return true;
}

/** The resource schemas are plain JSON Schema values; their static types say what they describe, not what they look like. */
function jsonSchema(schema: object): FieldSchema {
  return schema as FieldSchema;
}

function keysOf(schema: FieldSchema): string[] {
  return Object.keys(schema.properties ?? {});
}
