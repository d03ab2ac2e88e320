// The shipped language server as an editor meets it: how long it takes to start, to answer a keystroke, and what it holds in memory;
// beside a bare Node and beside servers for JSON, CSS and YAML, taken in turns in one run. `node scripts/build.mjs` must have run.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { repoRoot } from '../harness/paths.ts';

export interface ServerFigures {
  readonly name: string;
  /** Medians of spawn → `initialize` answered, in milliseconds, and as a multiple of a bare Node's whole life in the same run. */
  readonly startMs: number;
  readonly startRatio: number;
  /** Ninety-fifth percentiles in milliseconds: a change until its diagnostics are there, a completion request behind a change. */
  readonly diagnosticsMs: number;
  readonly completionMs: number;
  /** Resident memory in MB with one small document open; undefined where the system does not tell. */
  readonly memoryMb: number | undefined;
}

export interface LanguageServerBench {
  readonly bareNodeMs: number;
  readonly bareNodeMb: number | undefined;
  readonly servers: readonly ServerFigures[];
}

interface Contender {
  readonly name: string;
  readonly args: readonly string[];
  readonly languageId: string;
  readonly text: string;
  /** Where characters are typed, and where completion is asked for. */
  readonly character: number;
  readonly initializationOptions?: unknown;
}

const starts = 15;
const keystrokes = 200;

export async function benchLanguageServer(log: (line: string) => void): Promise<LanguageServerBench> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lql-bench-'));
  try {
    const catalogFile = path.join(folder, 'catalog.json');
    writeFileSync(catalogFile, JSON.stringify({ data: largeCatalog() }));
    const contenders = findContenders(catalogFile, log);
    const bare: number[] = [];
    const times = contenders.map((): number[] => []);
    // In turns, so that a busy moment hits everybody.
    for (let turn = 0; turn < starts; turn++) {
      bare.push(await timeBareNode());
      for (const [i, contender] of contenders.entries()) times[i]?.push(await timeStart(contender));
    }
    const bareNodeMs = quantile(bare, 0.5);
    const typists = await typeInTurns(contenders);
    const servers = typists.map(({ contender, memoryMb, diagnostics, completions }, i): ServerFigures => {
      const startMs = quantile(times[i] ?? [], 0.5);
      return {
        name: contender.name,
        startMs,
        startRatio: startMs / bareNodeMs,
        diagnosticsMs: quantile(diagnostics, 0.95),
        completionMs: quantile(completions, 0.95),
        memoryMb,
      };
    });
    return { bareNodeMs, bareNodeMb: await bareMemory(), servers };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findContenders(catalogFile: string, log: (line: string) => void): Contender[] {
  const query = '{ source { BENCH_CLOUD_S7_T7 a } filter { a.CONFIG:x = 1 } return distinct { a.NAME } }';
  const own: Contender = {
    name: 'LQL Studio, 2,300 datasources',
    args: [path.join(repoRoot, 'dist', 'server.js'), '--stdio'],
    languageId: 'lql',
    text: query,
    character: query.indexOf(':x') + 2,
    initializationOptions: { catalogFile },
  };
  const bench = path.join(repoRoot, 'test', 'bench', 'node_modules');
  const json = '{ "name": "x", "values": [1, 2, 3], "nested": { "a": true, "b": null } }';
  const peers: Contender[] = [
    {
      name: 'JSON',
      args: [path.join(bench, 'vscode-langservers-extracted/bin/vscode-json-language-server'), '--stdio'],
      languageId: 'json',
      text: json,
      character: 11,
    },
    {
      name: 'CSS',
      args: [path.join(bench, 'vscode-langservers-extracted/bin/vscode-css-language-server'), '--stdio'],
      languageId: 'css',
      text: '.abc { color: red; margin: 0 }',
      character: 3,
    },
    {
      name: 'YAML',
      args: [path.join(bench, 'yaml-language-server/bin/yaml-language-server'), '--stdio'],
      languageId: 'yaml',
      text: 'name: x\nvalues: [1, 2]\n',
      character: 7,
    },
  ];
  const present = peers.filter(({ args }) => existsSync(args[0] ?? ''));
  if (present.length < peers.length)
    log('Some peer servers are not installed (npm install in test/bench): they are left out.');
  return [own, ...present];
}

/** Datasources of the number and shape that an account has. */
function largeCatalog(): unknown[] {
  const columns = [
    'NAME',
    'ARN',
    'REGION',
    'ACCOUNT',
    'SERVICE',
    'TYPE',
    'STARTED',
    'ENDED',
    'KEY',
    'ID',
    'OWNER',
    'TAGS',
    'CONFIG',
    'STATE',
  ];
  return Array.from({ length: 2300 }, (_, i) => ({
    name: `BENCH_${['CLOUD', 'HOST', 'AUDIT'][i % 3]}_S${i % 50}_T${i}`,
    description: `What service ${i % 50} knows about things of kind ${i}`,
    resultSchema: columns.map((name) => ({
      name,
      dataType: name === 'CONFIG' || name === 'TAGS' ? 'JSON' : 'String',
      description: `${name} of the thing`,
    })),
  })).map((entry, i) => (i === 7 ? { ...entry, name: 'BENCH_CLOUD_S7_T7' } : entry));
}

async function timeBareNode(): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, ['-e', '""'], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}

async function bareMemory(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await pause(400);
  const memory = residentMb(child);
  child.kill('SIGKILL');
  return memory;
}

interface Session {
  readonly child: ChildProcess;
  readonly connection: MessageConnection;
  readonly pullsDiagnostics: boolean;
}

async function start(contender: Contender): Promise<Session> {
  const child = spawn(process.execPath, [...contender.args], { stdio: ['pipe', 'pipe', 'ignore'] });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  // Servers ask for settings and register what they can do: an editor answers.
  connection.onRequest((method: string, params: unknown) =>
    method === 'workspace/configuration' ? ((params as { items?: unknown[] }).items ?? []).map(() => null) : null,
  );
  connection.onError(() => undefined);
  connection.listen();
  const { capabilities } = await connection.sendRequest<{ capabilities: { diagnosticProvider?: unknown } }>(
    'initialize',
    {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation'] } } },
          publishDiagnostics: { versionSupport: true },
          diagnostic: {},
        },
      },
      initializationOptions: contender.initializationOptions ?? {},
    },
  );
  return { child, connection, pullsDiagnostics: capabilities.diagnosticProvider !== undefined };
}

async function timeStart(contender: Contender): Promise<number> {
  const before = performance.now();
  const { child, connection } = await start(contender);
  const time = performance.now() - before;
  connection.dispose();
  child.kill('SIGKILL');
  await once(child, 'exit');
  return time;
}

interface Typist {
  readonly contender: Contender;
  readonly memoryMb: number | undefined;
  readonly diagnostics: number[];
  readonly completions: number[];
  /** Types one more character, waits for its diagnostics, then asks for completion behind it. */
  type(): Promise<void>;
  end(): void;
}

async function openTypist(contender: Contender): Promise<Typist> {
  const { child, connection, pullsDiagnostics } = await start(contender);
  const uri = `file:///bench/document.${contender.languageId}`;
  const diagnostics: number[] = [];
  const completions: number[] = [];
  let published: (() => void) | undefined;
  let version = 1;
  connection.onNotification('textDocument/publishDiagnostics', (params: { uri: string; version?: number }) => {
    if (params.uri === uri && (params.version === undefined || params.version === version)) published?.();
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId: contender.languageId, version, text: contender.text },
  });
  await pause(1500);
  const memoryMb = residentMb(child);
  return {
    contender,
    memoryMb,
    diagnostics,
    completions,
    async type() {
      const position = { line: 0, character: contender.character + version - 1 };
      version++;
      const before = performance.now();
      const arrived = new Promise<void>((resolve) => {
        published = resolve;
      });
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: position, end: position }, text: 'a' }],
      });
      if (pullsDiagnostics) await connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
      else await Promise.race([arrived, pause(3000)]);
      diagnostics.push(performance.now() - before);
      const asked = performance.now();
      const behind = { line: 0, character: position.character + 1 };
      await connection.sendRequest('textDocument/completion', { textDocument: { uri }, position: behind });
      completions.push(performance.now() - asked);
    },
    end() {
      connection.dispose();
      child.kill('SIGKILL');
    },
  };
}

/** All type in turns. A server that waits on purpose before it checks shows that after a few characters and is left out of the rest. */
async function typeInTurns(contenders: readonly Contender[]): Promise<readonly Typist[]> {
  const typists: Typist[] = [];
  for (const contender of contenders) typists.push(await openTypist(contender));
  for (let turn = 0; turn < keystrokes; turn++) {
    for (const typist of typists) {
      if (turn < 10 || quantile(typist.diagnostics, 0.5) < 150) await typist.type();
    }
  }
  for (const typist of typists) typist.end();
  return typists;
}

function residentMb(child: ChildProcess): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

if (import.meta.main) {
  const { bareNodeMs, bareNodeMb, servers } = await benchLanguageServer(console.log);
  const number = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(1)).padStart(9);
  console.log(`${''.padEnd(32)}    start    ratio diagnostics p95  completion p95   memory MB`);
  console.log(`${'bare Node'.padEnd(32)}${number(bareNodeMs)}${number(1)}${' '.repeat(33)}${number(bareNodeMb)}`);
  for (const { name, startMs, startRatio, diagnosticsMs, completionMs, memoryMb } of servers)
    console.log(
      `${name.padEnd(32)}${number(startMs)}${number(startRatio)}${number(diagnosticsMs).padStart(16)}${number(completionMs).padStart(16)}${number(memoryMb).padStart(12)}`,
    );
}
