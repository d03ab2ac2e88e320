import path from 'node:path';
import { findRegions, hostKindOf } from '../../core/documents/find-regions.ts';
import { analyzeText, inspectQuery, pictureText } from '../../core/language/language-service.ts';
import { catalogFromDatasources } from '../../core/resources/catalog-from-datasources.ts';
import { readJson, readText, whyUnreadable } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { parseOptions, vendorPrefixOption } from '../parse-options.ts';

export const inspectUsage = `lql inspect FILE [--catalog FILE] [--vendor-prefix P] [--json]
  Prints what the language makes of each query of FILE (- for standard input): tokens, syntax tree with types, sources, result columns.`;

export async function inspect(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    catalog: { type: 'string' },
    'vendor-prefix': { type: 'string' },
    json: { type: 'boolean' },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('Name one file, or - for standard input.');
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']) ?? 'SVC';
  const catalog =
    values.catalog === undefined
      ? undefined
      : catalogFromDatasources(await readJson(io.cwd, values.catalog, 'catalog'), { origin: 'file', vendorPrefix });
  const text =
    file === '-'
      ? await io.readStdin()
      : (await readText(path.resolve(io.cwd, file)).catch((error: unknown) => unreadable(file, error))).text;
  const regions = findRegions(text, file === '-' ? 'lql' : (hostKindOf('', file) ?? 'lql'));
  const pictures = regions.map((region) =>
    inspectQuery(analyzeText(region.text, { catalog, vendorPrefix }), region.queryId),
  );
  if (values.json) await io.writeOut(`${JSON.stringify(pictures, undefined, 1)}\n`);
  else await io.writeOut(pictures.map(pictureText).join('\n'));
  return 0;
}

function unreadable(file: string, error: unknown): never {
  if (error instanceof CommandError) throw error;
  throw new UsageError(`The file '${file}' cannot be read: ${whyUnreadable(error)}.`);
}
