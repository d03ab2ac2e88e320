import { dataFormOf, findRegions } from '../../core/documents/find-regions.ts';
import { type CheckedDocument, fixDocument } from '../../core/documents/fix-document.ts';
import { toDocumentRange } from '../../core/documents/region.ts';
import { checkResources, findResources } from '../../core/documents/resources/check-resources.ts';
import { suppressInYaml } from '../../core/documents/suppress-in-yaml.ts';
import type { Diagnostic, Severity } from '../../core/language/diagnostics/diagnostic.ts';
import { analyzeText, asPolicyQuery, type Catalog, type LintOptions } from '../../core/language/language-service.ts';
import { catalogFromDatasources } from '../../core/resources/catalog-from-datasources.ts';
import { createLineIndex, type LineColumn } from '../../core/text/line-index.ts';
import type { TextRange } from '../../core/text/range.ts';
import { type ContentIndex, createContentIndex, mentionsOf } from '../../core/workspace/content-index.ts';
import { duplicateIds } from '../../core/workspace/duplicate-ids.ts';
import { createPolicyIndex, type PolicyIndex, policyFactsOf } from '../../core/workspace/policy-use.ts';
import {
  asFileText,
  type FileText,
  findSourceFiles,
  readJson,
  readText,
  type SourceFile,
  whyUnreadable,
  writeWhole,
} from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { createLintConfigs, type LintConfigs } from '../lint-configs.ts';
import { parseOptions, vendorPrefixOption } from '../parse-options.ts';
import { printable } from '../printable.ts';

export const checkUsage = `lql check [--fix [--dry-run]] [--json] [--catalog FILE] [--vendor-prefix P] PATH…
  Reports what is wrong in queries: .lql files, and queries in YAML, JSON, Terraform and Markdown; and in the policies, alert profiles
  and exceptions around them. A query that one of the policies runs is checked as policies demand. PATH is a file or a folder, or -
  for a query on standard input.
  --fix              apply every fix that is safe, until none is left; then report what remains. Standard error says what was fixed
  --dry-run          with --fix: change no file, but report as if they were changed
  --catalog FILE     datasources and columns to check against, as \`lql catalog\` writes them
  --vendor-prefix P  SVC (default) or LW; given, ids that the vendor keeps for itself are reported
  --json             a JSON array of {file, range, severity, code, message}; positions as in the Language Server Protocol
  Exit code: 0 without errors, 1 with errors or files that cannot be read, 2 for a wrong command line.`;

/** One finding as it is printed: lines and characters count from 0, characters in UTF-16. */
export interface Finding {
  readonly file: string;
  readonly range: { readonly start: LineColumn; readonly end: LineColumn };
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
}

export async function check(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    fix: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
    catalog: { type: 'string' },
    'vendor-prefix': { type: 'string' },
  });
  if (positionals.length === 0) throw new UsageError('Name the files or folders to check, or - for standard input.');
  if (values['dry-run'] && !values.fix) throw new UsageError('--dry-run belongs to --fix: give both, or neither.');
  if (values.fix && positionals.includes('-')) throw new UsageError('--fix changes files; standard input is none.');
  const knownPrefix = vendorPrefixOption(values['vendor-prefix']);
  const vendorPrefix = knownPrefix ?? 'SVC';
  const catalog =
    values.catalog === undefined
      ? undefined
      : catalogFromDatasources(await readJson(io.cwd, values.catalog, 'catalog'), { origin: 'file', vendorPrefix });
  const files = await findSourceFiles(io.cwd, positionals);
  const settings: CheckSettings = { catalog, vendorPrefix, knownPrefix, configs: createLintConfigs() };
  const texts = createTexts(io);
  if (values.fix) await fixFiles(files, texts, settings, values['dry-run'] === true, io);
  const findings: Finding[] = [];
  const policies = await readPolicies(files, texts);
  const index = await indexContent(files, texts);
  for (const file of files) {
    findings.push(...(await findingsOf(file, texts, settings, policies, index)));
    if (io.signal.aborted) return 1;
  }
  for (const problem of settings.configs.problems) await io.writeError(`${problem}\n`);
  for (const problem of texts.problems) await io.writeError(`${problem}\n`);
  if (values.json) await io.writeOut(`${JSON.stringify(findings, undefined, 1)}\n`);
  else await io.writeOut(printable(asText(findings, files.length)));
  return texts.problems.length > 0 || findings.some((finding) => finding.severity === 'error') ? 1 : 0;
}

interface CheckSettings {
  readonly catalog: Catalog | undefined;
  readonly vendorPrefix: string;
  /** Undefined where nobody said whose content it is: then no id is taken for the vendor's. */
  readonly knownPrefix: string | undefined;
  readonly configs: LintConfigs;
}

interface Texts {
  /** Undefined for a file that cannot be read or is no UTF-8 text: that is a problem of its own. */
  read(file: SourceFile): Promise<FileText | undefined>;
  /** What a dry run would have written is what is read from now on. */
  replace(file: SourceFile, text: FileText): void;
  /** Each as one sentence. */
  readonly problems: readonly string[];
}

function createTexts(io: CliIo): Texts {
  const replaced = new Map<string, FileText>();
  const problems = new Set<string>();
  const load = async (file: SourceFile): Promise<FileText | undefined> => {
    if (file.isStandardInput) return asFileText(await io.readStdin());
    try {
      return await readText(file.path);
    } catch (error) {
      const why =
        error instanceof CommandError ? error.message : `'${file.name}' was not checked: ${whyUnreadable(error)}.`;
      problems.add(why);
      return undefined;
    }
  };
  return {
    async read(file) {
      const known = replaced.get(file.path);
      if (known !== undefined) return known;
      const text = await load(file);
      if (text === undefined) return undefined;
      // Standard input can be read only once.
      if (file.isStandardInput) replaced.set(file.path, text);
      if (text.isUtf8) return text;
      problems.add(`'${file.name}' is not UTF-8 text and was not checked. Save it as UTF-8.`);
      return undefined;
    },
    replace: (file, text) => void replaced.set(file.path, text),
    get problems() {
      return [...problems];
    },
  };
}

/** Writes the files with every safe fix applied, and says so. */
async function fixFiles(
  files: readonly SourceFile[],
  texts: Texts,
  settings: CheckSettings,
  isDryRun: boolean,
  io: CliIo,
): Promise<void> {
  const policies = await readPolicies(files, texts);
  for (const file of files) {
    if (io.signal.aborted) return;
    const old = await texts.read(file);
    if (old === undefined) continue;
    const optionsOf = await settings.configs.optionsFor(file.path);
    const { text, fixed } = fixDocument(old.text, (now) => checkText(now, file, settings, optionsOf, policies));
    if (text === old.text) continue;
    if (isDryRun) texts.replace(file, { ...old, text });
    else await writeWhole(file.path, old.mark + text);
    const counts = new Map<string, number>();
    for (const code of fixed) counts.set(code, (counts.get(code) ?? 0) + 1);
    const list = [...counts].map(([code, count]) => (count === 1 ? code : `${code} ×${count}`)).join(', ');
    await io.writeError(`${file.name}: ${isDryRun ? 'would fix' : 'fixed'} ${fixed.length} (${list})\n`);
  }
}

/** What the policies in these files demand of the queries they run. */
async function readPolicies(files: readonly SourceFile[], texts: Texts): Promise<PolicyIndex> {
  const policies = createPolicyIndex();
  for (const file of files) {
    if (file.host !== 'yaml' && file.host !== 'json' && file.host !== 'lql') continue;
    const read = await texts.read(file);
    if (read === undefined || dataFormOf(read.text, file.host) === undefined) continue;
    policies.set(file.path, policyFactsOf(findResources(read.text)));
  }
  return policies;
}

/** What the files define, to find what several of them do. */
async function indexContent(files: readonly SourceFile[], texts: Texts): Promise<ContentIndex> {
  const index = createContentIndex();
  for (const file of files) {
    const { text } = (await texts.read(file)) ?? { text: '' };
    if (file.isStandardInput || dataFormOf(text, file.host) === undefined) continue;
    index.set(file.name, mentionsOf(file.name, text, findResources(text), findRegions(text, file.host)));
  }
  return index;
}

async function findingsOf(
  file: SourceFile,
  texts: Texts,
  settings: CheckSettings,
  policies: PolicyIndex,
  index: ContentIndex,
): Promise<Finding[]> {
  const read = await texts.read(file);
  if (read === undefined) return [];
  const optionsOf = await settings.configs.optionsFor(file.path);
  const { queries, resources } = checkText(read.text, file, settings, optionsOf, policies);
  const lines = createLineIndex(read.text);
  const finding = ({ severity, code, message }: Diagnostic, range: TextRange): Finding => {
    const place = { start: lines.positionAt(range.start), end: lines.positionAt(range.end) };
    return { file: file.name, range: place, severity, code, message };
  };
  return [
    ...[...resources, ...duplicateIds(index, file.name)].map((diagnostic) => finding(diagnostic, diagnostic.range)),
    // What Terraform fills in later cannot be judged.
    ...queries
      .filter(({ region }) => !region.isTemplate)
      .flatMap(({ region, diagnostics }) =>
        diagnostics.map((diagnostic) => finding(diagnostic, toDocumentRange(region, diagnostic.range))),
      ),
  ];
}

function checkText(
  text: string,
  { host }: SourceFile,
  settings: CheckSettings,
  optionsOf: (queryId: string | undefined) => LintOptions,
  policies: PolicyIndex,
): CheckedDocument {
  const form = dataFormOf(text, host);
  const resources = form === undefined ? [] : findResources(text);
  const regions = findRegions(text, host);
  const found = form === undefined ? [] : checkResources(text, form, settings.knownPrefix);
  return {
    resources: form === 'yaml' ? suppressInYaml(text, found, regions) : found,
    queries: regions.map((region) => {
      const { queryId } = region;
      const query = analyzeText(region.text, settings, optionsOf(queryId));
      const demand =
        (queryId === undefined ? undefined : policies.demandOf(queryId)) ?? policies.demandAt(region, resources);
      return {
        region,
        diagnostics: demand === undefined ? query.diagnostics : asPolicyQuery(query, demand).diagnostics,
      };
    }),
  };
}

function asText(findings: readonly Finding[], fileCount: number): string {
  const shown = findings.filter((finding) => finding.severity !== 'hint');
  const lines = shown.map(({ file, range: { start }, severity, code, message }) => {
    const place = `${file}:${start.line + 1}:${start.character + 1}`;
    return `${place} ${severity} ${message.replaceAll('\n', ' ')} [${code}]`;
  });
  const count = (severity: Severity, word: string) => {
    const number = shown.filter((finding) => finding.severity === severity).length;
    return `${number} ${word}${number === 1 ? '' : 's'}`;
  };
  lines.push(
    `${fileCount} file${fileCount === 1 ? '' : 's'}, ${count('error', 'error')}, ${count('warning', 'warning')}`,
  );
  return `${lines.join('\n')}\n`;
}
