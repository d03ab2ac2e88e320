import { Hono } from 'hono';
import { evaluateDuePolicies } from './alerting/evaluate-policies.ts';
import { createSchedule, type Schedule } from './alerting/schedule.ts';
import { createDatasets, type Datasets } from './data/datasets.ts';
import { createImportedTables, type ImportedTables } from './data/imported-tables.ts';
import { type ApiKey, type ApiKeys, createApiKeys } from './http/api-keys.ts';
import { withFault } from './http/fault-response.ts';
import { createFaultPlan, type FaultPlan } from './http/faults.ts';
import { createService } from './http/service.ts';
import { type PlatformOptions, type PlatformSettings, settingsFrom } from './settings.ts';
import { createFolderStore, createMemoryStore, type StateStore } from './state/state-store.ts';

/** A platform without a socket: requests go in and answers come out, in this process. */
export interface PlatformApp {
  readonly settings: PlatformSettings;
  /** The key the platform made or was given; another process needs it to get a token. */
  readonly key: ApiKey;
  /** What an administrator does with keys in the service's console. */
  readonly keys: ApiKeys;
  readonly store: StateStore;
  readonly datasets: Datasets;
  readonly imported: ImportedTables;
  /** Disturbances for tests. */
  readonly faults: FaultPlan;
  readonly hono: Hono<PlatformBindings>;
  /** Runs the policies of used accounts when they are due, once it is started; requests need it not. */
  readonly schedule: Schedule;
  /** Requests that are being worked on: what a client left behind shows here until it ends. */
  readonly running: () => number;
  /** Answers a request; paths are absolute, any host will do. */
  request(path: string | Request, init?: RequestInit): Promise<Response>;
  /** Ends what runs; settles when nothing does and nothing more is written. */
  close(): Promise<void>;
}

/** What a server can tell about the socket below a request. */
export interface PlatformBindings {
  Bindings: { readonly closeSocket?: () => void };
}

/** Builds the platform: settings, state, data and every operation of the service behind one Hono application. */
export function createPlatformApp(options: PlatformOptions = {}): PlatformApp {
  const settings = settingsFrom(options);
  const store =
    options.dataFolder === undefined ? createMemoryStore() : createFolderStore(`${options.dataFolder}/state`);
  const imported = createImportedTables(
    options.dataFolder === undefined ? undefined : `${options.dataFolder}/datasources`,
  );
  const datasets = createDatasets(settings, imported);
  const keys = createApiKeys();
  const key = keys.create({
    account: settings.account,
    user: `analyst@${settings.account}.example`,
    keyId: options.keyId,
    secret: options.secret,
  });
  const faults = createFaultPlan();
  const lifetime = new AbortController();
  const answer = createService({ settings, store, datasets, keys, lifetime: lifetime.signal });
  const schedule = createSchedule(runDuePolicies, settings.timers, (error) => {
    console.error(`Policies could not be evaluated: ${error instanceof Error ? error.message : String(error)}`);
  });
  let running = 0;
  let idle: (() => void) | undefined;
  const service = async (request: Request): Promise<Response> => {
    running++;
    try {
      return await answer(request);
    } finally {
      running--;
      if (running === 0) idle?.();
    }
  };
  const hono = new Hono<PlatformBindings>();
  hono.all('*', async (context) => {
    const request = context.req.raw;
    const fault = faults.take(request.method, new URL(request.url).pathname);
    if (fault === undefined) return service(request);
    return withFault(fault, () => service(request), context.env?.closeSocket);
  });
  return {
    settings,
    key,
    keys,
    store,
    datasets,
    imported,
    faults,
    hono,
    schedule,
    running: () => running,
    request: async (path, init) => hono.request(path, init),
    async close() {
      lifetime.abort();
      await schedule.stop();
      if (running === 0) return;
      await new Promise<void>((resolve) => {
        idle = resolve;
      });
    },
  };

  async function runDuePolicies(): Promise<void> {
    for (const account of store.used()) {
      await evaluateDuePolicies({ settings, datasets, account, now: settings.now(), lifetime: lifetime.signal });
    }
  }
}
