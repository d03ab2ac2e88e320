import path from 'node:path';
import { endpoints } from '../../api/endpoints/index.ts';
import { findRegions, hostKindOf } from '../../core/documents/find-regions.ts';
import type { Region } from '../../core/documents/region.ts';
import { checkArgument, parseDirectives } from '../../core/documents/run-directives.ts';
import { toWireText } from '../../core/language/format/wire.ts';
import { analyzeText } from '../../core/language/language-service.ts';
import { endTimeArgument, startTimeArgument } from '../../core/resources/execution.ts';
import { formatTime } from '../../core/resources/time.ts';
import { defaultTimeRange, parseTimeRange, type TimeRange } from '../../core/resources/time-range.ts';
import { createRowStore, type RowStore } from '../../core/results/row-store.ts';
import { withAccount } from '../account.ts';
import { readText, whyUnreadable } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { parseOptions, vendorPrefixOption, wholeNumber } from '../parse-options.ts';
import { outputFormat, writeRows } from '../row-output.ts';
import { rangeOf, timeRange } from '../time-range-options.ts';
import { refusal } from './flatten.ts';

export const runUsage = `lql run FILE [--range R | --start S --end E] [--arg K=V]… [--limit N] [--output table|json|ndjson|csv]
  Runs the query of FILE (- for standard input) on a local platform with sample data, or in the account of --profile.
  --range R          last 24 hours (default), last 7 days, yesterday, this month, -24h, 2031-04-01 to 2031-04-02 (UTC)
  --start, --end     one moment each: 2031-04-01, 2031-04-01T08:30:00Z, -7d@d, now
  --arg K=V          an argument of the query; may be repeated
  --limit N          most rows to return
                     a file may say so itself: -- @range last 7 days, -- @arg Name=value, -- @limit 100
  --query ID         which query, when FILE holds several
  --profile NAME     a profile of the vendor CLI's file (~/.lacework.toml); LW_ environment variables go before it
  --vendor-prefix P  SVC, or LW (default with --profile, and where the query reads LW_ datasources)
  --data DIR         folder of the local platform: DIR/datasources/NAME.ndjson|json|csv are datasources`;

export async function run(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    range: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    arg: { type: 'string', multiple: true },
    limit: { type: 'string' },
    output: { type: 'string' },
    query: { type: 'string' },
    profile: { type: 'string' },
    'vendor-prefix': { type: 'string' },
    data: { type: 'string' },
  });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new UsageError('Name one file with the query to run, or - for standard input.');
  const output = outputFormat(values.output);
  const givenLimit = wholeNumber('limit', values.limit, 1);
  const givenArguments = (values.arg ?? []).map(argumentOf);
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']);
  const givenRange = timeRange(values.range, values.start, values.end, io.now());
  const region = await readQuery(file, values.query, io);
  // What the command line says goes before what the file says.
  const directives = parseDirectives(region.text);
  for (const problem of directives.problems) await io.writeError(`${problem}\n`);
  for (const { name, value } of givenArguments) {
    const type = directives.asked.find((asked) => asked.name === name)?.type;
    const checked = type && checkArgument(type, value);
    if (checked?.kind === 'refused') throw new UsageError(`--arg ${name}: ${checked.message}`);
  }
  const limit = givenLimit ?? directives.limit;
  const range = givenRange ?? rangeOf(parseTimeRange(directives.range ?? defaultTimeRange, io.now()));
  const queryArguments = [
    ...directives.arguments.filter(({ name }) => !givenArguments.some((given) => given.name === name)),
    ...givenArguments,
  ];
  const missing = directives.asked.filter(({ name }) => !queryArguments.some((given) => given.name === name));
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name);
    throw new UsageError(`The query asks for ${names.join(', ')}. Give it with --arg ${names[0]}=value.`);
  }
  const wire = toWireText(region.text);
  if (wire.kind === 'refused') {
    await io.writeError(refusal(file, region.text, wire.diagnostics));
    return 1;
  }
  const data = values.data === undefined ? undefined : path.resolve(io.cwd, values.data);
  const prefix = vendorPrefix ?? (values.profile === undefined ? prefixOf(region.text) : undefined);
  return withAccount(
    { profile: values.profile, vendorPrefix: prefix, data },
    io,
    async (account): Promise<ExitCode> => {
      const started = performance.now();
      const answer = await account.client.call(endpoints.queries.execute, {
        body: {
          query: { queryText: wire.text },
          ...(limit === undefined ? {} : { options: { limit } }),
          arguments: [
            { name: startTimeArgument, value: formatTime(range.start) },
            { name: endTimeArgument, value: formatTime(range.end) },
            ...queryArguments,
          ],
        },
        signal: io.signal,
      });
      const milliseconds = Math.round(performance.now() - started);
      const store = storeFor(region.text, account.vendorPrefix);
      store.append(answer.data);
      await writeRows(store, output, io);
      await io.writeError(summary(store.rowCount, milliseconds, range, account.name));
      return 0;
    },
  );
}

// Queries of the real service run on the local platform as they are: it takes over the prefix of their datasources.
function prefixOf(text: string): string | undefined {
  const { model } = analyzeText(text, { catalog: undefined, vendorPrefix: 'SVC' });
  return model.datasourceNames.some((name) => name.startsWith('LW_')) ? 'LW' : undefined;
}

// The result's columns in the order of the query, also those that no row has.
function storeFor(text: string, vendorPrefix: string): RowStore {
  const { model } = analyzeText(text, { catalog: undefined, vendorPrefix });
  return createRowStore(model.resultColumns.map(({ name, label, type }) => ({ name, label, type })));
}

function summary(rows: number, milliseconds: number, { start, end }: TimeRange, account: string): string {
  const counted = `${rows} row${rows === 1 ? '' : 's'} in ${milliseconds} ms · ${formatTime(start)} to ${formatTime(end)} · ${account}\n`;
  if (rows > 0) return counted;
  return `${counted}Nothing matches in this window. Configuration data is collected about once a day: try --range "last 7 days".\n`;
}

async function readQuery(file: string, id: string | undefined, io: CliIo): Promise<Pick<Region, 'text' | 'queryId'>> {
  const name = file === '-' ? 'standard input' : `'${file}'`;
  const text =
    file === '-' ? (await io.readStdin()).replace(/^\uFEFF/, '') : await readNamed(path.resolve(io.cwd, file), file);
  const regions = findRegions(text, file === '-' ? 'lql' : (hostKindOf('', file) ?? 'lql'));
  const wanted = id === undefined ? regions : regions.filter((region) => region.queryId === id);
  const [only, ...more] = wanted;
  if (!only)
    throw new CommandError(
      id === undefined ? `There is no query in ${name}.` : `There is no query '${id}' in ${name}.`,
    );
  if (more.length > 0) {
    const ids = regions.map((region) => region.queryId ?? 'without an id').join(', ');
    throw new UsageError(`${name} holds ${regions.length} queries (${ids}). Choose one with --query ID.`);
  }
  if (only.isTemplate)
    throw new CommandError(`The query in ${name} is a template with parts to be filled in; it cannot be run as it is.`);
  return only;
}

async function readNamed(absolute: string, file: string): Promise<string> {
  try {
    return (await readText(absolute)).text;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new UsageError(`The file '${file}' cannot be read: ${whyUnreadable(error)}.`);
  }
}

function argumentOf(text: string): { name: string; value: string } {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`--arg takes NAME=VALUE, not '${text}'.`);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}
