/** Everything a command needs of the world, so that tests can be the world. */
export interface CliIo {
  /** The whole of standard input. */
  readStdin(): Promise<string>;
  /** Resolves when the text is on its way; a reader that has gone away is not an error. */
  writeOut(text: string): Promise<void>;
  writeError(text: string): Promise<void>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Columns of the terminal that standard output is; undefined when it is none. */
  readonly columns: number | undefined;
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** The version of the program. */
  readVersion(): Promise<string>;
  /** Aborted when the person or the system wants the command to end. */
  readonly signal: AbortSignal;
}

/** 0: done, nothing found. 1: findings or failure. 2: the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

/** The command line is wrong: the message says how to write it. Ends with exit code 2. */
export class UsageError extends Error {}

/** What stands in the way, and what the person can do about it. Ends with exit code 1. */
export class CommandError extends Error {}
