import { rules } from '../lint/rules/index.ts';
import { suppressionCodes } from '../lint/suppression-codes.ts';
import type { CodeDefinition } from './code-definition.ts';
import { policyCodes } from './codes/policy-codes.ts';
import { resourceCodes } from './codes/resource-codes.ts';
import { semanticCodes } from './codes/semantic-codes.ts';
import { syntaxCodes } from './codes/syntax-codes.ts';

/** A code with its definition; `severity` is `off` for a lint rule that runs only when it is configured. */
export interface DiagnosticCode extends Omit<CodeDefinition, 'severity'> {
  readonly code: string;
  readonly severity: CodeDefinition['severity'] | 'off';
}

function entries(codes: Readonly<Record<string, CodeDefinition>>): readonly DiagnosticCode[] {
  return Object.entries(codes).map(([code, definition]) => ({ code, ...definition }));
}

/** Every code that a diagnostic can have, by stage and then in alphabetical order: documentation and tests read this. */
export const diagnosticCodes: ReadonlyMap<string, DiagnosticCode> = new Map(
  [
    ...entries(syntaxCodes),
    ...entries(semanticCodes),
    ...entries(policyCodes),
    ...entries(resourceCodes),
    ...entries(suppressionCodes),
    ...rules.map(
      (rule): DiagnosticCode => ({
        code: rule.id,
        stage: 'lint',
        severity: rule.severity,
        title: rule.title,
        why: rule.why,
        whatToDo: rule.whatToDo,
        bad: rule.bad,
        good: rule.good,
        ...(rule.needsCatalog === undefined ? undefined : { needsCatalog: rule.needsCatalog }),
      }),
    ),
  ].map((definition) => [definition.code, definition]),
);
