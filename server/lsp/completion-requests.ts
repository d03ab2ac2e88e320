import {
  type ClientCapabilities,
  CompletionItemTag,
  type CompletionList,
  InsertTextFormat,
  MarkupKind,
  type CompletionItem as WireItem,
} from 'vscode-languageserver/node';
import { type Region, toDocumentEdits, toDocumentRange } from '../core/documents/region.ts';
import type { CompletionItem } from '../core/language/language-service.ts';
import { completionKinds, toRange, toTextEdits } from './convert.ts';
import type { LanguageHost } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';

export interface CompletionRequests {
  complete(
    host: LanguageHost,
    document: OpenDocument,
    offset: number,
  ): { list: CompletionList; missingSchemas: readonly string[] };
  /** Adds the documentation of an item of the list given last. */
  resolve(item: WireItem): WireItem;
}

const nothing: CompletionList = { isIncomplete: false, items: [] };

/** `retrigger`: the client knows VS Code's command that asks for proposals again. */
export function createCompletionRequests(capabilities: ClientCapabilities, retrigger: boolean): CompletionRequests {
  const completion = capabilities.textDocument?.completion;
  const snippets = completion?.completionItem?.snippetSupport === true;
  const resolves = completion?.completionItem?.resolveSupport?.properties.includes('documentation') === true;
  const labelDetails = completion?.completionItem?.labelDetailsSupport === true;
  const sharedRange = completion?.completionList?.itemDefaults?.includes('editRange') === true;
  const markdown = completion?.completionItem?.documentationFormat?.includes(MarkupKind.Markdown) === true;
  let given: { readonly list: number; readonly items: readonly CompletionItem[] } = { list: 0, items: [] };

  const documentation = (item: CompletionItem): Pick<WireItem, 'documentation'> => {
    const value = item.documentation?.();
    if (value === undefined) return {};
    return { documentation: { kind: markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value } };
  };

  return {
    complete(host, document, offset) {
      const hit = host.at(document, offset);
      if (hit === undefined) return { list: nothing, missingSchemas: [] };
      const { region, query } = hit.view;
      const result = host.service.complete(query, hit.offset, { snippets });
      given = { list: given.list + 1, items: result.items };
      const outer = toDocumentRange(region, result.range);
      const range = toRange(document.content, outer);
      const items = result.items.map((item, index): WireItem => {
        const newText = insertText(region, item, outer.start);
        const additional = item.additionalEdits && toDocumentEdits(region, item.additionalEdits);
        return {
          label: item.label,
          kind: completionKinds[item.kind],
          sortText: String(index).padStart(4, '0'),
          ...(labelDetails && item.signature !== undefined ? { labelDetails: { detail: item.signature } } : {}),
          ...(item.detail === undefined ? {} : { detail: item.detail }),
          ...(sharedRange ? { textEditText: newText } : { textEdit: { range, newText } }),
          ...(item.isSnippet === true ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
          ...(item.deprecated === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
          ...(item.kind === 'status' ? { filterText: query.text.slice(result.range.start, result.range.end) } : {}),
          ...(additional === undefined ? {} : { additionalTextEdits: toTextEdits(document.content, additional) }),
          ...(retrigger && item.retrigger === true
            ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } }
            : {}),
          ...(resolves ? { data: [given.list, index] } : documentation(item)),
        };
      });
      const list = {
        isIncomplete: result.isIncomplete,
        items,
        ...(sharedRange ? { itemDefaults: { editRange: range } } : {}),
      };
      return { list, missingSchemas: result.missingSchemas };
    },
    resolve(item) {
      const [list, index] = Array.isArray(item.data) ? item.data : [];
      const own = list === given.list && typeof index === 'number' ? given.items[index] : undefined;
      return own === undefined ? item : { ...item, ...documentation(own) };
    },
  };
}

/**
 * The text of an item in the host's form. Where the host holds the query on one line, snippets over several lines are put on one,
 * and what the host's escaping adds is escaped once more for the snippet.
 */
function insertText(region: Region, item: CompletionItem, at: number): string {
  const text = item.insertText;
  if (region.host === 'lql' || text === '') return text;
  const keepsLines = /^[\r\n]/.test(region.encode('\n', at) ?? '');
  // Editors indent the lines of a snippet as the line it is put on; the host's indentation is there already.
  if (keepsLines) return text;
  const flat = text.replace(/\s*\n\s*/g, ' ');
  if (item.isSnippet === true && /["\\]/.test(flat)) return flat;
  return region.encode(flat, at) ?? flat;
}
