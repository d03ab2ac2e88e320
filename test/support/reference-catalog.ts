import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DatasourceRecord } from '../../server/core/resources/index.ts';
import { repoRoot } from '../harness/paths.ts';

/** Where the reference material lies; undefined when it is absent. */
export function findReferenceFile(name: string): string | undefined {
  const shared = process.env['LQL_SHARED'] ?? path.join(repoRoot, '..', 'shared');
  const file = path.join(shared, 'reference', name);
  return existsSync(file) ? file : undefined;
}

type ReferenceField = readonly [name: string, type: string];

interface ReferenceSchema {
  readonly fields: readonly ReferenceField[];
  readonly alsoSeen?: readonly { readonly name: string; readonly type: string }[];
}

interface ReferenceEntry {
  readonly schema?: string;
  readonly fields?: readonly ReferenceField[];
  readonly service?: string;
  readonly alsoSeen?: readonly { readonly name: string; readonly type: string }[];
  /** Set where the columns were gathered from use: some are known, the schema is not. */
  readonly inferred?: boolean;
}

interface ReferenceRelationship {
  readonly from: string;
  readonly to: string;
  readonly name: string;
  readonly cardinality: string;
  readonly description: string | null;
}

/**
 * The documented datasources as an answer of `GET /api/v2/Datasources`: about 2,300 with columns, and the publicly known
 * relationships. Undefined when the reference files are absent.
 */
export function readReferenceDatasources(): { readonly data: readonly DatasourceRecord[] } | undefined {
  const datasourcesFile = findReferenceFile('datasources.json');
  const relationshipsFile = findReferenceFile('relationships.json');
  if (datasourcesFile === undefined || relationshipsFile === undefined) return undefined;
  const reference = JSON.parse(readFileSync(datasourcesFile, 'utf8')) as {
    readonly schemas: Readonly<Record<string, ReferenceSchema>>;
    readonly datasources: Readonly<Record<string, ReferenceEntry>>;
  };
  const relationships = JSON.parse(readFileSync(relationshipsFile, 'utf8')) as readonly ReferenceRelationship[];
  const data = Object.entries(reference.datasources).map(([name, entry]): DatasourceRecord => {
    const schema = entry.schema === undefined ? undefined : reference.schemas[entry.schema];
    const fields: ReferenceField[] = entry.inferred === true ? [] : [...(entry.fields ?? schema?.fields ?? [])];
    // A family without documented columns stays unknown: what was merely seen somewhere is not its whole schema.
    if (fields.length > 0)
      for (const seen of [...(schema?.alsoSeen ?? []), ...(entry.alsoSeen ?? [])]) fields.push([seen.name, seen.type]);
    return {
      name,
      description: entry.service ?? null,
      resultSchema: fields.map(([fieldName, dataType]) => ({ name: fieldName, dataType })),
      sourceRelationships: relationships
        .filter((relationship) => relationship.from === name)
        .filter((relationship, i, all) => all.findIndex((other) => other.to === relationship.to) === i)
        .map((relationship) => ({
          name: '(default)',
          from: relationship.from,
          to: relationship.to,
          toCardinality: cardinalityOf(relationship.cardinality),
          description: relationship.description,
        })),
    };
  });
  return { data };
}

function cardinalityOf(text: string): string | null {
  if (text.startsWith('ONE')) return 'ONE';
  if (text.startsWith('MANY')) return 'MANY';
  return text.includes('ONE implied') ? 'ONE' : null;
}
