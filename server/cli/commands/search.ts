import path from 'node:path';
import type { ApiClient, CallSettings } from '../../api/client.ts';
import type { AnyEndpoint } from '../../api/endpoint.ts';
import { endpoints } from '../../api/endpoints/index.ts';
import { parseFilter } from '../../api/filter-text.ts';
import { collectPages, type Page } from '../../api/paging.ts';
import { type BoundedSearch, searchWindows } from '../../api/search-windows.ts';
import type { SearchFilter } from '../../core/resources/search.ts';
import { formatTime } from '../../core/resources/time.ts';
import { defaultTimeRange, parseTimeRange, type TimeRange } from '../../core/resources/time-range.ts';
import { createRowStore, type RowStore } from '../../core/results/row-store.ts';
import { withAccount } from '../account.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { parseOptions, vendorPrefixOption, wholeNumber } from '../parse-options.ts';
import { outputFormat, writeRows } from '../row-output.ts';
import { rangeOf, timeRange } from '../time-range-options.ts';

type SourceRow = Parameters<RowStore['append']>[0][number];

/** What can be searched, by the name on the command line. */
const searchable: ReadonlyMap<string, AnyEndpoint> = new Map<string, AnyEndpoint>([
  ...Object.entries(endpoints.searches).map(([name, endpoint]) => [kebab(name), endpoint] as const),
  ['alerts', endpoints.alerts.search],
  ['audit-logs', endpoints.auditLogs.search],
  ['cloud-activities', endpoints.cloudActivities.search],
]);

export const searchUsage = `lql search WHAT [--where "FIELD EXPRESSION VALUE"]… [--range R | --start S --end E] [--returns A,B] [--limit N] [--output table|json|ndjson|csv]
  Searches a local platform with sample data, or the account of --profile. Ranges of more than 7 days are searched piece by piece where the
  service allows no more at once. Ends with 1 when the result is not complete.
  WHAT               ${wrapped([...searchable.keys()])}
  --where FILTER     status eq ACTIVE, size between 1,100, tags."team:name" in blue,red; may be repeated, and all have to hold
  --range R          last 24 hours (default), last 30 days, yesterday, -24h, 2031-04-01 to 2031-04-02 (UTC)
  --start, --end     one moment each: 2031-04-01, 2031-04-01T08:30:00Z, -7d@d, now
  --returns A,B      only these fields of the records
  --dataset NAME     of compliance-evaluations: AwsCompliance, AzureCompliance, GcpCompliance or K8sCompliance
  --csp NAME         of inventory: AWS, Azure or GCP
  --limit N          most rows to fetch
  --profile NAME     a profile of the vendor CLI's file (~/.lacework.toml); LW_ environment variables go before it
  --vendor-prefix P  SVC, or LW (default with --profile)
  --data DIR         folder of the local platform`;

export async function search(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    where: { type: 'string', multiple: true },
    range: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    returns: { type: 'string' },
    dataset: { type: 'string' },
    csp: { type: 'string' },
    limit: { type: 'string' },
    output: { type: 'string' },
    profile: { type: 'string' },
    'vendor-prefix': { type: 'string' },
    data: { type: 'string' },
  });
  const [what, ...others] = positionals;
  const endpoint = what === undefined ? undefined : searchable.get(what);
  if (!endpoint || others.length > 0)
    throw new UsageError(`Name one thing to search: ${[...searchable.keys()].join(', ')}.`);
  const output = outputFormat(values.output);
  const limit = wholeNumber('limit', values.limit, 1);
  const filters = (values.where ?? []).map(filterOf);
  const range =
    timeRange(values.range, values.start, values.end, io.now()) ?? rangeOf(parseTimeRange(defaultTimeRange, io.now()));
  const { dataset, csp } = values;
  const body = {
    ...(filters.length > 0 ? { filters } : {}),
    ...(values.returns === undefined ? {} : { returns: values.returns.split(',').map((field) => field.trim()) }),
    ...(dataset === undefined ? {} : { dataset }),
    ...(csp === undefined ? {} : { csp }),
  };
  const data = values.data === undefined ? undefined : path.resolve(io.cwd, values.data);
  const vendorPrefix = vendorPrefixOption(values['vendor-prefix']);
  return withAccount({ profile: values.profile, vendorPrefix, data }, io, async (account): Promise<ExitCode> => {
    const pages = pagesOf(account.client, endpoint, body, range, { signal: io.signal });
    const { rows, incomplete } = await collectPages(pages, limit);
    const store = createRowStore();
    store.append(rows);
    await writeRows(store, output, io);
    const window = `${formatTime(range.start)} to ${formatTime(range.end)}`;
    await io.writeError(`${rows.length} row${rows.length === 1 ? '' : 's'} · ${window} · ${account.name}\n`);
    if (incomplete === undefined) return 0;
    await io.writeError(`The result is not complete. ${incomplete}\n`);
    return 1;
  });
}

/** The pages of a search; of several searches where the service takes no range of this length at once. */
function pagesOf(
  client: ApiClient,
  endpoint: AnyEndpoint,
  body: Readonly<Record<string, unknown>>,
  range: TimeRange,
  settings: CallSettings,
): AsyncIterable<Page<SourceRow>> {
  // Bodies come from the command line: the client checks them against the definition before anything is sent.
  if (endpoint.boundedTime) {
    const bounded = searchWindows as (
      ...given: readonly [ApiClient, BoundedSearch, object, TimeRange, CallSettings]
    ) => AsyncIterable<Page<SourceRow>>;
    return bounded(client, endpoint as BoundedSearch, body, range, settings);
  }
  const timeFilter = { startTime: formatTime(range.start), endTime: formatTime(range.end) };
  const all = client.pages as (called: AnyEndpoint, call: object) => AsyncIterable<Page<SourceRow>>;
  return all(endpoint, { ...settings, body: { ...body, timeFilter } });
}

function filterOf(text: string): SearchFilter {
  const read = parseFilter(text);
  if (read.kind === 'invalid') throw new UsageError(`--where: ${read.message}`);
  return read.filter;
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function wrapped(names: readonly string[]): string {
  const lines: string[] = [''];
  for (const name of names) {
    const line = lines.at(-1) ?? '';
    if (line.length + name.length > 100) lines.push(name);
    else lines[lines.length - 1] = line === '' ? name : `${line}, ${name}`;
  }
  return lines.join(',\n                     ');
}
