import path from 'node:path';
import { adoptInSync, compareFolder, deployPlan, interruptedDeployment } from '../../api/content/content-sync.ts';
import { noteChanges } from '../../api/content/note-changes.ts';
import { parsePlanFile, type SavedPlan } from '../../api/content/plan-file.ts';
import { describePlan, describeResults } from '../../core/content/describe-plan.ts';
import { contentOptions, contentUsage, withContent } from '../content.ts';
import { readText } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const deployUsage = `lql deploy (--plan FILE | --resume) --yes (--profile NAME | --data DIR)
  Applies a saved plan exactly, or nothing of it when the account is no longer what the plan was made from. Without --yes the plan is
  shown and nothing is done. Ends with 0 when everything was done.
  --plan FILE        what "lql plan --output FILE" or "lql undo --output FILE" saved
  --resume           go on with a deployment from this folder that was interrupted
  --yes              the plan was reviewed
${contentUsage}`;

export async function deploy(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    ...contentOptions,
    plan: { type: 'string' },
    resume: { type: 'boolean' },
    yes: { type: 'boolean' },
  });
  if (positionals.length > 0)
    throw new UsageError('A deployment takes a saved plan and nothing else; name objects when you plan.');
  if ((values.plan === undefined) === (values.resume !== true))
    throw new UsageError(
      'Name a saved plan with --plan FILE ("lql plan --output FILE" makes one), or go on with --resume.',
    );
  const saved = values.plan === undefined ? undefined : await readPlan(values.plan, io);
  return withContent(values, 'write', io, async (options, account): Promise<ExitCode> => {
    const resume = saved ? undefined : await interruptedDeployment(options);
    if (!saved && !resume)
      throw new CommandError(
        'No deployment from this folder to this account was interrupted. There is nothing to go on with.',
      );
    if (saved && saved.accountId !== options.account.id)
      throw new CommandError(
        `The plan was made for ${saved.accountId}, not for ${options.account.id}. Nothing was done.`,
      );
    const plan = saved?.plan ?? resume?.plan;
    if (!plan) return 1;
    if (!values.yes) {
      await io.writeOut(describePlan(plan, account.name));
      await io.writeError('Nothing was done. Add --yes when the plan is what you want.\n');
      return plan.operations.length === 0 ? 0 : 1;
    }
    if (plan.operations.length === 0) {
      await io.writeError('The plan is empty: there is nothing to deploy.\n');
      return 0;
    }
    // What an undo brings back does not come from the files: only what it changes is noted.
    const before = saved?.undoes === undefined ? undefined : await compareFolder(options);
    const { id, result } = await deployPlan(plan, options, {
      resume,
      undoes: saved?.undoes,
      keepLock: before ? true : saved?.promotes,
      cancelled: () => io.signal.aborted,
      progress: (done, total) => void io.writeError(`${done} of ${total}\n`),
    });
    if (result.kind === 'stale') {
      if (values.json) await io.writeOut(jsonText({ id, ...result }));
      throw new CommandError(
        `The account changed since the plan was made (${result.changed.map((key) => key.replace('\n', ' ')).join(', ')}). Nothing was done. Plan again.`,
      );
    }
    if (before) await noteChanges(result.results, before, options);
    // What is the same on both sides now is what the next comparison starts from.
    if (!io.signal.aborted) await adoptInSync(await compareFolder(options), options);
    if (values.json) await io.writeOut(jsonText({ id, ...result }));
    else await io.writeOut(describeResults(result.results));
    return result.results.every(({ outcome }) => outcome.kind === 'done') ? 0 : 1;
  });
}

async function readPlan(file: string, io: CliIo): Promise<SavedPlan> {
  let text: string;
  try {
    text = (await readText(path.resolve(io.cwd, file))).text;
  } catch (error) {
    throw error instanceof CommandError ? error : new UsageError(`The file '${file}' of --plan cannot be read.`);
  }
  try {
    return parsePlanFile(text);
  } catch (error) {
    throw new CommandError(`'${file}': ${error instanceof Error ? error.message : String(error)}`);
  }
}
