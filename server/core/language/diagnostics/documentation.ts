import type { DiagnosticStage } from './code-definition.ts';

/** Where the page of a diagnostic code or lint rule lies, below the folder of the extension or repository. */
export function documentationPath(code: string, stage: DiagnosticStage): string {
  return `docs/reference/${stage === 'lint' ? 'rules' : 'diagnostics'}/${code}.md`;
}

/** Where the page of a function lies; `name` in any case. */
export function functionDocumentationPath(name: string): string {
  return `docs/reference/functions/${name.toLowerCase()}.md`;
}
