import { policyCodes } from '../diagnostics/codes/policy-codes.ts';
import { semanticCodes } from '../diagnostics/codes/semantic-codes.ts';
import { type Diagnostic, type Fix, keepGravest, maxDiagnostics } from '../diagnostics/diagnostic.ts';
import { withRoom } from '../diagnostics/room.ts';
import type { SemanticModel } from '../semantics/semantic-model.ts';
import type { Node } from '../syntax/ast.ts';
import type { ParseResult } from '../syntax/parse.ts';
import { defaultLintConfig, isIgnored, type LintConfig, type RuleSeverity, settingFor } from './config.ts';
import { createFacts } from './facts.ts';
import type { Finding, LintRule, RuleContext } from './rule.ts';
import { rules } from './rules/index.ts';
import { applySuppressions } from './suppressions.ts';
import { walk } from './walk.ts';

export interface LintOptions {
  /** The checked configuration file; without one every rule has its own default. */
  readonly config?: LintConfig;
  /** Path of the file below the folder of the configuration, with forward slashes; what ignores and overrides are compared with. */
  readonly path?: string;
  /** The id that the document around the query gives it. */
  readonly queryId?: string;
}

/** A rule as one configuration sets it for one file. */
interface ActiveRule {
  readonly rule: LintRule;
  readonly severity: Exclude<RuleSeverity, 'off'>;
  readonly options: Readonly<Record<string, unknown>>;
}

type Handler = (node: Node, context: RuleContext, parent: Node | undefined) => void;

/** Rules by the kind of node they look at, so that one walk serves them all. */
interface RuleTable {
  readonly active: readonly ActiveRule[];
  readonly handlers: ReadonlyMap<string, readonly { readonly active: ActiveRule; readonly handle: Handler }[]>;
  readonly dormant: ReadonlySet<string>;
}

const noFixes: readonly Fix[] = [];
const noDormant: ReadonlySet<string> = new Set();
/** Tables by configuration, then by path: a configuration is immutable and lives as long as its file stays unchanged. */
const tables = new WeakMap<LintConfig, Map<string, RuleTable>>();
const rememberedPaths = 512;

let suppressible: ReadonlySet<string> | undefined;

/** Codes that a comment can silence: lint rules, diagnostics of binding and checking, and what policies demand. */
function suppressibleCodes(): ReadonlySet<string> {
  suppressible ??= new Set([
    ...rules.map((rule) => rule.id),
    ...Object.keys(semanticCodes),
    ...Object.keys(policyCodes),
  ]);
  return suppressible;
}

/**
 * Everything to tell about a text: syntax, binding, checking and lint, in the order of the text, each place and code once, without what
 * comments silence.
 */
export function allDiagnostics(
  parsed: ParseResult,
  model: SemanticModel,
  options: LintOptions,
  /** What the policies that run the query demand; undefined when none is known to. */
  ofPolicies?: readonly Diagnostic[],
): readonly Diagnostic[] {
  const { findings, dormant } = runRules(parsed, model, options);
  const judged =
    model.diagnostics.length === 0 && ofPolicies === undefined
      ? findings
      : findings.length === 0 && ofPolicies === undefined
        ? model.diagnostics
        : [...model.diagnostics, ...findings, ...(ofPolicies ?? [])];
  const unjudged = ofPolicies === undefined ? new Set([...dormant, ...Object.keys(policyCodes)]) : dormant;
  const remaining = applySuppressions(parsed, judged, suppressibleCodes(), unjudged);
  const found = parsed.diagnostics.length === 0 ? remaining : [...parsed.diagnostics, ...remaining];
  const all =
    found.length === 0
      ? found
      : found.map((diagnostic) => withRoom(parsed.text, awayFromOpenStrings(parsed, diagnostic)));
  if (all.length <= 1) return all;
  return keepGravest([...all].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end));
}

/** What is written at the end of a string that is not closed becomes part of it, so a fix that does is for the person to judge. */
function awayFromOpenStrings(parsed: ParseResult, diagnostic: Diagnostic): Diagnostic {
  const ends = parsed.diagnostics.flatMap(({ code, range }) => (code === 'unterminated-string' ? [range.end] : []));
  if (ends.length === 0) return diagnostic;
  const isAtEnd = (fix: Fix): boolean => fix.edits.some(({ range }) => ends.includes(range.start));
  return { ...diagnostic, fixes: diagnostic.fixes.map((fix) => (isAtEnd(fix) ? { ...fix, safe: false } : fix)) };
}

/** What the rules find, and the codes of those that do not run: rules about what is merely not written yet wait until a text is without errors. */
function runRules(
  parsed: ParseResult,
  model: SemanticModel,
  options: LintOptions,
): { readonly findings: readonly Diagnostic[]; readonly dormant: ReadonlySet<string> } {
  const config = options.config ?? defaultLintConfig;
  if (isIgnored(config, options.path)) return { findings: [], dormant: suppressibleCodes() };
  const broken = parsed.diagnostics.some(isError) || model.diagnostics.some(isError);
  const table = tableFor(config, options.path, broken);
  const findings: Diagnostic[] = [];
  let current: ActiveRule | undefined;
  const context = {
    text: parsed.text,
    parsed,
    model,
    facts: createFacts(model),
    options: {} as Readonly<Record<string, never>>,
    queryId: options.queryId,
    report(finding: Finding): void {
      if (current === undefined || findings.length >= maxDiagnostics) return;
      findings.push({
        code: current.rule.id,
        severity: current.severity,
        range: finding.range,
        message: finding.message,
        fixes: finding.fixes ?? noFixes,
        ...(finding.tags === undefined ? undefined : { tags: finding.tags }),
        ...(finding.related === undefined ? undefined : { related: finding.related }),
      });
    },
  };
  walk(parsed.file, (node, parent) => {
    const handlers = table.handlers.get(node.kind);
    if (handlers === undefined) return;
    for (const { active, handle } of handlers) {
      current = active;
      // The values were checked against the rule's own definitions when the configuration was read.
      context.options = active.options as Readonly<Record<string, never>>;
      handle(node, context, parent);
    }
  });
  return { findings, dormant: table.dormant };
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}

function tableFor(config: LintConfig, path: string | undefined, broken: boolean): RuleTable {
  let byPath = tables.get(config);
  if (byPath === undefined) {
    byPath = new Map();
    tables.set(config, byPath);
  }
  const usesPaths =
    config.overrides.length > 0 || [...config.rules.values()].some((setting) => setting.ignore.length > 0);
  const key = `${broken ? '!' : '='}${usesPaths ? (path ?? '') : ''}`;
  const known = byPath.get(key);
  if (known !== undefined) return known;
  const active: ActiveRule[] = [];
  const dormant = new Set<string>();
  const handlers = new Map<string, { active: ActiveRule; handle: Handler }[]>();
  for (const rule of rules) {
    const { severity, options } = settingFor(config, rule, path);
    if (severity === 'off' || (broken && rule.needsWholeQuery === true)) {
      dormant.add(rule.id);
      continue;
    }
    const entry: ActiveRule = { rule, severity, options };
    active.push(entry);
    for (const [kind, handle] of Object.entries(rule.visit)) {
      const list = handlers.get(kind);
      // The table is keyed by the kind the visitor was written for, so it is only ever called with such nodes.
      const handler = { active: entry, handle: handle as Handler };
      if (list === undefined) handlers.set(kind, [handler]);
      else list.push(handler);
    }
  }
  const table: RuleTable = { active, handlers, dormant: dormant.size === 0 ? noDormant : dormant };
  if (byPath.size >= rememberedPaths) byPath.clear();
  byPath.set(key, table);
  return table;
}
