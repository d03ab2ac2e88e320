import { rebuildBases } from '../../api/content/bases-from-git.ts';
import { compareFolder } from '../../api/content/content-sync.ts';
import type { SyncState } from '../../core/content/compare.ts';
import { contentKey } from '../../core/content/content-object.ts';
import { contentOptions, contentUsage, keysOf, label, problemLines, withContent } from '../content.ts';
import type { CliIo, ExitCode } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const driftUsage = `lql drift [KIND/ID …] (--profile NAME | --data DIR)
  Shows what changed in the account without these files: changed, deleted and new objects, with who and when. Changes nothing.
  Ends with 1 when there is drift.
  --from-git         look in the history of git for contents that were last synchronised on another computer
${contentUsage}`;

const words: { readonly [state in SyncState]?: string } = {
  remoteAhead: 'changed in the account',
  conflict: 'changed on both sides',
  unknownBase: 'different, and nothing says since when',
  deletedRemotely: 'deleted in the account',
  remoteOnly: 'new in the account',
};

export async function drift(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parseOptions(args, { ...contentOptions, 'from-git': { type: 'boolean' } });
  return withContent(values, 'read', io, async (options, account): Promise<ExitCode> => {
    if (values['from-git']) await rebuildBases(options);
    const comparison = await compareFolder(options);
    const only = positionals.length === 0 ? undefined : keysOf(positionals, comparison, options);
    const drifted = comparison.comparisons.filter(
      (it) => words[it.state] !== undefined && (!only || only.has(contentKey(it))),
    );
    if (values.json) {
      const shown = drifted.map(({ kind, id, state, changes, remote }) => {
        const fields = changes.filter(({ changedBy }) => changedBy !== 'local').map(({ field }) => field);
        return { kind, id, state, fields, updateTime: remote?.updateTime, updateUser: remote?.updateUser };
      });
      await io.writeOut(jsonText({ drift: shown, problems: comparison.problems }));
    } else {
      for (const { kind, id, state, changes, remote } of drifted) {
        const fields = changes.filter(({ changedBy }) => changedBy !== 'local').map(({ field }) => field);
        const what = remote && state !== 'remoteOnly' && fields.length > 0 ? `: ${fields.join(', ')}` : '';
        const by =
          remote?.updateUser === undefined
            ? ''
            : ` (${remote.updateUser}${remote.updateTime === undefined ? '' : `, ${remote.updateTime}`})`;
        await io.writeOut(`${label({ kind, id })} is ${words[state]}${what}${by}\n`);
      }
      await io.writeError(problemLines(comparison));
      await io.writeError(
        drifted.length === 0 ? `No drift in ${account.name}\n` : `${drifted.length} drifted in ${account.name}\n`,
      );
    }
    return drifted.length > 0 || comparison.problems.length > 0 ? 1 : 0;
  });
}
