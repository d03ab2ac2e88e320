import type { Severity } from './diagnostic.ts';

/** Where in the pipeline a code is reported. */
export type DiagnosticStage = 'syntax' | 'semantics' | 'policy' | 'resource' | 'lint';

/** One diagnostic code, defined once: the reporter takes its severity from here, documentation and tests read the rest. */
export interface CodeDefinition {
  readonly stage: DiagnosticStage;
  readonly severity: Severity;
  /** A few words, without a final point: the heading of its page. */
  readonly title: string;
  /** Why this is a problem, in one or two sentences. */
  readonly why: string;
  /** What the author does about it. */
  readonly whatToDo: string;
  /** A text that is reported: a query, or a YAML document for the stage `resource`. */
  readonly bad: string;
  /** The same, mended. */
  readonly good: string;
  /** True when it can only be told with an account's catalog at hand; it is silent without one. */
  readonly needsCatalog?: boolean;
}

/** Checks a table of codes while keeping its keys as a type, so that a reporter cannot name a code that is not in it. */
export function defineCodes<Code extends string>(
  stage: DiagnosticStage,
  codes: Readonly<Record<Code, Omit<CodeDefinition, 'stage'>>>,
): Readonly<Record<Code, CodeDefinition>> {
  const result = {} as Record<Code, CodeDefinition>;
  for (const code of Object.keys(codes) as Code[]) result[code] = { stage, ...codes[code] };
  return result;
}
