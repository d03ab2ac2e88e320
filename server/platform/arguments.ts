import path from 'node:path';
import { assumptions, parseSwitch, type Switches } from './assumptions.ts';
import type { ServerOptions } from './server.ts';

/** The options of a command line that starts the platform, in the form of `parseArgs` of `node:util`. */
export const platformOptions = {
  port: { type: 'string' },
  data: { type: 'string' },
  'vendor-prefix': { type: 'string' },
  sample: { type: 'string' },
  seed: { type: 'string' },
  account: { type: 'string' },
  'no-rate-limit': { type: 'boolean' },
  columnless: { type: 'boolean' },
  'spec-only': { type: 'boolean' },
  assume: { type: 'string', multiple: true },
  'unknown-fields': { type: 'boolean' },
  reset: { type: 'boolean' },
} as const;

/** What `parseArgs` makes of {@link platformOptions}. */
export type PlatformValues = {
  readonly [Name in keyof typeof platformOptions]?:
    | ((typeof platformOptions)[Name] extends { readonly multiple: true }
        ? readonly string[]
        : (typeof platformOptions)[Name]['type'] extends 'string'
          ? string
          : boolean)
    | undefined;
};

/** Explains the options, a line or more each, for the end of a usage text. */
export const platformOptionsHelp = `  --port PORT             port to listen on; a free one by default
  --data DIR              keep state in DIR and serve the files of DIR/datasources (NAME.ndjson, .json, .csv, also .gz)
  --vendor-prefix PREFIX  SVC (default) or LW
  --sample SIZE           demo (default), lab (about a million rows) or none
  --seed TEXT             another sample company
  --account NAME          name of the account
  --no-rate-limit         no limit of requests an hour
  --columnless            list datasources without their columns
  --spec-only             serve only what the specification lists
  --assume ID=CHOICE      decide what the specification leaves open; may be repeated
  --unknown-fields        add fields no client knows to every answer
  --reset                 forget the state kept in DIR, then start`;

/** The decisions that `--assume` takes. */
export const decisions = assumptions
  .flatMap((entry) => ('choices' in entry ? [`${entry.id}=${entry.choices.join('|')}`] : []))
  .join(', ');

/**
 * Reads the values of the options; folders are relative to `folder`.
 * @throws Error whose message says which value is wrong and what is possible.
 */
export function readPlatformOptions(values: PlatformValues, folder: string): ServerOptions {
  const dataFolder = values.data === undefined ? undefined : path.resolve(folder, values.data);
  if (values.reset && dataFolder === undefined) {
    throw new Error('--reset forgets the state of a data folder: name it with --data DIR.');
  }
  return {
    dataFolder,
    reset: values.reset,
    port: values.port === undefined ? undefined : readPort(values.port),
    vendorPrefix: values['vendor-prefix'],
    sample: values.sample === undefined ? undefined : readSample(values.sample),
    seed: values.seed,
    account: values.account,
    rateLimit: values['no-rate-limit'] !== true,
    columnless: values.columnless,
    specificationOnly: values['spec-only'],
    switches: readSwitches(values.assume ?? []),
    injectUnknownFields: values['unknown-fields'],
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`'${text}' is not a port. Give a number from 0 to 65535.`);
  return port;
}

function readSample(text: string): 'demo' | 'lab' | 'none' {
  if (text === 'demo' || text === 'lab' || text === 'none') return text;
  throw new Error(`'${text}' is not a size of the sample account. Choose demo, lab or none.`);
}

function readSwitches(list: readonly string[]): Partial<Switches> {
  let switches: Partial<Switches> = {};
  for (const text of list) {
    const choice = parseSwitch(text);
    if (choice === undefined) throw new Error(`'${text}' is not a decision that can be made. There are: ${decisions}.`);
    switches = { ...switches, ...choice };
  }
  return switches;
}
