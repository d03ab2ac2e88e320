import { type CliIo, CommandError, type ExitCode, UsageError } from './io.ts';
import { printable } from './printable.ts';

interface Command {
  readonly name: string;
  readonly summary: string;
  /** Loads the command: what it needs is read only when it is used. */
  readonly load: () => Promise<{
    readonly usage: string;
    readonly run: (args: readonly string[], io: CliIo) => Promise<ExitCode>;
  }>;
}

const commands: readonly Command[] = [
  {
    name: 'check',
    summary: 'report what is wrong in queries',
    load: async () => {
      const { check, checkUsage } = await import('./commands/check.ts');
      return { usage: checkUsage, run: check };
    },
  },
  {
    name: 'format',
    summary: 'format queries',
    load: async () => {
      const { format, formatUsage } = await import('./commands/format.ts');
      return { usage: formatUsage, run: format };
    },
  },
  {
    name: 'flatten',
    summary: 'write a query as the one line that is sent',
    load: async () => {
      const { flatten, flattenUsage } = await import('./commands/flatten.ts');
      return { usage: flattenUsage, run: flatten };
    },
  },
  {
    name: 'run',
    summary: 'run a query and print its rows',
    load: async () => {
      const { run, runUsage } = await import('./commands/run.ts');
      return { usage: runUsage, run };
    },
  },
  {
    name: 'search',
    summary: 'search activities, entities, alerts and logs',
    load: async () => {
      const { search, searchUsage } = await import('./commands/search.ts');
      return { usage: searchUsage, run: search };
    },
  },
  {
    name: 'catalog',
    summary: 'write the datasources of an account to a file',
    load: async () => {
      const { catalog, catalogUsage } = await import('./commands/catalog.ts');
      return { usage: catalogUsage, run: catalog };
    },
  },
  {
    name: 'pull',
    summary: 'bring what is new in an account into files',
    load: async () => {
      const { pull, pullUsage } = await import('./commands/pull.ts');
      return { usage: pullUsage, run: pull };
    },
  },
  {
    name: 'plan',
    summary: 'show what deploying the files would do',
    load: async () => {
      const { plan, planUsage } = await import('./commands/plan.ts');
      return { usage: planUsage, run: plan };
    },
  },
  {
    name: 'deploy',
    summary: 'apply a saved plan to an account',
    load: async () => {
      const { deploy, deployUsage } = await import('./commands/deploy.ts');
      return { usage: deployUsage, run: deploy };
    },
  },
  {
    name: 'drift',
    summary: 'show what changed in an account without the files',
    load: async () => {
      const { drift, driftUsage } = await import('./commands/drift.ts');
      return { usage: driftUsage, run: drift };
    },
  },
  {
    name: 'undo',
    summary: 'plan to take the last deployment back',
    load: async () => {
      const { undo, undoUsage } = await import('./commands/undo.ts');
      return { usage: undoUsage, run: undo };
    },
  },
  {
    name: 'platform',
    summary: 'serve the REST API on this computer',
    load: async () => {
      const { platform, platformUsage } = await import('./commands/platform.ts');
      return { usage: platformUsage, run: platform };
    },
  },
  {
    name: 'inspect',
    summary: 'print tokens, tree, types and result columns of a query',
    load: async () => {
      const { inspect, inspectUsage } = await import('./commands/inspect.ts');
      return { usage: inspectUsage, run: inspect };
    },
  },
];

/** Runs a command line, without the program's name, and answers with its exit code. Never throws. */
export async function runCli(argv: readonly string[], given: CliIo): Promise<ExitCode> {
  const io: CliIo = { ...given, writeError: (text) => given.writeError(printable(text)) };
  const [name, ...args] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const topic = commands.find((command) => command.name === args[0]);
    const text = topic ? (await topic.load()).usage : overview();
    if (name === undefined) await io.writeError(`${text}\n`);
    else await io.writeOut(`${text}\n`);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v' || name === 'version') {
    await io.writeOut(`${await io.readVersion()}\n`);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    await io.writeError(`There is no command '${name}'.\n${overview()}\n`);
    return 2;
  }
  const { usage, run } = await command.load();
  if (args.some((argument) => argument === '--help' || argument === '-h')) {
    await io.writeOut(`${usage}\n`);
    return 0;
  }
  try {
    return await run(args, io);
  } catch (error) {
    if (error instanceof UsageError) {
      await io.writeError(`${error.message}\n${usage.split('\n')[0]}\n"lql ${name} --help" explains it.\n`);
      return 2;
    }
    // What was cancelled from outside needs no explanation.
    if (io.signal.aborted) return 1;
    const text = error instanceof CommandError ? error.message : unexpected(error);
    await io.writeError(`${text}\n`);
    return 1;
  }
}

function overview(): string {
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(9)} ${summary}`);
  return ['lql COMMAND …', ...lines, 'lql COMMAND --help explains a command, lql --version names the version.'].join(
    '\n',
  );
}

function unexpected(error: unknown): string {
  return `This should not happen: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
