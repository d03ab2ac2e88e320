import path from 'node:path';
import { countMissingBases, type RebuiltBases, rebuildBases } from '../../api/content/bases-from-git.ts';
import {
  type ContentOptions,
  compareFolder,
  type FolderComparison,
  planDeployment,
} from '../../api/content/content-sync.ts';
import { type BehaviourResult, planBehaviour } from '../../api/content/plan-behaviour.ts';
import { describeCost, planCost } from '../../api/content/plan-cost.ts';
import { printPlanFile } from '../../api/content/plan-file.ts';
import { comparePromotion, overridesLeftOut, planPromotion, readOverrides } from '../../api/content/promote.ts';
import { assertNever } from '../../core/assert-never.ts';
import { type ContentObject, contentKey } from '../../core/content/content-object.ts';
import { describeBehaviour } from '../../core/content/describe-behaviour.ts';
import { describePlan } from '../../core/content/describe-plan.ts';
import { overridesFile } from '../../core/content/overrides.ts';
import type { Plan } from '../../core/content/plan.ts';
import { parseTimeRange } from '../../core/resources/time-range.ts';
import { contentOptions, contentUsage, keysOf, problemLines, withContent } from '../content.ts';
import { writeWhole } from '../files.ts';
import { type CliIo, CommandError, type ExitCode, UsageError } from '../io.ts';
import { jsonText } from '../json-output.ts';
import { parseOptions } from '../parse-options.ts';

export const planUsage = `lql plan [KIND/ID …] (--profile NAME | --data DIR) [--output FILE] [--prune] [--overwrite KIND/ID] [--behaviour [--range R]]
  Shows what a deployment of the files would do, and changes nothing. Ends with 0 when files and account are the same, with 1 when there
  is something to deploy or something in the way.
  --output FILE      save the plan for review and for "lql deploy --plan FILE"
  --prune            delete in the account what was deleted here
  --overwrite K/ID   the file's side of this object holds, although the account changed too; may be given several times
  --from-git         look in the history of git for contents that were last synchronised on another computer
  --from-profile NAME, --from-data DIR, --from-files
                     promote: what that account has of its own, or the files, goes to the account of --profile or --data, with what
                     lql.overrides.yaml says of it. Nothing is deleted, and what the account has otherwise needs an --overwrite
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
    'from-git': { type: 'boolean' },
    'from-profile': { type: 'string' },
    'from-data': { type: 'string' },
    'from-files': { type: 'boolean' },
    behaviour: { type: 'boolean' },
    range: { type: 'string' },
  });
  if (values.range !== undefined && !values.behaviour)
    throw new UsageError('--range is the window of --behaviour; name both.');
  const range = values.range === undefined ? undefined : parseTimeRange(values.range, io.now());
  if (range?.kind === 'invalid') throw new UsageError(range.message);
  const source = await readSource(values, io);
  return withContent(values, 'read', io, async (options, account): Promise<ExitCode> => {
    if (values['from-git']) await io.writeError(rebuiltText(await rebuildBases(options)));
    const comparison = await compareFolder(options);
    const promoted = source === 'files' ? comparison.folder.objects : source;
    const request = { label: values.profile ?? account.name, overwrite: values.overwrite ?? [], only: positionals };
    const made = promoted
      ? await planPromoted(promoted, comparison, options, request, io)
      : planDeployment(comparison, options, {
          prune: values.prune === true,
          overwrite: keysOf(request.overwrite, comparison, options),
          only: positionals.length === 0 ? undefined : keysOf(positionals, comparison, options),
        });
    if (values.output !== undefined) {
      const text = printPlanFile({
        accountId: options.account.id,
        undoes: undefined,
        promotes: promoted && true,
        plan: made,
      });
      await writeWhole(path.resolve(io.cwd, values.output), text);
    }
    const behaviour = values.behaviour
      ? await planBehaviour(made, comparison.remote, options, { range: range?.range })
      : undefined;
    const cost = planCost(made, options.account.client.rateLimits);
    if (values.json) await io.writeOut(jsonText({ ...made, cost, behaviour, problems: comparison.problems }));
    else {
      await io.writeOut(describePlan(made, account.name) + describeCost(cost));
      if (!values['from-git']) await io.writeError(await missingText(made, options));
      if (behaviour) await io.writeOut(`\n${behaviourText(behaviour)}`);
      await io.writeError(problemLines(comparison));
      if (!promoted) await io.writeError(await leftOutText(made, options, request.label));
    }
    // What was asked for and not shown is no success, whatever else there is to say.
    if (behaviour?.kind === 'refused') return 1;
    return made.operations.length + made.obstacles.length + comparison.problems.length > 0 ? 1 : 0;
  });
}

/** What is promoted: another account's own objects, or the files; undefined for a plan of the files as they are. */
async function readSource(
  values: {
    readonly 'from-profile'?: string | undefined;
    readonly 'from-data'?: string | undefined;
    readonly 'from-files'?: boolean | undefined;
    readonly dir?: string | undefined;
    readonly 'vendor-prefix'?: string | undefined;
    readonly prune?: boolean | undefined;
  },
  io: CliIo,
): Promise<ReadonlyMap<string, ContentObject> | 'files' | undefined> {
  const { 'from-profile': profile, 'from-data': data, 'from-files': files, dir, 'vendor-prefix': prefix } = values;
  const named = [profile, data, files].filter((source) => source !== undefined && source !== false).length;
  if (named === 0) return undefined;
  if (named > 1) throw new UsageError('Name one source to promote from.');
  if (values.prune) throw new UsageError('Promoting deletes nothing: leave --prune out.');
  if (files) return 'files';
  return withContent({ dir, profile, data, 'vendor-prefix': prefix }, 'read', io, async (options) => {
    const { remote } = await compareFolder(options);
    return new Map(
      [...remote].flatMap(([key, { kind, id, fields, vendorOwned }]) =>
        vendorOwned ? [] : [[key, { kind, id, fields }] as const],
      ),
    );
  });
}

/** What a plan of the files does not take from the overrides. */
async function leftOutText(made: Plan, options: ContentOptions, label: string): Promise<string> {
  const lines = overridesLeftOut(made, options, { overrides: await readOverrides(options.root), label });
  if (lines.length === 0) return '';
  return `${overridesFile} counts in promotions alone. This plan takes the files as they are, so not:\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

async function planPromoted(
  source: ReadonlyMap<string, ContentObject>,
  comparison: FolderComparison,
  options: ContentOptions,
  request: { readonly label: string; readonly overwrite: readonly string[]; readonly only: readonly string[] },
  io: CliIo,
): Promise<Plan> {
  const overrides = await readOverrides(options.root);
  for (const { line, message } of overrides.problems) await io.writeError(`${overridesFile}:${line}: ${message}\n`);
  if (overrides.problems.length > 0)
    throw new CommandError(
      `Nothing was planned, because ${overridesFile} does not say clearly what accounts have of their own.`,
    );
  const { label } = request;
  const promotion = comparePromotion(comparison, options, { source, overrides, label });
  const overwrite = keysOf(request.overwrite, promotion, options);
  const only = request.only.length === 0 ? undefined : keysOf(request.only, promotion, options);
  const chosen = promotion.comparisons
    .map(contentKey)
    .filter((key) => (!only || only.has(key)) && (!promotion.overwrites.has(key) || overwrite.has(key)));
  const waiting = promotion.comparisons.filter(
    (it) => promotion.overwrites.has(contentKey(it)) && !overwrite.has(contentKey(it)),
  );
  for (const it of waiting)
    await io.writeError(
      `${label} has ${it.id} otherwise (${it.changes.map(({ field }) => field).join(', ')}): left alone without --overwrite.\n`,
    );
  return planPromotion(promotion, comparison, options, new Set(chosen));
}

function rebuiltText(rebuilt: RebuiltBases | undefined): string {
  if (!rebuilt) return 'There is no git repository around the folder to look in.\n';
  const { found, missing } = rebuilt;
  return `${found} base ${found === 1 ? 'content' : 'contents'} found in the history of git, ${missing} not.\n`;
}

/** Whoever has a clone is told that its history may hold what is missing. */
async function missingText({ obstacles }: Plan, options: ContentOptions): Promise<string> {
  if (!obstacles.some(({ state }) => state === 'unknownBase' || state === 'conflict')) return '';
  const missing = await countMissingBases(options);
  return missing === 0
    ? ''
    : `${missing} ${missing === 1 ? 'object was' : 'objects were'} synchronised on another computer. Look for the contents in the history of git with --from-git.\n`;
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
