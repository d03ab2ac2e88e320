import { findRegions } from '../../core/documents/find-regions.ts';
import { toDocumentEdits } from '../../core/documents/region.ts';
import { format as formatQuery } from '../../core/language/format/format.ts';
import { parse } from '../../core/language/syntax/parse.ts';
import { applyEdits } from '../../core/text/edits.ts';
import { findSourceFiles, readText, type SourceFile, writeWhole } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { parseOptions } from '../parse-options.ts';

export const formatUsage = `lql format [--check|--write] [PATH…]
  Formats queries. Without PATH: standard input to standard output. With one PATH: to standard output.
  --write  change the files
  --check  change nothing; name the files that are not formatted
  A query with syntax errors is left as it is.
  Exit code: 0 when all is well; 1 when a query has syntax errors, a file is no UTF-8 text, or, with --check, a file is not formatted;
  2 for a wrong command line.`;

export async function format(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, { check: { type: 'boolean' }, write: { type: 'boolean' } });
  if (values.check && values.write) throw new UsageError('--check and --write exclude each other.');
  if (positionals.length === 0 || (positionals.length === 1 && positionals[0] === '-'))
    return formatStdin(values.check === true, values.write === true, io);
  if (positionals.includes('-')) throw new UsageError('Standard input (-) is formatted alone, not with files.');
  const files = await findSourceFiles(io.cwd, positionals);
  if (!values.check && !values.write) {
    const [only, ...others] = files;
    if (!only || others.length > 0) throw new UsageError('For several files say --write or --check.');
    const { text, mark, isUtf8 } = await readText(only.path);
    if (!isUtf8) throw new CommandError(notUtf8(only));
    await io.writeOut(mark + formatDocument(text, only));
    if (!hasSyntaxErrors(text, only)) return 0;
    await io.writeError(`${leftAlone(only.name)}\n`);
    return 1;
  }
  const changed: string[] = [];
  let refused = false;
  for (const file of files) {
    const { text, mark, isUtf8 } = await readText(file.path);
    if (!isUtf8) {
      await io.writeError(`${notUtf8(file)}\n`);
      refused = true;
      continue;
    }
    if (hasSyntaxErrors(text, file)) {
      await io.writeError(`${leftAlone(file.name)}\n`);
      refused = true;
    }
    const formatted = formatDocument(text, file);
    if (formatted === text) continue;
    changed.push(file.name);
    if (values.write) await writeWhole(file.path, mark + formatted);
  }
  const verb = values.write ? 'formatted' : 'not formatted';
  for (const name of changed) await io.writeOut(`${name}: ${verb}\n`);
  return refused || (values.check && changed.length > 0) ? 1 : 0;
}

async function formatStdin(checkOnly: boolean, write: boolean, io: CliIo): Promise<ExitCode> {
  if (write) throw new UsageError('--write needs the files to change.');
  const text = await io.readStdin();
  const { text: formatted } = formatQuery(text, {});
  const isBroken = brokenQuery(text);
  if (isBroken) await io.writeError(`${leftAlone('standard input')}\n`);
  if (!checkOnly) await io.writeOut(formatted);
  return isBroken || (checkOnly && formatted !== text) ? 1 : 0;
}

/** Whoever formats a whole folder must hear which files were passed over, and why. */
function leftAlone(name: string): string {
  return `'${name}' has syntax errors; the query they are in was left as it is. \`lql check\` says where.`;
}

const brokenQuery = (text: string): boolean => parse(text).diagnostics.some(({ severity }) => severity === 'error');

function hasSyntaxErrors(text: string, file: SourceFile): boolean {
  return findRegions(text, file.host).some((region) => !region.isTemplate && brokenQuery(region.text));
}

function notUtf8({ name }: SourceFile): string {
  return `'${name}' is not UTF-8 text and was left as it is: writing it back would lose characters. Save it as UTF-8 first.`;
}

/** The document with every query in it formatted. A query that its host cannot hold in the new form stays as it is. */
function formatDocument(text: string, file: SourceFile): string {
  const edits = findRegions(text, file.host)
    .filter((region) => !region.isTemplate)
    .flatMap((region) => toDocumentEdits(region, formatQuery(region.text, {}).edits) ?? []);
  return applyEdits(text, edits);
}
