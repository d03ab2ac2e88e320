import { applyEdits, modify } from 'jsonc-parser';
import { isSeq } from 'yaml';
import { type FileObject, yamlDocuments } from './content-file.ts';

/** The text without one of its objects, everything else as it is; undefined where that cannot be written, or nothing would be left. */
export function textWithout(text: string, { place }: FileObject): string | undefined {
  switch (place.kind) {
    case 'bare':
      return undefined;
    case 'json':
      return place.path.length === 0 ? undefined : applyEdits(text, modify(text, [...place.path], undefined, {}));
    case 'yaml': {
      const documents = yamlDocuments(text);
      const document = documents[place.document];
      if (!document) return undefined;
      if (place.path.length > 0) {
        document.deleteIn([...place.path]);
        const list = document.getIn(place.path.slice(0, -1), true);
        if (isSeq(list) && list.items.length === 0) return undefined;
        return documents.map((each) => each.toString({ lineWidth: 0, blockQuote: 'literal' })).join('');
      }
      if (documents.length === 1) return undefined;
      const start = startOf(documents, place.document);
      const end = place.document === documents.length - 1 ? text.length : startOf(documents, place.document + 1);
      return text.slice(0, start) + text.slice(end);
    }
  }
}

/** Where a document begins, its `---` and the comments in front of it included. */
function startOf(documents: ReturnType<typeof yamlDocuments>, index: number): number {
  return index === 0 ? 0 : (documents[index - 1]?.range?.[2] ?? 0);
}
