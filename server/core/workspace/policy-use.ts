import type { Region } from '../documents/region.ts';
import type { PlacedResource } from '../documents/resources/check-resources.ts';
import type { PlacedMap, PlacedValue } from '../documents/resources/placed-value.ts';
import { contains } from '../text/range.ts';

/** What the policies that run a query demand of it on top of what every query must be. */
export interface PolicyDemand {
  /** Result columns that the texts of their alerts name. */
  readonly alertColumns: readonly string[];
}

/** What one document says of policies: which queries they run, and what their alerts read. */
export interface PolicyFacts {
  /** The alert profile, with its template behind a dot, of each policy, by the query it runs. */
  readonly uses: readonly { readonly queryId: string; readonly alertProfile: string | undefined }[];
  /** Columns that a template reads, by `profile.template`. */
  readonly alertColumns: ReadonlyMap<string, readonly string[]>;
}

export function policyFactsOf(resources: readonly PlacedResource[]): PolicyFacts {
  const uses: { queryId: string; alertProfile: string | undefined }[] = [];
  const alertColumns = new Map<string, readonly string[]>();
  for (const { kind, map } of resources) {
    if (kind === 'policy') {
      const queryId = textOf(map, 'queryId');
      if (queryId !== undefined) uses.push({ queryId, alertProfile: textOf(map, 'alertProfile') });
    }
    const profile = kind === 'alertProfile' ? textOf(map, 'alertProfileId') : undefined;
    const alerts = fieldOf(map, 'alerts');
    if (profile === undefined || alerts?.kind !== 'list') continue;
    for (const alert of alerts.items) {
      const name = alert.kind === 'map' ? textOf(alert, 'name') : undefined;
      if (alert.kind === 'map' && name !== undefined) alertColumns.set(`${profile}.${name}`, columnsRead(alert));
    }
  }
  return { uses, alertColumns };
}

/** Names between double braces; those that begin with an underscore are the service's own. */
function columnsRead(alert: PlacedMap): readonly string[] {
  const texts = ['eventName', 'description', 'subject'].map((field) => textOf(alert, field) ?? '');
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\{\{\s*([A-Za-z]\w*)\s*\}\}/g)].map((match) => match[1] ?? ''),
  );
  return [...new Set(names)];
}

/** What all documents of a workspace say of policies. */
export interface PolicyIndex {
  /** Replaces what is known of a document; undefined when it is gone. */
  set(uri: string, facts: PolicyFacts | undefined): void;
  /** Undefined for a query that no policy runs. */
  demandOf(queryId: string): PolicyDemand | undefined;
  /** The same for a query that stands inside of a policy, which brings its own text. */
  demandAt(region: Region, resources: readonly PlacedResource[]): PolicyDemand | undefined;
  /** Another text whenever a query may have to be checked anew. */
  fingerprint(): string;
}

export function createPolicyIndex(): PolicyIndex {
  const byDocument = new Map<string, PolicyFacts>();
  let fingerprint: string | undefined;
  const columnsOf = (alertProfile: string | undefined): string[] => {
    const columns: string[] = [];
    if (alertProfile === undefined) return columns;
    for (const facts of byDocument.values())
      for (const [template, read] of facts.alertColumns)
        if (template === alertProfile || template.startsWith(`${alertProfile}.`)) columns.push(...read);
    return columns;
  };
  return {
    set(uri, facts) {
      const isEmpty = facts === undefined || (facts.uses.length === 0 && facts.alertColumns.size === 0);
      if (isEmpty && !byDocument.has(uri)) return;
      fingerprint = undefined;
      if (isEmpty) byDocument.delete(uri);
      else byDocument.set(uri, facts);
    },
    demandOf(queryId) {
      let isUsed = false;
      const columns = new Set<string>();
      for (const { uses } of byDocument.values()) {
        for (const use of uses) {
          if (use.queryId !== queryId) continue;
          isUsed = true;
          for (const column of columnsOf(use.alertProfile)) columns.add(column);
        }
      }
      return isUsed ? { alertColumns: [...columns] } : undefined;
    },
    demandAt(region, resources) {
      const policy = resources.find(({ kind, map }) => kind === 'policy' && contains(map.range, region.map.outer));
      return policy && { alertColumns: [...new Set(columnsOf(textOf(policy.map, 'alertProfile')))] };
    },
    fingerprint() {
      fingerprint ??= JSON.stringify(
        [...byDocument.values()].map(({ uses, alertColumns }) => [uses, [...alertColumns]]).sort(),
      );
      return fingerprint;
    },
  };
}

function fieldOf(map: PlacedMap, field: string): PlacedValue | undefined {
  return map.entries.find(({ key }) => key === field)?.value;
}

function textOf(map: PlacedMap, field: string): string | undefined {
  const value = fieldOf(map, field);
  return value?.kind === 'scalar' && typeof value.value === 'string' && value.value !== '' ? value.value : undefined;
}
