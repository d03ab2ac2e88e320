import type { Region } from '../documents/region.ts';
import type { PlacedResource } from '../documents/resources/check-resources.ts';
import { contains } from '../text/range.ts';

/** Whether a query stands inside of a policy that brings its own text. */
export function standsInPolicy(region: Region, resources: readonly PlacedResource[]): boolean {
  return resources.some(({ kind, map }) => kind === 'policy' && contains(map.range, region.map.outer));
}

/** Ids of the queries that these policies run. */
export function* queryIdsOfPolicies(resources: readonly PlacedResource[]): Iterable<string> {
  for (const { kind, map } of resources) {
    if (kind !== 'policy') continue;
    const value = map.entries.find(({ key }) => key === 'queryId')?.value;
    if (value?.kind === 'scalar' && typeof value.value === 'string') yield value.value;
  }
}
