import { rebuildBases } from '../../api/content/bases-from-git.ts';
import { compareFolder } from '../../api/content/content-sync.ts';
import { pullContent } from '../../api/content/pull-content.ts';
import { contentOptions, contentUsage, keysOf, label, problemLines, withContent } from '../content.ts';
import { type CliIo, type ExitCode, UsageError } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const pullUsage = `lql pull [KIND/ID …] (--profile NAME | --data DIR) [--theirs]
  Brings what is new in the account into the files. Local edits stay: what both sides changed is merged where they changed different
  fields, and named where they did not. Ends with 1 when something is left to decide.
  KIND is query, policy, profile or exception, ID may be * for all of a kind; a named object that was deleted here comes back.
  --exceptions POLICY  also pull the exceptions of this policy; those of policies whose exceptions have files come anyway. May be given
                     several times; each costs a request
  --theirs           the account's side of the named objects replaces the file's (the text is kept in .lql/texts)
  --from-git         look in the history of git for contents that were last synchronised on another computer
${contentUsage}`;

export async function pull(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, {
    ...contentOptions,
    theirs: { type: 'boolean' },
    exceptions: { type: 'string', multiple: true },
    'from-git': { type: 'boolean' },
  });
  if (values.theirs && positionals.length === 0)
    throw new UsageError('--theirs replaces what is written here: name the objects, as KIND/ID.');
  return withContent(values, 'read', io, async (content, account): Promise<ExitCode> => {
    const options = { ...content, exceptionsOf: values.exceptions };
    if (values['from-git']) await rebuildBases(options);
    const comparison = await compareFolder(options);
    const only = positionals.length === 0 ? undefined : keysOf(positionals, comparison, options);
    const take = values.theirs && only ? only : new Set<string>();
    const { pulled, left } = await pullContent(comparison, options, { only, take });
    if (values.json) {
      const done = pulled.map(({ kind, object, path }) => ({ action: kind, kind: object.kind, id: object.id, path }));
      const open = left.map(({ step, message }) => ({
        kind: step.comparison.kind,
        id: step.comparison.id,
        state: step.comparison.state,
        message,
      }));
      await io.writeOut(jsonText({ pulled: done, left: open, problems: comparison.problems }));
    } else {
      for (const { kind, object, path } of pulled) await io.writeOut(`${kind} ${path} (${label(object)})\n`);
      for (const { step, message } of left) await io.writeOut(`left ${label(step.comparison)}: ${message}\n`);
      await io.writeError(problemLines(comparison));
      await io.writeError(`${pulled.length} pulled from ${account.name}, ${left.length} left to decide\n`);
    }
    return left.length > 0 || comparison.problems.length > 0 ? 1 : 0;
  });
}
