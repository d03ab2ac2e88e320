import path from 'node:path';
import type { ApiClient } from '../../api/client.ts';
import { endpoints } from '../../api/endpoints/index.ts';
import { ApiError } from '../../api/transport/errors.ts';
import type { Column } from '../../core/language/catalog/catalog.ts';
import { catalogFromDatasources } from '../../core/resources/catalog-from-datasources.ts';
import { columnsFromSchemaAnswer } from '../../core/resources/columns-from-schema.ts';
import { schemaNameFor } from '../../core/resources/schema-names.ts';
import { withAccount } from '../account.ts';
import { writeWhole } from '../files.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { parseOptions, vendorPrefixOption } from '../parse-options.ts';

export const catalogUsage = `lql catalog --output FILE [--schemas FILE] [--profile NAME]
  Writes the datasources of the local platform, or of the account of --profile, for \`check --catalog\` and the language server.
  --output FILE      the answer of the datasource list, as JSON (- for standard output)
  --schemas FILE     also fetch the columns that the list lacks, and write them as JSON by datasource
  --profile NAME     a profile of the vendor CLI's file (~/.lacework.toml); LW_ environment variables go before it
  --vendor-prefix P  SVC, or LW (default with --profile)
  --data DIR         folder of the local platform`;

export async function catalog(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    output: { type: 'string' },
    schemas: { type: 'string' },
    profile: { type: 'string' },
    'vendor-prefix': { type: 'string' },
    data: { type: 'string' },
  });
  const { output } = values;
  if (output === undefined || positionals.length > 0) throw new UsageError('Name the file to write: --output FILE.');
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']);
  const data = values.data === undefined ? undefined : path.resolve(io.cwd, values.data);
  return withAccount({ profile: values.profile, vendorPrefix, data }, io, async (account): Promise<ExitCode> => {
    const answer = await account.client.call(endpoints.datasources.list, { signal: io.signal });
    const text = `${JSON.stringify(answer, undefined, 1)}\n`;
    if (output === '-') await io.writeOut(text);
    else await writeWhole(path.resolve(io.cwd, output), text);
    await io.writeError(`${answer.data.length} datasources of ${account.name}\n`);
    if (values.schemas !== undefined) {
      const schemas = await fetchSchemas(answer, account.client, account.vendorPrefix, io.signal);
      await writeWhole(path.resolve(io.cwd, values.schemas), `${JSON.stringify(schemas, undefined, 1)}\n`);
      await io.writeError(`${Object.keys(schemas).length} schemas of datasources that were listed without columns\n`);
    }
    return 0;
  });
}

/** Columns by datasource for those that the list gives none, one request a schema. A schema that the service lacks is left out. */
async function fetchSchemas(
  answer: unknown,
  client: ApiClient,
  vendorPrefix: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, readonly Column[]>>> {
  const listed = catalogFromDatasources(answer, { origin: 'file', vendorPrefix });
  const fetched = new Map<string, readonly Column[] | undefined>();
  const schemas: Record<string, readonly Column[]> = {};
  for (const datasource of listed.datasources.values()) {
    const name = datasource.columns === undefined ? schemaNameFor(datasource.name, vendorPrefix) : undefined;
    if (!name) continue;
    const key = `${name.type}/${name.subtype ?? ''}`;
    if (!fetched.has(key)) fetched.set(key, await fetchSchema(client, name, signal));
    const columns = fetched.get(key);
    if (columns) schemas[datasource.name] = columns;
  }
  return schemas;
}

async function fetchSchema(
  client: ApiClient,
  { type, subtype }: { readonly type: string; readonly subtype: string | undefined },
  signal: AbortSignal,
): Promise<readonly Column[] | undefined> {
  try {
    const answer =
      subtype === undefined
        ? await client.call(endpoints.schemas.get, { params: { type }, signal })
        : await client.call(endpoints.schemas.getSubtype, { params: { type, subtype }, signal });
    return columnsFromSchemaAnswer(answer);
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 404)) return undefined;
    throw error;
  }
}
