import type { FormattingOptions, Range, TextEdit as WireTextEdit } from 'vscode-languageserver/node';
import { toDocumentEdits } from '../core/documents/region.ts';
import type { FormatOptions } from '../core/language/language-service.ts';
import type { TextRange } from '../core/text/range.ts';
import { toTextEdits } from './convert.ts';
import type { LanguageHost } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import { innerRange, type RequestContext, type WithDocument, type WithPosition } from './request-context.ts';

/** The layout of a document's queries: all of them, those in a range, the block that was just closed. */
export function registerFormatRequests({ connection, onDocument, onPosition }: RequestContext): void {
  const format = (
    document: OpenDocument,
    host: LanguageHost,
    options: FormattingOptions,
    within: TextRange | undefined,
  ): WireTextEdit[] =>
    host.regions(document).flatMap(({ region, query }) => {
      const inner = within === undefined ? undefined : innerRange(region, within);
      if (within !== undefined && inner === undefined) return [];
      const edits = host.service.format(query, formatOptions(options), inner);
      return toTextEdits(document.content, toDocumentEdits(region, edits) ?? []);
    });
  connection.onDocumentFormatting(
    onDocument<WithDocument & { options: FormattingOptions }, WireTextEdit[]>(
      'textDocument/formatting',
      [],
      (document, host, { options }) => format(document, host, options, undefined),
    ),
  );
  connection.onDocumentRangeFormatting(
    onDocument<WithDocument & { options: FormattingOptions; range: Range }, WireTextEdit[]>(
      'textDocument/rangeFormatting',
      [],
      (document, host, { options, range }) =>
        format(document, host, options, {
          start: document.content.offsetAt(range.start),
          end: document.content.offsetAt(range.end),
        }),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    onPosition<WithPosition & { options: FormattingOptions }, WireTextEdit[]>(
      'textDocument/onTypeFormatting',
      [],
      ({ host, document, view: { region, query }, offset }, { options }) => {
        const block = host.service.closedBlock(query, offset);
        if (block === undefined) return [];
        const edits = host.service.format(query, formatOptions(options), block);
        return toTextEdits(document.content, toDocumentEdits(region, edits) ?? []);
      },
    ),
  );
}

function formatOptions({ tabSize, insertSpaces }: FormattingOptions): Partial<FormatOptions> {
  return { indent: insertSpaces ? tabSize : 'tab' };
}
