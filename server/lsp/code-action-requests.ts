import {
  CodeActionKind,
  type Range,
  type CodeAction as WireCodeAction,
  type Diagnostic as WireDiagnostic,
} from 'vscode-languageserver/node';
import type { CodeAction, Fix } from '../core/language/language-service.ts';
import { rangesTouch, type TextRange } from '../core/text/range.ts';
import { documentEdit, queryEdit } from './convert.ts';
import { regionDiagnostics, resourceDiagnostics } from './document-diagnostics.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import { innerRange, type RequestContext, type WithDocument } from './request-context.ts';

/** Fixes of what diagnostics say. */
export function registerCodeActionRequests({ connection, onDocument, taken }: RequestContext): void {
  connection.onCodeAction(
    onDocument<WithDocument & { range: Range; context: { only?: string[] } }, WireCodeAction[]>(
      'textDocument/codeAction',
      [],
      (document, host, { range, context }) => {
        const start = document.content.offsetAt(range.start);
        const end = document.content.offsetAt(range.end);
        return wireActions(document, host, { start, end }, context.only).map(({ edit, ...action }) => ({
          ...action,
          ...(edit === undefined ? {} : { edit: taken(edit) }),
        }));
      },
    ),
  );
}

/** Quick fixes for a range; fixes for everything only where asked for by kind. Fix-all edits of all queries of a document go into one action. */
function wireActions(
  document: OpenDocument,
  host: LanguageHost,
  range: TextRange,
  only: readonly string[] | undefined,
): WireCodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  const actions: WireCodeAction[] = [];
  for (const view of host.regions(document)) {
    const { region, query } = view;
    if (region.isTemplate) continue;
    const inner = innerRange(region, range);
    if (wants(CodeActionKind.QuickFix) && inner !== undefined) {
      const wireDiagnostics = regionDiagnostics(document, view, host);
      for (const action of host.service.codeActions(query, inner)) {
        if (action.kind !== 'fixAll') actions.push(...quickFix(document, view, action, wireDiagnostics));
      }
    }
  }
  if (wants(CodeActionKind.QuickFix)) {
    const resources = host.resourceDiagnostics(document);
    const wireDiagnostics = resourceDiagnostics(document, host);
    resources.forEach((diagnostic, i) => {
      if (!rangesTouch(diagnostic.range, range)) return;
      for (const fix of diagnostic.fixes) actions.push(documentFix(document, fix, wireDiagnostics[i]));
      const silence = host.silenceResource(document, diagnostic);
      if (silence === undefined) return;
      const title = `Silence ${diagnostic.code} on this line (say why behind the colon)`;
      actions.push(documentFix(document, { title, edits: [silence], safe: false }, wireDiagnostics[i]));
    });
  }
  const fixAll = only !== undefined && wants('source.fixAll.lql') ? host.fixAll(document) : [];
  if (fixAll.length > 0) {
    const edit = documentEdit(document, fixAll);
    actions.push({ title: 'Fix all that can be fixed safely', kind: 'source.fixAll.lql', edit });
  }
  return actions;
}

function documentFix(document: OpenDocument, fix: Fix, diagnostic: WireDiagnostic | undefined): WireCodeAction {
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    edit: documentEdit(document, fix.edits),
    ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
    ...(fix.safe ? { isPreferred: true } : {}),
  };
}

function quickFix(
  document: OpenDocument,
  view: RegionView,
  action: CodeAction,
  wireDiagnostics: ReturnType<typeof regionDiagnostics>,
): WireCodeAction[] {
  const edit = queryEdit(document, view.region, action.edits);
  if (edit === undefined) return [];
  const index = action.diagnostic === undefined ? -1 : view.query.diagnostics.indexOf(action.diagnostic);
  const diagnostic = wireDiagnostics[index];
  return [
    {
      title: action.title,
      kind: CodeActionKind.QuickFix,
      edit,
      ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
      ...(action.preferred ? { isPreferred: true } : {}),
    },
  ];
}
