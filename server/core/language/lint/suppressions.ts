import { createLineIndex, type LineIndex } from '../../text/line-index.ts';
import type { TextRange } from '../../text/range.ts';
import { nearestNames } from '../catalog/nearest.ts';
import { type Diagnostic, type Fix, keepGravest } from '../diagnostics/diagnostic.ts';

/** What is needed of a text to find its suppressions; the result of parsing is one, other hosts can make one. */
export interface CommentedText {
  readonly text: string;
  readonly comments: readonly { readonly range: TextRange }[];
  /** In the order of the text. */
  readonly tokens: readonly { readonly start: number }[];
}

/** A comment that silences diagnostics: `-- lql-disable-next-line rule-a, rule-b: reason`. */
interface Suppression {
  readonly range: TextRange;
  readonly codes: readonly { readonly name: string; readonly range: TextRange; used: boolean }[];
  readonly reason: string;
  /** The lines it covers, zero-based and inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

const mark = 'lql-disable';
const form = /lql-disable-(next-line|line|file)\b([^:]*)(:?)([\s\S]*)$/;

/**
 * Takes out what comments of the text silence, and reports suppressions that silence nothing, give no reason or name no known code.
 * Syntax errors cannot be silenced: the service would refuse the text whatever a comment says.
 */
export function applySuppressions(
  parsed: CommentedText,
  diagnostics: readonly Diagnostic[],
  knownCodes: ReadonlySet<string>,
  /** Codes that did not run (a rule that is off or waits for a whole query): their suppressions cannot be called unused. */
  dormantCodes: ReadonlySet<string>,
  /** What a comment begins with. */
  lead: '--' | '#' = '--',
): readonly Diagnostic[] {
  if (parsed.comments.length === 0 || !parsed.text.includes(mark)) return diagnostics;
  const lines = createLineIndex(parsed.text);
  const suppressions = readSuppressions(parsed, lines);
  if (suppressions.length === 0) return diagnostics;
  const kept = diagnostics.filter((diagnostic) => {
    const line = lines.positionAt(diagnostic.range.start).line;
    let silenced = false;
    for (const suppression of suppressions) {
      if (line < suppression.firstLine || line > suppression.lastLine) continue;
      for (const code of suppression.codes) {
        if (code.name !== diagnostic.code) continue;
        code.used = true;
        silenced = true;
      }
    }
    return !silenced;
  });
  for (const suppression of suppressions) reportSuppression(parsed, suppression, knownCodes, dormantCodes, lead, kept);
  return keepGravest(kept);
}

function readSuppressions(parsed: CommentedText, lines: LineIndex): readonly Suppression[] {
  const suppressions: Suppression[] = [];
  for (const comment of parsed.comments) {
    const text = parsed.text.slice(comment.range.start, comment.range.end);
    const match = text.includes(mark) ? form.exec(text) : null;
    if (match === null) continue;
    const [, scope, names = '', , reasonText = ''] = match;
    const namesStart = comment.range.start + match.index + mark.length + 1 + (scope?.length ?? 0);
    const codes = [...names.matchAll(/[a-z][a-z0-9-]*/gi)].map((found) => ({
      name: found[0],
      range: { start: namesStart + found.index, end: namesStart + found.index + found[0].length },
      used: false,
    }));
    const line = lines.positionAt(comment.range.start).line;
    const covered =
      scope === 'file'
        ? { firstLine: 0, lastLine: Number.POSITIVE_INFINITY }
        : scope === 'line'
          ? { firstLine: line, lastLine: line }
          : nextLine(parsed, comment.range.end, lines);
    const reason = reasonText.replace(/\*\/\s*$/, '').trim();
    suppressions.push({ range: comment.range, codes, reason, ...covered });
  }
  return suppressions;
}

/** The line of the first token behind the comment: blank lines and further comments in between do not matter. */
function nextLine(parsed: CommentedText, after: number, lines: LineIndex): { firstLine: number; lastLine: number } {
  const { tokens } = parsed;
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? after) < after) low = middle + 1;
    else high = middle;
  }
  const line = lines.positionAt(tokens[low]?.start ?? parsed.text.length).line;
  return { firstLine: line, lastLine: line };
}

function reportSuppression(
  parsed: CommentedText,
  suppression: Suppression,
  knownCodes: ReadonlySet<string>,
  dormantCodes: ReadonlySet<string>,
  lead: string,
  into: Diagnostic[],
): void {
  const { range, codes } = suppression;
  if (codes.length === 0) {
    into.push({
      code: 'invalid-suppression',
      severity: 'warning',
      range,
      message: `A suppression names what it silences and why: '${lead} lql-disable-next-line rule-id: reason'.`,
      fixes: [removal(parsed, range)],
    });
    return;
  }
  for (const code of codes) {
    if (!knownCodes.has(code.name)) {
      const near = nearestNames(code.name, knownCodes);
      const fixes = near.map(
        (name): Fix => ({
          title: `Change to '${name}'`,
          edits: [{ range: code.range, newText: name }],
          safe: false,
        }),
      );
      into.push({
        code: 'invalid-suppression',
        severity: 'warning',
        range: code.range,
        message: `There is no rule or code '${code.name}' that a comment can silence.${near.length === 0 ? '' : ` Did you mean '${near[0]}'?`}`,
        fixes,
      });
    } else if (!code.used && !dormantCodes.has(code.name)) {
      into.push({
        code: 'unused-suppression',
        severity: 'warning',
        range: code.range,
        message: `Nothing is silenced here: '${code.name}' is not reported at this place any more. Remove it, so that it cannot hide a finding later.`,
        fixes: codes.length === 1 ? [removal(parsed, range)] : [],
        tags: ['unnecessary'],
      });
    }
  }
  if (suppression.reason === '') {
    into.push({
      code: 'suppression-without-reason',
      severity: 'warning',
      range,
      message: `Say why the finding may be ignored: '${lead} lql-disable-next-line rule-id: reason'.`,
      fixes: [],
    });
  }
}

/** Removes a comment, and its whole line when nothing else stands on it. */
function removal(parsed: CommentedText, range: TextRange): Fix {
  const { text } = parsed;
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  let end = range.end;
  while (text[end] === ' ' || text[end] === '\t' || text[end] === '\r') end++;
  const alone = text.slice(lineStart, range.start).trim() === '' && (text[end] === '\n' || end >= text.length);
  return {
    title: 'Remove the suppression',
    edits: [{ range: alone ? { start: lineStart, end: Math.min(end + 1, text.length) } : range, newText: '' }],
    safe: true,
  };
}
