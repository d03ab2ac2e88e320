import { isRecord } from '../../is-record.ts';
import { nearestNames } from '../catalog/nearest.ts';
import type { Severity } from '../diagnostics/diagnostic.ts';
import { matchesGlob } from './glob.ts';
import type { LintRule, OptionDefinition } from './rule.ts';
import { rules } from './rules/index.ts';

export type RuleSeverity = Severity | 'off';

export interface RuleSetting {
  readonly severity: RuleSeverity | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** Globs of files in which this rule is off. */
  readonly ignore: readonly string[];
}

/** A checked `lql.config.jsonc`. */
export interface LintConfig {
  /** Globs of files without any lint rule. */
  readonly ignore: readonly string[];
  readonly rules: ReadonlyMap<string, RuleSetting>;
  /** Settings for some files, later ones winning. */
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: ReadonlyMap<string, RuleSetting>;
  }[];
}

/** Something wrong in a configuration file: where (keys and indexes from the root) and what. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export const defaultLintConfig: LintConfig = { ignore: [], rules: new Map(), overrides: [] };

const severities: readonly RuleSeverity[] = ['off', 'hint', 'info', 'warning', 'error'];

/**
 * Reads the parsed content of a `lql.config.jsonc`. Whatever is wrong is left out and reported; the rest counts. Never throws.
 *
 * ```jsonc
 * {
 *   "ignore": ["vendor/**"],
 *   "rules": {
 *     "missing-distinct": "error",
 *     "required-columns": { "severity": "warning", "columns": ["RESOURCE_KEY"], "ignore": ["drafts/**"] }
 *   },
 *   "overrides": [{ "files": ["legacy/**"], "rules": { "query-id-in-text": "off" } }]
 * }
 * ```
 */
export function readLintConfig(content: unknown): {
  readonly config: LintConfig;
  readonly problems: readonly ConfigProblem[];
} {
  const problems: ConfigProblem[] = [];
  if (!isRecord(content)) {
    if (content !== undefined)
      problems.push({ path: [], message: 'A configuration is an object: { "rules": { … } }.' });
    return { config: defaultLintConfig, problems };
  }
  for (const key of Object.keys(content)) {
    if (key === '$schema' || key === 'ignore' || key === 'rules' || key === 'overrides') continue;
    const near = nearestNames(key, ['ignore', 'rules', 'overrides'])[0];
    problems.push({
      path: [key],
      message: `Unknown setting '${key}'.${near === undefined ? ' There is ignore, rules and overrides.' : ` Did you mean '${near}'?`}`,
    });
  }
  const overrides: { files: readonly string[]; rules: ReadonlyMap<string, RuleSetting> }[] = [];
  const list = content['overrides'];
  if (Array.isArray(list)) {
    list.forEach((entry: unknown, i) => {
      if (!isRecord(entry)) {
        problems.push({
          path: ['overrides', i],
          message: 'An override is an object: { "files": ["…"], "rules": { … } }.',
        });
        return;
      }
      const files = readGlobs(entry['files'], ['overrides', i, 'files'], problems);
      if (files.length === 0)
        problems.push({ path: ['overrides', i], message: 'An override names its files: "files": ["legacy/**"].' });
      else overrides.push({ files, rules: readRules(entry['rules'], ['overrides', i, 'rules'], problems) });
    });
  } else if (list !== undefined) {
    problems.push({ path: ['overrides'], message: 'overrides is a list of { "files": […], "rules": {…} }.' });
  }
  const config: LintConfig = {
    ignore: readGlobs(content['ignore'], ['ignore'], problems),
    rules: readRules(content['rules'], ['rules'], problems),
    overrides,
  };
  return { config, problems };
}

/** What holds for one rule in one file: its severity (`off` included) and the values of its options. */
export function settingFor(
  config: LintConfig,
  rule: LintRule,
  path: string | undefined,
): { readonly severity: RuleSeverity; readonly options: Readonly<Record<string, unknown>> } {
  let severity: RuleSeverity = rule.severity;
  const options: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(rule.options ?? {})) options[name] = definition.default;
  const apply = (setting: RuleSetting | undefined): void => {
    if (setting === undefined) return;
    if (path !== undefined && setting.ignore.some((glob) => matchesGlob(path, glob))) severity = 'off';
    else if (setting.severity !== undefined) severity = setting.severity;
    // Options alone switch a rule on that is off by default: nobody configures what should not run.
    else if (severity === 'off' && Object.keys(setting.options).length > 0) severity = 'warning';
    Object.assign(options, setting.options);
  };
  apply(config.rules.get(rule.id));
  if (path !== undefined) {
    for (const override of config.overrides) {
      if (override.files.some((glob) => matchesGlob(path, glob))) apply(override.rules.get(rule.id));
    }
  }
  return { severity, options };
}

export function isIgnored(config: LintConfig, path: string | undefined): boolean {
  return path !== undefined && config.ignore.some((glob) => matchesGlob(path, glob));
}

/** A JSON Schema of the configuration file, so that editors complete and check it. */
export function lintConfigSchema(): object {
  const severity = { enum: severities };
  const globs = { type: 'array', items: { type: 'string' } };
  const ruleSchemas: Record<string, object> = {};
  for (const rule of rules) {
    const properties: Record<string, object> = {
      severity: { ...severity, default: rule.severity },
      ignore: { ...globs, description: 'Files in which this rule is off.' },
    };
    for (const [name, option] of Object.entries(rule.options ?? {})) properties[name] = optionSchema(option);
    ruleSchemas[rule.id] = {
      description: `${rule.title}. ${rule.why}`,
      anyOf: [severity, { type: 'object', properties, additionalProperties: false }],
    };
  }
  const rulesSchema = { $ref: '#/definitions/rules' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of the LQL lint rules',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ignore: { ...globs, description: 'Files without any lint rule.' },
      rules: rulesSchema,
      overrides: {
        type: 'array',
        description: 'Settings for some files; later ones win.',
        items: {
          type: 'object',
          properties: { files: globs, rules: rulesSchema },
          required: ['files'],
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
    definitions: {
      rules: {
        type: 'object',
        description: 'Severity and options of each rule; "off" silences it.',
        properties: ruleSchemas,
        additionalProperties: false,
      },
    },
  };
}

function optionSchema(option: OptionDefinition): object {
  const { description } = option;
  switch (option.type) {
    case 'number':
      return { type: 'number', minimum: option.minimum, default: option.default, description };
    case 'strings':
      return { type: 'array', items: { type: 'string' }, default: option.default, description };
    case 'choice':
      return { enum: option.choices, default: option.default, description };
    default:
      return { type: option.type, default: option.default, description };
  }
}

function readRules(
  value: unknown,
  path: readonly (string | number)[],
  problems: ConfigProblem[],
): ReadonlyMap<string, RuleSetting> {
  const result = new Map<string, RuleSetting>();
  if (value === undefined) return result;
  if (!isRecord(value)) {
    problems.push({ path, message: 'rules is an object of rule ids: { "missing-distinct": "warning" }.' });
    return result;
  }
  for (const [id, setting] of Object.entries(value)) {
    const rule = rules.find((each) => each.id === id);
    if (rule === undefined) {
      const near = nearestNames(
        id,
        rules.map((each) => each.id),
      )[0];
      problems.push({
        path: [...path, id],
        message: `There is no rule '${id}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`,
      });
      continue;
    }
    const read = readRule(rule, setting, [...path, id], problems);
    if (read !== undefined) result.set(id, read);
  }
  return result;
}

function readRule(
  rule: LintRule,
  value: unknown,
  path: readonly (string | number)[],
  problems: ConfigProblem[],
): RuleSetting | undefined {
  if (typeof value === 'string') {
    const severity = readSeverity(value, path, problems);
    return severity === undefined ? undefined : { severity, options: {}, ignore: [] };
  }
  if (!isRecord(value)) {
    problems.push({
      path,
      message: `A rule's setting is a severity (${severities.join(', ')}) or an object with options.`,
    });
    return undefined;
  }
  const options: Record<string, unknown> = {};
  let severity: RuleSeverity | undefined;
  let ignore: readonly string[] = [];
  for (const [name, given] of Object.entries(value)) {
    if (name === 'severity') severity = readSeverity(given, [...path, name], problems);
    else if (name === 'ignore') ignore = readGlobs(given, [...path, name], problems);
    else readOption(rule, name, given, [...path, name], options, problems);
  }
  return { severity, options, ignore };
}

function readOption(
  rule: LintRule,
  name: string,
  given: unknown,
  path: readonly (string | number)[],
  options: Record<string, unknown>,
  problems: ConfigProblem[],
): void {
  const definition = Object.hasOwn(rule.options ?? {}, name) ? rule.options?.[name] : undefined;
  if (definition === undefined) {
    const known = Object.keys(rule.options ?? {});
    const message =
      known.length === 0
        ? `The rule '${rule.id}' has no options.`
        : `The rule '${rule.id}' has no option '${name}'; it has ${known.join(', ')}.`;
    problems.push({ path, message });
    return;
  }
  const complaint = complaintAbout(definition, given);
  if (complaint === undefined) options[name] = given;
  else problems.push({ path, message: complaint });
}

function complaintAbout(definition: OptionDefinition, given: unknown): string | undefined {
  switch (definition.type) {
    case 'number':
      return typeof given === 'number' && given >= definition.minimum
        ? undefined
        : `Expected a number of at least ${definition.minimum}.`;
    case 'string':
      return typeof given === 'string' ? undefined : 'Expected a text.';
    case 'boolean':
      return typeof given === 'boolean' ? undefined : 'Expected true or false.';
    case 'strings':
      return isStringList(given) ? undefined : 'Expected a list of texts.';
    case 'choice':
      return typeof given === 'string' && definition.choices.includes(given)
        ? undefined
        : `Expected one of ${definition.choices.join(', ')}.`;
  }
}

function readSeverity(
  value: unknown,
  path: readonly (string | number)[],
  problems: ConfigProblem[],
): RuleSeverity | undefined {
  const severity = severities.find((each) => each === value);
  if (severity === undefined)
    problems.push({ path, message: `Unknown severity: expected one of ${severities.join(', ')}.` });
  return severity;
}

function readGlobs(value: unknown, path: readonly (string | number)[], problems: ConfigProblem[]): readonly string[] {
  if (value === undefined) return [];
  if (isStringList(value)) return value;
  problems.push({ path, message: 'Expected a list of file patterns such as "drafts/**".' });
  return [];
}

function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
