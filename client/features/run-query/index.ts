import * as vscode from 'vscode';
import { type NamedValue, parseDirectives } from '../../../server/core/documents/run-directives.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainLabel, plainMessage } from '../../infrastructure/plain-text.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { ResultsService, RunAccount, RunEnd, RunHandle, RunObserver } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import { accountKey } from '../../infrastructure/session/catalog-cache.ts';
import { readSetting } from '../../infrastructure/settings.ts';
import { timeZoneSetting } from '../../infrastructure/time-zone.ts';
import { agreeOnAccount } from './account-question.ts';
import { askForArguments, createArgumentMemory, knownValues } from './arguments.ts';
import { createRunLenses } from './code-lens.ts';
import { rangeValueIn } from './directive-place.ts';
import { createDocumentMoves } from './document-moves.ts';
import { errorsIn, meaningErrors } from './local-errors.ts';
import { createProductionGuard, runLabel } from './production.ts';
import type { QuickLook } from './quick-look.ts';
import { pickRange } from './range-picker.ts';
import { createRangeMemory, rangeFor } from './ranges.ts';
import { type RunOutcome, run, uncheckedWireText, wireTextOf } from './run.ts';
import { createRunQueue, type QueuedRun } from './run-queue.ts';
import { createRunStatus } from './run-status.ts';
import { chooseTarget, type RunTarget, targetsAt, targetsInEditor } from './run-target.ts';
import { createServiceDiagnostics } from './service-diagnostics.ts';
import { shortestSliceMs } from './slices.ts';
import { describeWindow, resolveRange } from './window-text.ts';

/** A query run from elsewhere than the cursor: a code lens, the results view, the history. */
export interface RunQueryArguments {
  /** Runs the query that stands at this place of this document. */
  readonly uri?: string;
  readonly line?: number;
  /** Runs this text, whatever is open. */
  readonly text?: string;
  readonly title?: string;
  /** Another time range, this once. */
  readonly range?: string;
  /** Runs once for each slice of the range, of so many milliseconds, and puts the rows together. */
  readonly sliceMs?: number;
  /** Shows all rows, whatever `-- @limit` says. */
  readonly withoutLimit?: boolean;
  /** Sends the text although it has syntax errors. */
  readonly unchecked?: boolean;
  /** Values for arguments that the query asks for; what is not among them is remembered or asked for. */
  readonly arguments?: readonly NamedValue[];
  /** The account that the same query went to before: where it is not the one in use, the person is asked which of them is meant. */
  readonly account?: RunAccount;
}

/** What tests may see of runs. */
export interface RunQueryFeature {
  readonly last: RunOutcome | undefined;
  readonly running: number;
}

// The service answers one query at a time well; a second one need not wait for a slow first.
const runsAtOnce = 2;
// A quick look is for seeing what the rows are like, not for all of them.
const lookLimit = 100;

export function activateRunQuery(
  services: Services,
  editors: QueryEditors,
  results: Promise<ResultsService>,
  observer: RunObserver,
): RunQueryFeature {
  const { context, commands, session, language, log } = services;
  const moves = createDocumentMoves(vscode.workspace);
  const memory = createRangeMemory(context.workspaceState, moves);
  const argumentMemory = createArgumentMemory(context.workspaceState, moves);
  const production = createProductionGuard();
  const problems = createServiceDiagnostics();
  const status = createRunStatus({ editors, memory, language });
  let last: RunOutcome | undefined;
  const queue = createRunQueue(runsAtOnce, () => {
    const count = queue.running.length + queue.waiting.length;
    void vscode.commands.executeCommand('setContext', 'lql.running', count > 0);
    status.setRunning(queue.running, queue.waiting.length);
  });
  context.subscriptions.push(
    moves,
    memory,
    argumentMemory,
    problems,
    status,
    createRunLenses({ language, memory, argumentMemory, session }),
  );

  const refuseWhenRestricted = (): void => {
    if (session.state.kind !== 'restricted') return;
    throw new UserError(
      'Queries run in trusted workspaces only: a query sends text of this workspace to your account.',
      [{ title: 'Manage Trust', command: 'workbench.trust.manage' }],
    );
  };
  /** Values for everything that the query asks for: given, remembered, or asked for now. Throws CancellationError when the person leaves. */
  const argumentsFor = async (target: RunTarget, given: readonly NamedValue[]): Promise<readonly NamedValue[]> => {
    const { uri } = target;
    const known = knownValues(
      parseDirectives(target.text).asked,
      (name) => given.find((value) => value.name === name)?.value ?? (uri && argumentMemory.get(uri, name)),
    );
    const missing = known.flatMap(({ argument, value }) => (value === undefined ? [argument] : []));
    const answers = missing.length > 0 ? await askForArguments(target.title, missing, () => undefined) : [];
    if (!answers) throw new vscode.CancellationError();
    if (uri && answers.length > 0) await argumentMemory.set(uri, answers);
    return known.flatMap(({ argument: { name }, value }) => {
      const answer = value ?? answers.find((candidate) => candidate.name === name)?.value;
      return answer === undefined ? [] : [{ name, value: answer }];
    });
  };

  const runTarget = async (target: RunTarget, options: RunQueryArguments): Promise<void> => {
    refuseWhenRestricted();
    const directives = parseDirectives(target.text);
    const [problem] = directives.problems;
    if (problem) throw new UserError(problem);
    const range = options.range ?? rangeFor(target.text, target.uri, memory).text;
    const resolved = resolveRange(range, Date.now());
    if (resolved.kind === 'refused') {
      throw new UserError(resolved.message, [{ title: 'Choose Time Range', command: 'lql.chooseTimeRange' }]);
    }
    const wireText = await sendable(target, options, 'lql.runQuery');
    const agreed = options.account && (await agreeOnAccount(session, options.account));
    const doubts = await meaningErrors(target);
    const asked = await argumentsFor(target, options.arguments ?? []);
    await production.confirm(session.profile, agreed);
    problems.clear(target);

    const values = [...directives.arguments, ...asked];
    const account = { key: accountKey(session.profile), label: runLabel(session.profile) };
    const again: RunQueryArguments = {
      text: target.text,
      title: target.title,
      range,
      arguments: asked,
      account,
      ...(options.unchecked ? { unchecked: true } : {}),
      ...(target.uri ? { uri: target.uri.toString() } : {}),
    };
    let view: RunHandle | undefined;
    let ended: (end: RunEnd) => void = () => undefined;
    const queued: QueuedRun = {
      title: target.title,
      cancelled: () => {
        last = { kind: 'cancelled' };
        view?.cancelled();
        ended({ kind: 'cancelled' });
      },
      work: async (signal) => {
        if (!view) return;
        const outcome = await run(
          {
            wireText,
            account,
            window: resolved.window,
            arguments: values,
            limit: options.withoutLimit ? undefined : directives.limit,
            sliceMs: options.sliceMs,
            doubts,
            again: (changes) => ({ command: 'lql.runQuery', arguments: [{ ...again, ...changes }] }),
          },
          { session, log, view, signal },
        );
        if (signal.aborted) return;
        last = outcome;
        if (outcome.kind === 'succeeded') void vscode.commands.executeCommand('setContext', 'lql.hasRun', true);
        ended(outcome.kind === 'succeeded' ? { ...outcome, rowCount: outcome.rows.length } : outcome);
        // What the service says against the text belongs to the text; everything else stays with the run.
        if (outcome.kind === 'failed' && outcome.aboutText) problems.show(target, outcome.message);
      },
    };
    const description = {
      title: target.title,
      queryText: target.text,
      uri: target.uri?.toString(),
      window: resolved.window,
      accountLabel: account.label,
      accountKey: account.key,
      arguments: values,
    };
    ended = observer.started(description);
    view = (await results).openRun({
      ...description,
      columns: target.columns,
      cancel: () => queue.cancel(queued),
      rerun: (other) =>
        void commands.guard('Running the query again', () =>
          runTarget(target, {
            arguments: asked,
            account,
            ...(options.unchecked ? { unchecked: true } : {}),
            ...(other === undefined ? {} : { range: other }),
          }),
        ),
    });
    memory.setLastWindow(resolved.window);
    log.info(`Running ${target.title} over ${describeWindow(resolved.window, 'utc')}.`);
    await queue.add(queued);
  };

  commands.register('lql.runQuery', async (argument: unknown) => {
    const given = parseArguments(argument);
    await runTarget(await findTarget(given, services, editors), given);
  });
  const lookAt = async (look: QuickLook, argument: unknown): Promise<void> => {
    const target = await findTarget(parseArguments(argument), services, editors);
    const { quickLookQuery } = await import('./quick-look.ts');
    const text = await quickLookQuery(target.text, look, async (datasource) =>
      (await session.columnsOf(datasource))?.map(({ name }) => name),
    );
    if (text === undefined) {
      throw new UserError('There is nothing to look at yet: the query needs a source whose columns the account knows.');
    }
    const title = `${target.title}: ${look === 'source' ? 'source' : 'after the filter'}`;
    // Only the blocks are taken over: what the comments say of arguments is said anew.
    const values = [...parseDirectives(target.text).arguments, ...(await argumentsFor(target, []))];
    const comments = [`-- @limit ${lookLimit}`, ...values.map(({ name, value }) => `-- @arg ${name}=${value}`)];
    await runTarget(
      { text: `${comments.join('\n')}\n${text}`, title, uri: undefined, range: undefined },
      { range: rangeFor(target.text, target.uri, memory).text },
    );
  };
  commands.register('lql.lookAtSource', (argument: unknown) => lookAt('source', argument));
  commands.register('lql.lookAfterFilter', (argument: unknown) => lookAt('filter', argument));
  commands.register('lql.chooseArguments', async (argument: unknown) => {
    const target = await findTarget(parseArguments(argument), services, editors);
    const { asked } = parseDirectives(target.text);
    const { uri } = target;
    if (asked.length === 0 || !uri) {
      throw new UserError(
        'The query asks for no arguments. Declare one in a comment of its own: `-- @arg Name: Number`.',
      );
    }
    const values = await askForArguments(target.title, asked, (name) => argumentMemory.get(uri, name));
    if (values) await argumentMemory.set(uri, values);
  });
  commands.register('lql.validateQuery', async (argument: unknown) => {
    refuseWhenRestricted();
    const given = parseArguments(argument);
    const target = await findTarget(given, services, editors);
    const wireText = await sendable(target, given, 'lql.validateQuery');
    problems.clear(target);
    try {
      const columns = await session.withApi((api) => api.validate(wireText));
      const list = columns.length > 0 ? ` Its columns: ${columns.join(', ')}.` : '';
      void vscode.window.showInformationMessage(plainMessage(`The service accepts the query.${list}`));
    } catch (error) {
      if (error instanceof UserError && error.status === 400) problems.show(target, error.message);
      throw error;
    }
  });
  commands.register('lql.cancelRun', () => queue.cancelAll());
  commands.register('lql.chooseTimeRange', async (argument: unknown) => {
    const target = await findTarget(parseArguments(argument), services, editors);
    const current = rangeFor(target.text, target.uri, memory);
    const picked = await pickRange(current.text, readSetting(timeZoneSetting, target.uri), memory.lastWindow);
    if (picked === undefined || !target.uri) return;
    if (current.from === 'query') await rewriteDirective(target, picked);
    else await memory.set(target.uri, picked);
    void vscode.commands.executeCommand('setContext', 'lql.hasChosenRange', true);
  });

  return {
    get last() {
      return last;
    },
    get running() {
      return queue.running.length + queue.waiting.length;
    },
  };
}

/**
 * The text for the service. A syntax error is found here for nothing, where a request of the hour's few would tell less: the cursor goes to
 * it, and sending the text anyway is one click, because our grammar may lack what the service has. An error of meaning rests on a catalog
 * that may be old: such a query is sent, and its rows say so. Throws UserError.
 */
async function sendable(
  target: RunTarget,
  { unchecked, range, account, arguments: values }: RunQueryArguments,
  command: 'lql.runQuery' | 'lql.validateQuery',
): Promise<string> {
  const wire = await wireTextOf(target.text);
  if (wire.kind === 'ok') return wire.text;
  const [first] = wire.diagnostics;
  if (unchecked) return uncheckedWireText(target.text);
  const line = await revealProblem(target, first?.range.start ?? 0);
  const count = wire.diagnostics.length === 1 ? 'an error' : `${wire.diagnostics.length} errors`;
  const place = line === undefined ? '' : `, ${wire.diagnostics.length === 1 ? '' : 'the first '}in line ${line + 1}`;
  const { text, title, uri } = target;
  const again: RunQueryArguments = {
    text,
    title,
    unchecked: true,
    ...(range === undefined ? {} : { range }),
    ...(values ? { arguments: values } : {}),
    ...(account ? { account } : {}),
    ...(uri ? { uri: uri.toString() } : {}),
  };
  const anyway = { title: command === 'lql.runQuery' ? 'Run Anyway' : 'Validate Anyway', command, arguments: [again] };
  throw new UserError(`Not sent, because the query has ${count}${place}. ${first?.message ?? ''}`, [
    { title: 'Show Problems', command: 'workbench.actions.view.problems' },
    ...(first?.code === 'not-a-query' ? [] : [anyway]),
  ]);
}

async function findTarget(
  { uri, line, text, title }: RunQueryArguments,
  { language }: Services,
  editors: QueryEditors,
): Promise<RunTarget> {
  if (text !== undefined) {
    return { text, title: title ?? 'Query', uri: uri ? vscode.Uri.parse(uri) : undefined, range: undefined };
  }
  if (uri !== undefined) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
    if (line === undefined && shown) return chooseTarget(await targetsInEditor(shown, language));
    return chooseTarget(await targetsAt(document, new vscode.Position(line ?? 0, 0), language));
  }
  const editor = (await editors.activeOrRecent()) ?? (await openQueryOfWorkspace());
  return chooseTarget(await targetsInEditor(editor, language));
}

/** Asks for one of the workspace's query files: the walkthrough has commands that need a query, and none may be open. */
async function openQueryOfWorkspace(): Promise<vscode.TextEditor> {
  // Another text is in front: whoever looks at it means no query of another file.
  const files = vscode.window.activeTextEditor ? [] : await vscode.workspace.findFiles('**/*.lql', undefined, 500);
  if (files.length === 0) {
    throw new UserError('Open a query first: an .lql file, or a YAML or JSON file with queryId and queryText.', [
      { title: 'New Query', command: 'lql.newQuery' },
      { title: 'Open the Examples', command: 'lql.openExamples' },
    ]);
  }
  const items = files
    .map((uri) => ({ uri, label: plainLabel(vscode.workspace.asRelativePath(uri)) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Which query?',
    placeHolder: 'No query is open: choose one of this folder',
    ignoreFocusOut: true,
  });
  if (!picked) throw new vscode.CancellationError();
  return vscode.window.showTextDocument(picked.uri);
}

/** Commands are public: a keybinding or another extension may pass anything. An editor-title button passes its file's URI. */
function parseArguments(value: unknown): RunQueryArguments {
  if (value instanceof vscode.Uri) return { uri: value.toString() };
  if (typeof value !== 'object' || value === null) return {};
  const {
    uri,
    line,
    text,
    title,
    range,
    sliceMs,
    withoutLimit,
    unchecked,
    arguments: values,
    account,
  }: Readonly<Record<string, unknown>> = {
    ...value,
  };
  return {
    ...(typeof uri === 'string' ? { uri } : {}),
    ...(typeof line === 'number' && Number.isInteger(line) && line >= 0 ? { line } : {}),
    ...(typeof text === 'string' ? { text } : {}),
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof range === 'string' ? { range } : {}),
    ...(typeof sliceMs === 'number' && sliceMs >= shortestSliceMs ? { sliceMs } : {}),
    ...(withoutLimit === true ? { withoutLimit } : {}),
    ...(unchecked === true ? { unchecked } : {}),
    ...(Array.isArray(values) ? { arguments: values.flatMap(namedValue) } : {}),
    ...runAccount(account),
  };
}

function namedValue(given: unknown): readonly NamedValue[] {
  if (typeof given !== 'object' || given === null) return [];
  const { name, value }: Readonly<Record<string, unknown>> = { ...given };
  return typeof name === 'string' && typeof value === 'string' ? [{ name, value }] : [];
}

function runAccount(given: unknown): Pick<RunQueryArguments, 'account'> {
  if (typeof given !== 'object' || given === null) return {};
  const { key, label }: Readonly<Record<string, unknown>> = { ...given };
  return typeof label === 'string' ? { account: { key: typeof key === 'string' ? key : undefined, label } } : {};
}

/**
 * Puts the cursor where the first error is, and gives its line; undefined where the text stands in no document. Text embedded in another
 * format has other offsets: there the diagnostics tell the place, or the query's start has to do.
 */
async function revealProblem({ uri, range }: RunTarget, offset: number): Promise<number | undefined> {
  if (!uri || !range) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: false });
  const at =
    document.languageId === 'lql'
      ? document.positionAt(document.offsetAt(range.start) + offset)
      : (errorsIn(uri, range)[0]?.range.start ?? range.start);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return at.line;
}

/** A range that is written in the query is changed there: a choice beside it would have no effect. */
async function rewriteDirective({ uri, range }: RunTarget, picked: string): Promise<void> {
  if (!uri || !range) return;
  const document = await vscode.workspace.openTextDocument(uri);
  for (let line = range.end.line; line >= range.start.line; line--) {
    const place = rangeValueIn(document.lineAt(line).text);
    if (!place) continue;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(line, place.start, line, place.end), picked);
    await vscode.workspace.applyEdit(edit);
    return;
  }
  throw new UserError('The query says its range itself, in a comment `-- @range`. Change it there.');
}
