import type { TextRange } from '../../text/range.ts';
import type { Fix, Severity } from '../diagnostics/diagnostic.ts';
import type { SemanticModel } from '../semantics/semantic-model.ts';
import type { Node } from '../syntax/ast.ts';
import type { ParseResult } from '../syntax/parse.ts';
import type { QueryFacts } from './facts.ts';

/** An option of a rule, described so that configuration files can be checked and completed, and documentation be written from it. */
export type OptionDefinition =
  | { readonly type: 'number'; readonly default: number; readonly minimum: number; readonly description: string }
  | { readonly type: 'string'; readonly default: string; readonly description: string }
  | { readonly type: 'boolean'; readonly default: boolean; readonly description: string }
  | { readonly type: 'strings'; readonly default: readonly string[]; readonly description: string }
  | {
      readonly type: 'choice';
      readonly choices: readonly string[];
      readonly default: string;
      readonly description: string;
    };

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

type OptionValue<D extends OptionDefinition> = D extends { readonly type: 'number' }
  ? number
  : D extends { readonly type: 'boolean' }
    ? boolean
    : D extends { readonly type: 'strings' }
      ? readonly string[]
      : string;

export type OptionValues<O extends OptionDefinitions> = { readonly [Name in keyof O]: OptionValue<O[Name]> };

export interface Finding {
  readonly range: TextRange;
  /** What is wrong, why, and what to do. */
  readonly message: string;
  readonly fixes?: readonly Fix[];
  readonly tags?: readonly ('unnecessary' | 'deprecated')[];
  readonly related?: readonly { readonly range: TextRange; readonly message: string }[];
}

export interface RuleContext<O extends OptionDefinitions = OptionDefinitions> {
  readonly text: string;
  readonly parsed: ParseResult;
  readonly model: SemanticModel;
  /** What several rules ask about the query, worked out once and only when asked. */
  readonly facts: QueryFacts;
  readonly options: OptionValues<O>;
  /** The id that the document around the query gives it; undefined for a plain text. */
  readonly queryId: string | undefined;
  report(finding: Finding): void;
}

type Visitors<O extends OptionDefinitions> = {
  readonly [Kind in Node['kind']]?: (
    node: Extract<Node, { readonly kind: Kind }>,
    context: RuleContext<O>,
    parent: Node | undefined,
  ) => void;
};

/** One lint rule: everything that documentation, configuration, editor and command line need to know about it. */
export interface LintRule<O extends OptionDefinitions = OptionDefinitions> {
  /** Stable, kebab-case, in one namespace with all other diagnostic codes. */
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly whatToDo: string;
  readonly bad: string;
  readonly good: string;
  /** The severity without configuration; house rules, which need a decision of the team, start `off`. */
  readonly severity: Severity | 'off';
  readonly options?: O;
  /** True when the rule can tell something only with a catalog at hand. */
  readonly needsCatalog?: boolean;
  /** True when a query in the making would have it report what is merely not written yet: then it waits for a text without errors. */
  readonly needsWholeQuery?: boolean;
  /** Called for each node of its kind, in the order of the text, before the node's children. */
  readonly visit: Visitors<O>;
}

/** Checks a rule's definition; the option types of its visitors follow from `options`. */
export function defineRule<const O extends OptionDefinitions = Readonly<Record<never, never>>>(
  rule: LintRule<O>,
): LintRule {
  // Visitors take the context of their own options; the runner gives each rule exactly that.
  return rule as unknown as LintRule;
}
