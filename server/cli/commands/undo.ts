import path from 'node:path';
import { planUndo } from '../../api/content/content-sync.ts';
import { printPlanFile } from '../../api/content/plan-file.ts';
import { describePlan } from '../../core/content/describe-plan.ts';
import { contentOptions, contentUsage, withContent } from '../content.ts';
import { writeWhole } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const undoUsage = `lql undo (--profile NAME | --data DIR) [--output FILE]
  Shows what takes the last deployment from this folder back, and changes nothing. "lql deploy --plan FILE --yes" applies what was saved.
  What was changed in the account since the deployment is left alone. The files keep what they say.
  --output FILE      save the plan
${contentUsage}`;

export async function undo(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, { ...contentOptions, output: { type: 'string' } });
  if (positionals.length > 0) throw new UsageError('Undo takes a whole deployment back and no single objects.');
  return withContent(values, 'read', io, async (options, account): Promise<ExitCode> => {
    const undone = await planUndo(options);
    if (undone.kind === 'nothing') throw new CommandError(undone.message);
    const { plan, deployment } = undone;
    if (values.output !== undefined) {
      const text = printPlanFile({ accountId: options.account.id, undoes: deployment.id, plan });
      await writeWhole(path.resolve(io.cwd, values.output), text);
    }
    if (values.json) await io.writeOut(jsonText({ undoes: deployment.id, ...plan }));
    else await io.writeOut(`Deployment of ${deployment.startedAt}\n${describePlan(plan, account.name)}`);
    return plan.obstacles.length > 0 ? 1 : 0;
  });
}
