import { toRange } from './convert.ts';
import type { RegionView } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { RegionInfo } from './protocol.ts';

/** What the client needs to run the queries of a document and to put lenses on them. */
export function regionInfos(document: OpenDocument, views: readonly RegionView[]): readonly RegionInfo[] {
  return views.map(({ region, query }) => ({
    range: toRange(document.content, region.map.outer),
    ...(region.queryId === undefined ? {} : { queryId: region.queryId }),
    text: region.text,
    runnable:
      query.parsed.file.query !== undefined &&
      !query.parsed.diagnostics.some(({ severity }) => severity === 'error') &&
      !region.isTemplate,
  }));
}
