/** A row of the benchmark as the service sends it: 7 numbers and 13 texts. */
export type BenchRow = Readonly<Record<string, number | string | null>>;

export const numberColumns = ['ID', 'BYTES', 'PORT', 'DURATION', 'PACKETS', 'SCORE', 'EPOCH'] as const;
export const textColumns = [
  'EVENT_TIME',
  'EVENT_ID',
  'EVENT_NAME',
  'REGION',
  'ACCOUNT',
  'USER_NAME',
  'SOURCE_IP',
  'ARN',
  'HOST',
  'USER_AGENT',
  'BUCKET',
  'ERROR_CODE',
  'MESSAGE',
] as const;

export const columnNames: readonly string[] = [...numberColumns, ...textColumns];

const events = ['ConsoleLogin', 'AssumeRole', 'PutBucketPolicy', 'DescribeInstances', 'CreateAccessKey', 'GetObject'];
const verbs = ['denied', 'granted', 'expired', 'renewed', 'revoked', 'requested', 'observed', 'ignored'];

/** A hash of an integer that spreads over 32 bits: the same rows in every process, and no order of its own. */
function mix(value: number, salt: number): number {
  let hash = Math.imul(value ^ (salt * 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const hex = (value: number): string => value.toString(16).padStart(8, '0');

/** Row `i`: ids, times and messages differ from row to row; names, regions and agents repeat, as in an account's events. */
function rowAt(i: number): BenchRow {
  const id = `${hex(mix(i, 1))}-${hex(mix(i, 2)).slice(0, 4)}-4${hex(mix(i, 3)).slice(0, 3)}-${hex(mix(i, 4))}${hex(i)}`;
  const user = mix(i, 5) % 900;
  return {
    ID: i,
    BYTES: ((i + 1) * 104_729) % 1_000_003,
    PORT: [22, 80, 443, 3389, 5432, 8080][mix(i, 6) % 6] ?? 0,
    DURATION: (mix(i, 7) % 1_000_000) / 1000,
    PACKETS: mix(i, 8) % 5000,
    SCORE: mix(i, 9) / 0x100000000 - 0.5,
    EPOCH: 1_767_225_600_000 + mix(i, 10) / 50,
    EVENT_TIME: new Date(1_767_225_600_000 + (mix(i, 11) % 86_400_000)).toISOString(),
    EVENT_ID: id,
    EVENT_NAME: events[mix(i, 12) % events.length] ?? '',
    REGION: `eu-central-${(mix(i, 13) % 16) + 1}`,
    ACCOUNT: String(100_000_000_000 + (mix(i, 14) % 7)),
    USER_NAME: `user-${user}@example.com`,
    SOURCE_IP: `10.${mix(i, 15) % 256}.${mix(i, 16) % 256}.${mix(i, 17) % 256}`,
    ARN: `arn:aws:iam::100000000000:role/service-role/${hex(mix(i, 18))}`,
    HOST: `ip-10-${mix(i, 15) % 256}-${mix(i, 16) % 256}-${mix(i, 19) % 4096}.internal`,
    USER_AGENT: `aws-cli/2.${mix(i, 20) % 40}.0 Python/3.12 Linux/6.8 exe/x86_64`,
    BUCKET: `logs-${hex(mix(mix(i, 21) % 4000, 22))}`,
    ERROR_CODE: mix(i, 23) % 5 === 0 ? 'AccessDenied' : null,
    MESSAGE: `Access to Object-${mix(i, 24) % 50_000} was ${verbs[mix(i, 25) % verbs.length]} for session ${hex(mix(i, 26))}`,
  };
}

/** Rows as a client delivers them: parsed from JSON, page by page, so that they have the shapes and texts of a parsed answer. */
export function benchRows(count: number): BenchRow[] {
  const rows: BenchRow[] = [];
  const pageRows = 5000;
  for (let start = 0; start < count; start += pageRows) {
    const page = Array.from({ length: Math.min(pageRows, count - start) }, (_, i) => rowAt(start + i));
    for (const row of JSON.parse(JSON.stringify(page)) as BenchRow[]) rows.push(row);
  }
  return rows;
}

/** What the contestants are asked to do, and the id of the row that must come first once it is done. */
export interface Tasks {
  readonly number: { readonly column: 'BYTES'; readonly first: string };
  readonly text: { readonly column: 'EVENT_ID'; readonly first: string };
  readonly filter: {
    readonly column: 'MESSAGE';
    readonly needle: string;
    readonly first: string;
    readonly count: number;
  };
  readonly search: { readonly needle: string; readonly first: string; readonly count: number };
}

/** Found by plain loops over the rows, so that a contestant with a wrong answer is seen to have one. */
export function tasksOver(rows: readonly BenchRow[]): Tasks {
  const firstBy = (before: (a: BenchRow, b: BenchRow) => boolean): string =>
    String(rows.reduce((best, row) => (before(row, best) ? row : best))['ID']);
  const needle = 'object-4711';
  const filtered = rows.filter((row) => String(row['MESSAGE']).toLowerCase().includes(needle));
  const word = 'user-471@';
  const found = rows.filter((row) => columnNames.some((name) => String(row[name]).toLowerCase().includes(word)));
  const text = (row: BenchRow, column: string): string => String(row[column]);
  return {
    number: { column: 'BYTES', first: firstBy((a, b) => Number(a['BYTES']) < Number(b['BYTES'])) },
    text: { column: 'EVENT_ID', first: firstBy((a, b) => text(a, 'EVENT_ID') < text(b, 'EVENT_ID')) },
    filter: { column: 'MESSAGE', needle, first: String(filtered[0]?.['ID']), count: filtered.length },
    search: { needle: word, first: String(found[0]?.['ID']), count: found.length },
  };
}
