import { type Hover, InlayHintKind, MarkupKind, type Range } from 'vscode-languageserver/node';
import { toDocumentRange } from '../core/documents/region.ts';
import { markup, toRange } from './convert.ts';
import { innerRange, type RequestContext, type WithDocument, type WithPosition } from './request-context.ts';

/** What something is, said beside the text: hovers, signatures, names of arguments. */
export function registerExplanationRequests({
  connection,
  capabilities,
  onDocument,
  onPosition,
}: RequestContext): void {
  const { hover, signatureHelp } = capabilities.textDocument ?? {};
  const hoversMarkdown = hover?.contentFormat?.includes(MarkupKind.Markdown) === true;
  const { documentationFormat, parameterInformation } = signatureHelp?.signatureInformation ?? {};
  const takesOffsets = parameterInformation?.labelOffsetSupport === true;
  const helpsWithMarkdown = documentationFormat?.includes(MarkupKind.Markdown) === true;
  connection.onHover(
    onDocument<WithPosition, Hover | null>('textDocument/hover', null, (document, host, { position }) => {
      const offset = document.content.offsetAt(position);
      const hit = host.at(document, offset);
      const found =
        hit === undefined
          ? host.hoverResource(document, offset)
          : host.service.hover(hit.view.query, hit.offset, { catalogAge: host.catalogAge(Date.now()) });
      if (found === undefined) return null;
      const outer = hit === undefined ? found.range : toDocumentRange(hit.view.region, found.range);
      return { contents: markup(found.markdown, hoversMarkdown), range: toRange(document.content, outer) };
    }),
  );

  connection.onSignatureHelp(
    onPosition('textDocument/signatureHelp', null, ({ host, view, offset }) => {
      const found = host.service.signatureHelp(view.query, offset);
      if (found === undefined) return null;
      const { label, documentation, parameters, activeParameter } = found;
      return {
        signatures: [
          {
            label,
            documentation: markup(documentation, helpsWithMarkdown),
            parameters: parameters.map((parameter) => ({
              label: takesOffsets ? ([...parameter.label] as [number, number]) : label.slice(...parameter.label),
              documentation: markup(parameter.documentation, helpsWithMarkdown),
            })),
          },
        ],
        activeSignature: 0,
        activeParameter,
      };
    }),
  );

  connection.languages.inlayHint.on(
    onDocument('textDocument/inlayHint', [], (document, host, { range }: WithDocument & { range: Range }) => {
      const start = document.content.offsetAt(range.start);
      const end = document.content.offsetAt(range.end);
      return host.regions(document).flatMap((view) => {
        const inner = innerRange(view.region, { start, end });
        if (inner === undefined) return [];
        return host.service.inlayHints(view.query, inner).map(({ offset, label }) => ({
          position: document.content.positionAt(view.region.map.toOuter(offset, 'after')),
          label,
          kind: InlayHintKind.Parameter,
          paddingRight: true,
        }));
      });
    }),
  );
}
