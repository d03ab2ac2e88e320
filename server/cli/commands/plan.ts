import path from 'node:path';
import { compareFolder, planDeployment } from '../../api/content/content-sync.ts';
import { printPlanFile } from '../../api/content/plan-file.ts';
import { describePlan } from '../../core/content/describe-plan.ts';
import { contentOptions, contentUsage, keysOf, problemLines, withContent } from '../content.ts';
import { writeWhole } from '../files.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { parseOptions } from '../parse-options.ts';

export const planUsage = `lql plan [KIND/ID …] (--profile NAME | --data DIR) [--output FILE] [--prune] [--overwrite KIND/ID]
  Shows what a deployment of the files would do, and changes nothing. Ends with 0 when files and account are the same, with 1 when there
  is something to deploy or something in the way.
  --output FILE      save the plan for review and for "lql deploy --plan FILE"
  --prune            delete in the account what was deleted here
  --overwrite K/ID   the file's side of this object holds, although the account changed too; may be given several times
${contentUsage}`;

export async function plan(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    ...contentOptions,
    output: { type: 'string' },
    prune: { type: 'boolean' },
    overwrite: { type: 'string', multiple: true },
  });
  return withContent(values, 'read', io, async (options, account): Promise<ExitCode> => {
    const comparison = await compareFolder(options);
    const made = planDeployment(comparison, options, {
      prune: values.prune === true,
      overwrite: keysOf(values.overwrite ?? [], comparison, options),
      only: positionals.length === 0 ? undefined : keysOf(positionals, comparison, options),
    });
    if (values.output !== undefined) {
      const text = printPlanFile({ accountId: options.account.id, undoes: undefined, plan: made });
      await writeWhole(path.resolve(io.cwd, values.output), text);
    }
    if (values.json) await io.writeOut(`${JSON.stringify({ ...made, problems: comparison.problems }, undefined, 2)}\n`);
    else {
      await io.writeOut(describePlan(made, account.name));
      await io.writeError(problemLines(comparison));
    }
    return made.operations.length + made.obstacles.length + comparison.problems.length > 0 ? 1 : 0;
  });
}
