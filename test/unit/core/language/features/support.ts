import { functions } from '../../../../../server/core/language/catalog/functions/index.ts';
import type { AnalyzedText } from '../../../../../server/core/language/features/analyzed-text.ts';
import { complete } from '../../../../../server/core/language/features/completion/complete.ts';
import type { CompletionResult } from '../../../../../server/core/language/features/completion/completion-item.ts';
import type { Catalog } from '../../../../../server/core/language/language-service.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { catalogFromDatasources, withSchemas } from '../../../../../server/core/resources/catalog-from-datasources.ts';
import { parseMarkers } from '../../../../harness/markers.ts';

/** An answer of `GET /api/v2/Datasources` that the tests of editor features stand on. */
export const datasourcesAnswer = {
  data: [
    {
      name: 'CFG_BUCKETS',
      description: 'Storage buckets [of](javascript:1) <b>all</b> accounts',
      resultSchema: [
        { name: 'ACCOUNT_ID', dataType: 'String', description: 'Owner of the bucket' },
        { name: 'ARN', dataType: 'String' },
        { name: 'CREATED', dataType: 'Timestamp' },
        { name: 'RESOURCE_CONFIG', dataType: 'JSON' },
      ],
      sourceRelationships: [
        {
          name: '(default)',
          from: 'CFG_BUCKETS',
          to: 'CFG_KEYS',
          toCardinality: 'ONE',
          description: 'Key of the bucket',
        },
        { name: 'grants', from: 'CFG_BUCKETS', to: 'CFG_GRANTS', toCardinality: 'MANY' },
      ],
    },
    {
      name: 'CFG_KEYS',
      description: 'Encryption keys',
      resultSchema: [
        { name: 'ACCOUNT_ID', dataType: 'String' },
        { name: 'KEY_ID', dataType: 'String' },
        { name: 'ROTATION', dataType: 'Boolean' },
      ],
    },
    { name: 'CFG_GRANTS', resultSchema: [{ name: 'GRANTEE', dataType: 'String' }] },
    { name: 'HE_FILES', description: 'Files on hosts' },
    {
      name: 'AuditEvents',
      resultSchema: [
        { name: 'INSERT_ID', dataType: 'Number' },
        { name: 'EVENT', dataType: 'JSON' },
      ],
    },
  ],
};

export const catalog: Catalog = withSchemas(
  catalogFromDatasources(datasourcesAnswer, { origin: 'account', vendorPrefix: 'SVC' }),
  {},
);

/** `catalog`, in which the columns of the host files came from a schema that also lists keys. */
export const catalogWithSchemas: Catalog = withSchemas(catalog, {
  HE_FILES: [
    { name: 'PATH', type: 'string', description: 'Full path' },
    {
      name: 'META',
      type: 'json',
      description: undefined,
      properties: [
        { name: 'owner', type: 'string', description: 'Name of the owner' },
        { name: 'type', type: 'string', description: undefined },
        {
          name: 'acl',
          type: 'json',
          description: undefined,
          properties: [{ name: 'mode', type: 'number', description: undefined }],
        },
      ],
    },
  ],
});

export interface Marked {
  readonly query: AnalyzedText;
  readonly offset: number;
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** Parses and binds a text with markers. Lint is left out: features read syntax and binding. */
export function analyzeMarked(marked: string, using: Catalog | 'none' = catalog): Marked {
  const { text, cursors, ranges } = parseMarkers(marked);
  const parsed = parse(text);
  const settings = { catalog: using === 'none' ? undefined : using, vendorPrefix: 'SVC' };
  const model = analyze(parsed, settings);
  const diagnostics = [...parsed.diagnostics, ...model.diagnostics];
  return { query: { text, parsed, model, diagnostics, ...settings, lintOptions: {} }, offset: cursors[0] ?? 0, ranges };
}

export function completeMarked(
  marked: string,
  using: Catalog | 'none' = catalog,
  keysElsewhere: (place: string) => ReadonlyMap<string, number> = () => new Map(),
): CompletionResult {
  const { query, offset } = analyzeMarked(marked, using);
  return complete(query, offset, { functions, keysElsewhere, snippets: true });
}

export function labels(result: CompletionResult, kind?: string): string[] {
  return result.items.filter((item) => kind === undefined || item.kind === kind).map((item) => item.label);
}
