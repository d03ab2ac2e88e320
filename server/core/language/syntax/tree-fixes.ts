import { contains, type TextRange } from '../../text/range.ts';
import type { SyntaxCode } from '../diagnostics/codes/syntax-codes.ts';
import type { Diagnostic, Fix } from '../diagnostics/diagnostic.ts';
import type { BinaryExpression, Body, Expression, Node, QueryFile, ReturnBlock } from './ast.ts';
import { walk } from './walk.ts';

/**
 * Gives fixes to problems whose mending reaches beyond the place where the grammar meets them: an array index becomes an expansion in the
 * source block, a `count(*)` goes with its comma, an interval takes the operand beside it.
 */
export function withTreeFixes(
  text: string,
  file: QueryFile,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  if (!diagnostics.some(needsTree)) return diagnostics;
  const nodes: Node[] = [];
  walk(file, (node) => {
    nodes.push(node);
    return true;
  });
  return diagnostics.map((diagnostic) => {
    if (!needsTree(diagnostic)) return diagnostic;
    const fix = fixOf(text, nodes, diagnostic);
    return fix === undefined ? diagnostic : { ...diagnostic, fixes: [fix] };
  });
}

const codes: ReadonlySet<string> = new Set<SyntaxCode>(['array-index', 'star-argument', 'foreign-operator']);

function needsTree({ code, fixes }: Diagnostic): boolean {
  return fixes.length === 0 && codes.has(code);
}

function fixOf(text: string, nodes: readonly Node[], { code, range }: Diagnostic): Fix | undefined {
  if (code === 'array-index') return expansionFix(text, nodes, range);
  if (code === 'star-argument') return removedItemFix(nodes, range);
  return intervalFix(text, nodes, range);
}

/** `X:a[0].b` as `item:b`, with `array_to_rows(X:a) as (item)` at the end of the source block. */
function expansionFix(text: string, nodes: readonly Node[], range: TextRange): Fix | undefined {
  const body = innermost(nodes, range, 'body');
  const source = body?.source;
  const last = source?.items.at(-1);
  if (source === undefined || last === undefined || contains(source.range, range)) return undefined;
  const start = startOfChain(nodes, range);
  if (start === undefined) return undefined;
  const array = text.slice(start, range.start).replace(/[.:\s]+$/, '');
  const tail = /^(?:\s*\.\s*(?:[A-Za-z_]\w*|"(?:[^"\\]|\\.)*"))*/.exec(text.slice(range.end))?.[0] ?? '';
  const end = range.end + tail.length;
  // A second index, and what is no path, need more than one expansion.
  if (array === '' || /^\s*\[/.test(text.slice(end))) return undefined;
  // In a broken text the blocks can run into one another.
  if (start <= last.range.end && last.range.end <= end) return undefined;
  const name = freeName(text);
  const expansion = `array_to_rows(${array}) as (${name})`;
  return {
    title: `Make rows of the array: ${expansion}`,
    edits: [
      { range: { start: last.range.end, end: last.range.end }, newText: `, ${expansion}` },
      { range: { start, end }, newText: tail === '' ? name : `${name}:${tail.trimStart().slice(1)}` },
    ],
    safe: false,
  };
}

/** Where the innermost column or path begins whose index stands at `range`: parents stand before their children. */
function startOfChain(nodes: readonly Node[], range: TextRange): number | undefined {
  let start: number | undefined;
  for (const node of nodes) {
    if (node.kind !== 'path' && node.kind !== 'column') continue;
    if (node.range.start < range.start && node.range.end >= range.start) start = node.range.start;
  }
  return start;
}

function freeName(text: string): string {
  let name = 'item';
  for (let n = 2; new RegExp(`\\b${name}\\b`, 'i').test(text); n++) name = `item${n}`;
  return name;
}

/** A result column that is no more than an aggregate goes; where it is the only one, the rows are returned instead. */
function removedItemFix(nodes: readonly Node[], range: TextRange): Fix | undefined {
  const block = innermost(nodes, range, 'returnBlock');
  const body = innermost(nodes, range, 'body');
  if (block === undefined) return undefined;
  const index = block.items.findIndex(
    (item) =>
      item.kind === 'returnColumn' && item.expression.range.start === range.start && contains(item.range, range),
  );
  if (index < 0) return undefined;
  if (block.items.length > 1) return { title: 'Remove it', edits: [removal(block, index)], safe: false };
  const first = body?.source?.items.find((item) => item.kind === 'datasource');
  const item = block.items[index];
  if (first === undefined || item === undefined) return undefined;
  const rows = `${(first.alias ?? first.name).name}.*`;
  return { title: `Return the rows: ${rows}`, edits: [{ range: item.range, newText: rows }], safe: false };
}

function removal({ items }: ReturnBlock, index: number): { readonly range: TextRange; readonly newText: string } {
  const at = items[index]?.range ?? { start: 0, end: 0 };
  const before = items[index - 1]?.range.end;
  const range =
    before === undefined
      ? { start: at.start, end: items[index + 1]?.range.start ?? at.end }
      : { start: before, end: at.end };
  return { range, newText: '' };
}

const units: ReadonlyMap<string, readonly [name: string, times: number]> = new Map([
  ['year', ['years', 1]],
  ['quarter', ['months', 3]],
  ['month', ['months', 1]],
  ['week', ['days', 7]],
  ['day', ['days', 1]],
  ['hour', ['hours', 1]],
  ['minute', ['minutes', 1]],
  ['second', ['seconds', 1]],
  ['millisecond', ['millis', 1]],
]);

/** `TIME - interval '2 days'` as `add_days(-2, TIME)`. */
function intervalFix(text: string, nodes: readonly Node[], range: TextRange): Fix | undefined {
  const sum = nodes.find(
    (node): node is BinaryExpression =>
      node.kind === 'binary' && isMissingAt(node.right, range) && (node.operator === '-' || node.operator === '+'),
  );
  const amount = /^interval\s+s?['"]\s*(\d{1,9})\s*([a-z]+?)s?\s*['"]$/i.exec(text.slice(range.start, range.end));
  const unit = units.get(amount?.[2]?.toLowerCase() ?? '');
  if (sum === undefined || amount === null || unit === undefined) return undefined;
  const [name, times] = unit;
  const sign = sum.operator === '-' ? '-' : '';
  const newText = `add_${name}(${sign}${Number(amount[1]) * times}, ${text.slice(sum.left.range.start, sum.left.range.end)})`;
  return { title: `Change to ${newText}`, edits: [{ range: sum.range, newText }], safe: true };
}

function isMissingAt(node: Expression, { start, end }: TextRange): boolean {
  return node.kind === 'missing' && node.range.start === start && node.range.end === end;
}

function innermost(nodes: readonly Node[], range: TextRange, kind: 'body'): Body | undefined;
function innermost(nodes: readonly Node[], range: TextRange, kind: 'returnBlock'): ReturnBlock | undefined;
function innermost(nodes: readonly Node[], range: TextRange, kind: Node['kind']): Node | undefined {
  // Parents stand before their children.
  return nodes.findLast((node) => node.kind === kind && contains(node.range, range));
}
