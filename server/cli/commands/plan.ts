import path from 'node:path';
import { compareFolder, planDeployment } from '../../api/content/content-sync.ts';
import { type BehaviourResult, planBehaviour } from '../../api/content/plan-behaviour.ts';
import { printPlanFile } from '../../api/content/plan-file.ts';
import { assertNever } from '../../core/assert-never.ts';
import { describeBehaviour } from '../../core/content/describe-behaviour.ts';
import { describePlan } from '../../core/content/describe-plan.ts';
import { parseTimeRange } from '../../core/resources/time-range.ts';
import { contentOptions, contentUsage, keysOf, problemLines, withContent } from '../content.ts';
import { writeWhole } from '../files.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const planUsage = `lql plan [KIND/ID …] (--profile NAME | --data DIR) [--output FILE] [--prune] [--overwrite KIND/ID] [--behaviour [--range R]]
  Shows what a deployment of the files would do, and changes nothing. Ends with 0 when files and account are the same, with 1 when there
  is something to deploy or something in the way.
  --output FILE      save the plan for review and for "lql deploy --plan FILE"
  --prune            delete in the account what was deleted here
  --overwrite K/ID   the file's side of this object holds, although the account changed too; may be given several times
  --behaviour        run the deployed and the new text of every changed query over the same window and show the hits that are added and
                     lost, with the policies that use it; two requests a changed query
  --range R          that window: last 7 days, yesterday, -24h; what the query says of itself (-- @range) or the last 24 hours when left out
${contentUsage}`;

export async function plan(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    ...contentOptions,
    output: { type: 'string' },
    prune: { type: 'boolean' },
    overwrite: { type: 'string', multiple: true },
    behaviour: { type: 'boolean' },
    range: { type: 'string' },
  });
  if (values.range !== undefined && !values.behaviour)
    throw new UsageError('--range is the window of --behaviour; name both.');
  const range = values.range === undefined ? undefined : parseTimeRange(values.range, io.now());
  if (range?.kind === 'invalid') throw new UsageError(range.message);
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
    const behaviour = values.behaviour
      ? await planBehaviour(made, comparison.remote, options, { range: range?.range })
      : undefined;
    if (values.json) await io.writeOut(jsonText({ ...made, behaviour, problems: comparison.problems }));
    else {
      await io.writeOut(describePlan(made, account.name));
      if (behaviour) await io.writeOut(`\n${behaviourText(behaviour)}`);
      await io.writeError(problemLines(comparison));
    }
    // What was asked for and not shown is no success, whatever else there is to say.
    if (behaviour?.kind === 'refused') return 1;
    return made.operations.length + made.obstacles.length + comparison.problems.length > 0 ? 1 : 0;
  });
}

function behaviourText(behaviour: BehaviourResult): string {
  switch (behaviour.kind) {
    case 'nothing':
      return 'The plan changes no query whose hits could be compared.\n';
    case 'refused':
      return `${behaviour.message}\n`;
    case 'compared':
      return describeBehaviour(behaviour.queries);
    default:
      return assertNever(behaviour);
  }
}
