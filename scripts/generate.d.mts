/** The generators there are, as paths below the repository. */
export declare function findGenerators(): string[];
/** Runs one generator; answers with its exit code and what it printed. */
export declare function runGenerator(
  file: string,
  args?: readonly string[],
): { readonly code: number; readonly output: string };
