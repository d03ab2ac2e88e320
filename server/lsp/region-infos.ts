import type { ResultColumn } from '../core/language/semantics/semantic-model.ts';
import { toRange } from './convert.ts';
import type { RegionView } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { RegionInfo } from './protocol.ts';

/** What the client needs to run the queries of a document and to put lenses on them. */
export function regionInfos(document: OpenDocument, views: readonly RegionView[]): readonly RegionInfo[] {
  return views.map(({ region, query }) => {
    const broken = query.parsed.diagnostics.some(({ severity }) => severity === 'error');
    const runnable = query.parsed.file.query !== undefined && !broken && !region.isTemplate;
    const columns = runnable ? namedColumns(query.model.resultColumns) : [];
    return {
      range: toRange(document.content, region.map.outer),
      ...(region.queryId === undefined ? {} : { queryId: region.queryId }),
      text: region.text,
      runnable,
      ...(columns.length > 0 ? { columns } : {}),
    };
  });
}

/**
 * The result's columns when the text names every one of them, by itself or by an alias. What the service calls an expression without an alias
 * is its own affair, and rows keep one value a name: then the rows have to tell.
 */
function namedColumns(columns: readonly ResultColumn[]): NonNullable<RegionInfo['columns']> {
  const named = columns.every(
    ({ item, expression }) => item.kind === 'returnStar' || item.alias !== undefined || expression?.kind === 'column',
  );
  const distinct = new Set(columns.map(({ name }) => name)).size === columns.length;
  return named && distinct ? columns.map(({ label, type }) => ({ name: label, type })) : [];
}
