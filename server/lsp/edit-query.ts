import { toDocumentEdits } from '../core/documents/region.ts';
import { addColumn, addCondition } from '../core/language/language-service.ts';
import { toTextEdits } from './convert.ts';
import type { RegionView } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { EditQueryParams, EditQueryResult } from './protocol.ts';

/** Edits of the document for a value of one of its queries' results. */
export function editQuery(
  document: OpenDocument,
  views: readonly RegionView[],
  { queryText, edit, column, path, value }: EditQueryParams,
): EditQueryResult {
  // The text may have been edited since it ran: a document's only query is still the one that is meant.
  const view = views.find(({ region }) => region.text === queryText) ?? (views.length === 1 ? views[0] : undefined);
  if (!view) return refused('The document no longer holds the query of this result. Run the query again first.');
  const place = { column, path };
  const made =
    edit === 'addColumn' ? addColumn(view.query, place) : addCondition(view.query, place, value, edit === 'exclude');
  if (made.kind === 'refused') return made;
  const edits = toDocumentEdits(view.region, made.edits);
  if (!edits) return refused('The query stands in a form that cannot be edited from here. Edit it by hand.');
  return { kind: 'edits', edits: toTextEdits(document.content, edits) };
}

const refused = (message: string): EditQueryResult => ({ kind: 'refused', message });
