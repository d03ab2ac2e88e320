import { dataFormOf, findRegions } from '../../core/documents/find-regions.ts';
import { toDocumentRange } from '../../core/documents/region.ts';
import { checkResources, findResources } from '../../core/documents/resources/check-resources.ts';
import type { Diagnostic, Severity } from '../../core/language/diagnostics/diagnostic.ts';
import { analyzeText, type Catalog, checkPolicyQuery } from '../../core/language/language-service.ts';
import { catalogFromDatasources } from '../../core/resources/catalog-from-datasources.ts';
import { createLineIndex, type LineColumn } from '../../core/text/line-index.ts';
import type { TextRange } from '../../core/text/range.ts';
import { queryIdsOfPolicies, standsInPolicy } from '../../core/workspace/policy-use.ts';
import { findSourceFiles, readJson, readText, type SourceFile } from '../files.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { createLintConfigs, type LintConfigs } from '../lint-configs.ts';
import { parseOptions, vendorPrefixOption } from '../parse-options.ts';
import { printable } from '../printable.ts';

export const checkUsage = `lql check [--json] [--catalog FILE] [--vendor-prefix P] PATH…
  Reports what is wrong in queries: .lql files, and queries in YAML, JSON, Terraform and Markdown; and in the policies, alert profiles
  and exceptions around them. A query that one of the policies runs is checked as policies demand. PATH is a file or a folder.
  --catalog FILE     datasources and columns to check against, as \`lql catalog\` writes them
  --vendor-prefix P  SVC (default) or LW
  --json             a JSON array of {file, range, severity, code, message}; positions as in the Language Server Protocol
  Exit code: 0 without errors, 1 with errors, 2 for a wrong command line.`;

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
    json: { type: 'boolean' },
    catalog: { type: 'string' },
    'vendor-prefix': { type: 'string' },
  });
  if (positionals.length === 0) throw new UsageError('Name the files or folders to check.');
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']) ?? 'SVC';
  const catalog =
    values.catalog === undefined
      ? undefined
      : catalogFromDatasources(await readJson(io.cwd, values.catalog, 'catalog'), { origin: 'file', vendorPrefix });
  const files = await findSourceFiles(io.cwd, positionals);
  const configs = createLintConfigs();
  const findings: Finding[] = [];
  const usedByPolicies = await findUsedQueries(files);
  for (const file of files) {
    findings.push(...(await checkFile(file, { catalog, vendorPrefix }, configs, usedByPolicies)));
    if (io.signal.aborted) return 1;
  }
  for (const problem of configs.problems) await io.writeError(`${problem}\n`);
  if (values.json) await io.writeOut(`${JSON.stringify(findings, undefined, 1)}\n`);
  else await io.writeOut(printable(asText(findings, files.length)));
  return findings.some((finding) => finding.severity === 'error') ? 1 : 0;
}

/** Ids of the queries that policies in these files run. */
async function findUsedQueries(files: readonly SourceFile[]): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  for (const file of files) {
    if (file.host !== 'yaml' && file.host !== 'json' && file.host !== 'lql') continue;
    const { text } = await readText(file.path);
    if (dataFormOf(text, file.host) === undefined) continue;
    for (const id of queryIdsOfPolicies(findResources(text))) used.add(id);
  }
  return used;
}

async function checkFile(
  file: SourceFile,
  settings: { readonly catalog: Catalog | undefined; readonly vendorPrefix: string },
  configs: LintConfigs,
  usedByPolicies: ReadonlySet<string>,
): Promise<Finding[]> {
  const { text } = await readText(file.path);
  const lines = createLineIndex(text);
  const findings: Finding[] = [];
  const add = ({ severity, code, message }: Diagnostic, range: TextRange): void => {
    const place = { start: lines.positionAt(range.start), end: lines.positionAt(range.end) };
    findings.push({ file: file.name, range: place, severity, code, message });
  };
  const form = dataFormOf(text, file.host);
  const resources = form === undefined ? [] : findResources(text);
  if (form !== undefined) for (const diagnostic of checkResources(text, form)) add(diagnostic, diagnostic.range);
  for (const region of findRegions(text, file.host)) {
    // What Terraform fills in later cannot be judged.
    if (region.isTemplate) continue;
    const options = await configs.optionsFor(file.path, region.queryId);
    const { diagnostics, model } = analyzeText(region.text, settings, options);
    const isUsed =
      (region.queryId !== undefined && usedByPolicies.has(region.queryId)) || standsInPolicy(region, resources);
    for (const diagnostic of isUsed ? [...diagnostics, ...checkPolicyQuery(model)] : diagnostics)
      add(diagnostic, toDocumentRange(region, diagnostic.range));
  }
  return findings;
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
