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
import type { TextEdit } from '../core/text/edits.ts';
import type { TextRange } from '../core/text/range.ts';
import { completionKinds, markup, toRange, toTextEdits } from './convert.ts';
import type { LanguageHost } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { RequestContext, WithPosition } from './request-context.ts';

/** Proposals, and their documentation when it is looked at. */
export function registerCompletionRequests(context: RequestContext): void {
  const { connection, capabilities, isVsCode, guard, onDocument, askForSchemas } = context;
  const completion = createCompletionLists(capabilities, isVsCode);
  connection.onCompletion(
    onDocument(
      'textDocument/completion',
      { isIncomplete: false, items: [] },
      (document, host, params: WithPosition & { context?: { triggerCharacter?: string } }) => {
        const offset = document.content.offsetAt(params.position);
        const { list, missingSchemas } = completion.complete(host, document, offset);
        if (missingSchemas.length > 0) guard.run('lql/missingSchemas', () => askForSchemas(missingSchemas));
        // A blank behind a colon asks for the value of a field; in a query a blank asks only where something new begins: popping up behind every word would be in the way.
        if (
          params.context?.triggerCharacter === ' ' &&
          !opensByBlank(document, offset, host.at(document, offset) !== undefined)
        )
          return { isIncomplete: false, items: [] };
        return list;
      },
    ),
  );
  connection.onCompletionResolve((item) => completion.resolve(item));
}

/** Behind `with`, `on`, `,`, `::` or an operator something must follow; elsewhere a blank is only a blank. */
function opensByBlank(document: OpenDocument, offset: number, isInQuery: boolean): boolean {
  const before = document.content.getText({
    start: document.content.positionAt(Math.max(0, offset - 24)),
    end: document.content.positionAt(offset),
  });
  if (!isInQuery) return /:\s$/.test(before);
  return /(?:\b(?:with|on|in|and|or|not|like|rlike|ilike|is)|[=<>,({|+*/%-])\s+$/i.test(before);
}

interface CompletionLists {
  complete(
    host: LanguageHost,
    document: OpenDocument,
    offset: number,
  ): { list: CompletionList; missingSchemas: readonly string[] };
  /** Adds the documentation of an item of the list given last. */
  resolve(item: WireItem): WireItem;
}

/** How items are written into the document that holds the query. */
interface HostForm {
  readonly insertText: (item: CompletionItem) => string;
  readonly edits: (edits: readonly TextEdit[]) => readonly TextEdit[] | undefined;
}

const plainForm: HostForm = { insertText: ({ insertText }) => insertText, edits: (edits) => edits };

const nothing: CompletionList = { isIncomplete: false, items: [] };

/** `retrigger`: the client knows VS Code's command that asks for proposals again. */
function createCompletionLists(capabilities: ClientCapabilities, retrigger: boolean): CompletionLists {
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
    return { documentation: markup(value, markdown) };
  };

  const toList = (
    document: OpenDocument,
    outer: TextRange,
    items: readonly CompletionItem[],
    isIncomplete: boolean,
    form: HostForm,
    typed: string,
  ): CompletionList => {
    given = { list: given.list + 1, items };
    const range = toRange(document.content, outer);
    const wire = items.map((item, index): WireItem => {
      const newText = form.insertText(item);
      const additional = item.additionalEdits && form.edits(item.additionalEdits);
      return {
        label: item.label,
        kind: completionKinds[item.kind],
        sortText: String(index).padStart(4, '0'),
        ...(labelDetails && item.signature !== undefined ? { labelDetails: { detail: item.signature } } : {}),
        ...(item.detail === undefined ? {} : { detail: item.detail }),
        ...(sharedRange ? { textEditText: newText } : { textEdit: { range, newText } }),
        ...(item.isSnippet === true ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
        ...(item.deprecated === true ? { tags: [CompletionItemTag.Deprecated] } : {}),
        // What only tells something must not vanish while a person types.
        ...(item.kind === 'status' ? { filterText: typed } : {}),
        ...(additional === undefined ? {} : { additionalTextEdits: toTextEdits(document.content, additional) }),
        ...(retrigger && item.retrigger === true
          ? { command: { title: 'Suggest', command: 'editor.action.triggerSuggest' } }
          : {}),
        ...(resolves ? { data: [given.list, index] } : documentation(item)),
      };
    });
    return { isIncomplete, items: wire, ...(sharedRange ? { itemDefaults: { editRange: range } } : {}) };
  };

  return {
    complete(host, document, offset) {
      const hit = host.at(document, offset);
      if (hit === undefined) {
        const found = host.completeResources(document, offset, snippets);
        if (found === undefined) return { list: nothing, missingSchemas: [] };
        return { list: toList(document, found.range, found.items, false, plainForm, ''), missingSchemas: [] };
      }
      const { region, query } = hit.view;
      const { range, items, isIncomplete, missingSchemas } = host.service.complete(query, hit.offset, { snippets });
      const outer = toDocumentRange(region, range);
      const form: HostForm = {
        insertText: (item) => insertText(region, item, outer.start),
        edits: (edits) => toDocumentEdits(region, edits),
      };
      const typed = query.text.slice(range.start, range.end);
      return { list: toList(document, outer, items, isIncomplete, form, typed), missingSchemas };
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
