import * as vscode from 'vscode';
import type { RunTarget } from './run-target.ts';

/** The errors that the editor shows in a part of a document at this moment, the first one first. */
export function errorsIn(uri: vscode.Uri, range: vscode.Range): readonly vscode.Diagnostic[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(
      ({ severity, source, range: { start } }) =>
        severity === vscode.DiagnosticSeverity.Error && source === 'lql' && range.contains(start),
    )
    .sort((a, b) => a.range.start.compareTo(b.range.start));
}

/** What the editor finds wrong with a query's meaning. Rules of policies and of style are no matter of a run. */
export async function meaningErrors({ uri, range }: RunTarget): Promise<readonly string[]> {
  if (!uri || !range) return [];
  const errors = errorsIn(uri, range);
  if (errors.length === 0) return [];
  const { semanticCodes } = await import('../../../server/core/language/diagnostics/codes/semantic-codes.ts');
  return errors.filter((error) => codeOf(error) in semanticCodes).map(({ message }) => message);
}

function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}
