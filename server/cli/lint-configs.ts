import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { type LintConfig, type LintOptions, readLintConfig } from '../core/language/language-service.ts';

const configFileName = 'lql.config.jsonc';

export interface LintConfigs {
  /** The options for the queries of a file, by their ids: those of the nearest configuration at or above its folder. */
  optionsFor(file: string): Promise<(queryId: string | undefined) => LintOptions>;
  /** What is wrong in the configurations read so far, each as one sentence. */
  readonly problems: readonly string[];
}

/** Finds and keeps the lint configurations around the files that are checked. */
export function createLintConfigs(): LintConfigs {
  const byFolder = new Map<string, Promise<{ folder: string; config: LintConfig } | undefined>>();
  const problems: string[] = [];

  const find = (folder: string): Promise<{ folder: string; config: LintConfig } | undefined> => {
    let found = byFolder.get(folder);
    if (!found) {
      found = read(folder).then(
        (own) => own ?? (path.dirname(folder) === folder ? undefined : find(path.dirname(folder))),
      );
      byFolder.set(folder, found);
    }
    return found;
  };

  const read = async (folder: string): Promise<{ folder: string; config: LintConfig } | undefined> => {
    const file = path.join(folder, configFileName);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) return undefined;
    const checked = readLintConfig(parseJsonc(text, [], { allowTrailingComma: true }));
    for (const problem of checked.problems) problems.push(`${file}: ${problem.message}`);
    return { folder, config: checked.config };
  };

  return {
    problems,
    async optionsFor(file) {
      const found = await find(path.dirname(file));
      const own = found && { config: found.config, path: path.relative(found.folder, file).split(path.sep).join('/') };
      return (queryId) => ({ ...own, ...(queryId === undefined ? {} : { queryId }) });
    },
  };
}
