import { type Static, Type } from 'typebox';
import { closedObject } from './shapes.ts';

/** Comparison operators of a search filter; `expr` is reserved by the service and never sent. */
export const filterExpressions = [
  'eq',
  'ne',
  'in',
  'not_in',
  'like',
  'not_like',
  'ilike',
  'not_ilike',
  'rlike',
  'not_rlike',
  'gt',
  'lt',
  'ge',
  'le',
  'between',
  'expr',
] as const;
export type FilterExpression = (typeof filterExpressions)[number];

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

export const SearchFilter = closedObject({
  field: Type.String({
    minLength: 1,
    description: 'Name of a field; nested ones by dots, special names in double quotes.',
  }),
  expression: Type.Enum(filterExpressions),
  value: Type.Optional(scalar),
  values: Type.Optional(Type.Array(scalar)),
});
export type SearchFilter = Static<typeof SearchFilter>;

const TimeFilter = closedObject({
  startTime: Type.Optional(Type.String()),
  endTime: Type.Optional(Type.String({ description: 'The current time when left out.' })),
});
export type TimeFilter = Static<typeof TimeFilter>;

const filters = Type.Optional(
  Type.Array(SearchFilter, { description: 'A record is returned when it satisfies all of them.' }),
);
const returns = Type.Optional(
  Type.Array(Type.String({ minLength: 1 }), { description: 'Top-level fields to return.' }),
);

/** The body of searches over a time range. */
export const TimedSearch = closedObject({ timeFilter: Type.Optional(TimeFilter), filters, returns });
export type TimedSearch = Static<typeof TimedSearch>;

/** The body of searches over things that just exist (integrations, agent access tokens). */
export const PlainSearch = closedObject({ filters, returns });
export type PlainSearch = Static<typeof PlainSearch>;

/** The body of the public searches of queries, policies and datasources. */
export const FilterSearch = closedObject({ filters });
export type FilterSearch = Static<typeof FilterSearch>;

export const complianceDatasets = ['AwsCompliance', 'AzureCompliance', 'GcpCompliance', 'K8sCompliance'] as const;
export const ComplianceSearch = closedObject({
  timeFilter: Type.Optional(TimeFilter),
  filters,
  returns,
  dataset: Type.Enum(complianceDatasets),
});
export type ComplianceSearch = Static<typeof ComplianceSearch>;

export const cloudProviders = ['AWS', 'Azure', 'GCP'] as const;
export const inventoryDatasets = ['AwsCompliance', 'GcpCompliance'] as const;
/** One of `csp` and the deprecated `dataset` is required. */
export const InventorySearch = closedObject({
  timeFilter: Type.Optional(TimeFilter),
  filters,
  returns,
  csp: Type.Optional(Type.Enum(cloudProviders)),
  dataset: Type.Optional(Type.Enum(inventoryDatasets, { deprecated: true })),
});
export type InventorySearch = Static<typeof InventorySearch>;

/** Days one search may span where the service says so, and days it spans by default. */
export const maxSearchDays = 7;
export const defaultSearchDays = 1;
/** Rows in one page, and over all pages of one result. */
export const maxPageRows = 5_000;
export const maxResultRows = 500_000;

const listExpressions: ReadonlySet<FilterExpression> = new Set(['in', 'not_in', 'between']);

/**
 * What the service would refuse about a filter, said before it is sent: the operand belongs in `value` or in `values`, `between` needs two
 * ordered bounds, `expr` is reserved. Undefined when the filter is fine.
 */
export function filterProblem(filter: SearchFilter): string | undefined {
  const { field, expression, value, values } = filter;
  if (expression === 'expr')
    return `The filter on '${field}' uses 'expr', which the service reserves. Choose another operator.`;
  if (listExpressions.has(expression)) {
    if (value !== undefined) return `The filter on '${field}' uses '${expression}', which takes 'values', not 'value'.`;
    if (values === undefined || values.length === 0) {
      return `The filter on '${field}' uses '${expression}' and needs at least one entry in 'values'.`;
    }
    if (expression === 'between') return betweenProblem(field, values);
    return undefined;
  }
  if (values !== undefined) return `The filter on '${field}' uses '${expression}', which takes 'value', not 'values'.`;
  if (value === undefined) return `The filter on '${field}' uses '${expression}' and needs a 'value'.`;
  return undefined;
}

/**
 * A dotted field name out of its parts, quoted as the service wants it: a part with a dot, colon or slash stands in double quotes, with the
 * slash escaped. `['tags', 'aws:name']` gives `tags."aws:name"`.
 */
export function filterField(parts: readonly string[]): string {
  return parts.map((part) => (/[.:/]/.test(part) ? `"${part.replaceAll('/', '\\/')}"` : part)).join('.');
}

function betweenProblem(field: string, values: readonly (string | number | boolean)[]): string | undefined {
  const [low, high] = values;
  if (values.length !== 2 || low === undefined || high === undefined) {
    return `The filter on '${field}' uses 'between' and needs exactly two 'values': the lower and the upper bound.`;
  }
  const [lowNumber, highNumber] = [Number(low), Number(high)];
  const numeric = low !== '' && high !== '' && !Number.isNaN(lowNumber) && !Number.isNaN(highNumber);
  const ordered = numeric ? lowNumber < highNumber : String(low) < String(high);
  return ordered ? undefined : `The upper bound of 'between' on '${field}' must be larger than the lower one.`;
}
