import { assertNever } from '../core/assert-never.ts';
import { exportRows } from '../core/results/export.ts';
import type { RowStore } from '../core/results/row-store.ts';
import { type CliIo, UsageError } from './io.ts';

const outputFormats = ['table', 'json', 'ndjson', 'csv'] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The form that `--output` names; a table unless it was given. */
export function outputFormat(text: string | undefined): OutputFormat {
  const format = outputFormats.find((candidate) => candidate === (text ?? 'table'));
  if (!format) throw new UsageError(`--output takes ${outputFormats.join(', ')}, not '${text}'.`);
  return format;
}

/** Writes all rows of a result. Tables are for people: cells are cut to the terminal; the other forms are for programs: nothing is cut. */
export async function writeRows(store: RowStore, format: OutputFormat, io: CliIo): Promise<void> {
  switch (format) {
    case 'table':
      await io.writeOut(tableText(store, io.columns));
      return;
    case 'json':
    case 'ndjson':
    case 'csv': {
      const rows = Uint32Array.from({ length: store.rowCount }, (_, row) => row);
      const selection = { rows, columns: store.columns.map((_, column) => column), header: true };
      let last = '';
      for (const chunk of exportRows(store, selection, format)) {
        await io.writeOut(chunk);
        if (chunk !== '') last = chunk;
        if (io.signal.aborted) return;
      }
      if (!last.endsWith('\n')) await io.writeOut('\n');
      return;
    }
    default:
      return assertNever(format);
  }
}

const widestCell = 60;
const narrowestCell = 4;

function tableText(store: RowStore, terminal: number | undefined): string {
  if (store.columns.length === 0) return '';
  const cells = store.columns.map((column, index) => [
    column.name,
    ...Array.from({ length: store.rowCount }, (_, row) => printable(store.text(row, index) ?? '')),
  ]);
  const rightAligned = store.columns.map((_, column) => isNumeric(store, column));
  const widths = cells.map((column) =>
    Math.min(
      widestCell,
      column.reduce((widest, cell) => Math.max(widest, width(cell)), 1),
    ),
  );
  if (terminal !== undefined) shrink(widths, terminal - 2 * (widths.length - 1));
  const line = (row: number) =>
    cells
      .map((column, index) => pad(column[row] ?? '', widths[index] ?? 0, rightAligned[index] === true && row > 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((columnWidth) => '-'.repeat(columnWidth)).join('  ');
  const lines = [line(0), rule, ...Array.from({ length: store.rowCount }, (_, row) => line(row + 1))];
  return `${lines.join('\n')}\n`;
}

/** Whether a column holds numbers and nothing else; its promised type may be unknown. */
function isNumeric(store: RowStore, column: number): boolean {
  let numbers = 0;
  for (let row = 0; row < store.rowCount; row++) {
    const value = store.value(row, column);
    if (typeof value === 'number' || typeof value === 'bigint') numbers++;
    else if (value !== undefined && value !== null) return false;
  }
  return numbers > 0;
}

/** Takes from the widest columns until the sum fits, as far as that leaves something to read. */
function shrink(widths: number[], room: number): void {
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= narrowestCell) return;
    widths[widths.indexOf(widest)] = widest - 1;
    excess--;
  }
}

// Line ends would break the table, and control characters can steer a terminal.
function printable(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ');
}

function pad(text: string, columnWidth: number, right: boolean): string {
  const cut = width(text) > columnWidth ? `${[...text].slice(0, columnWidth - 1).join('')}…` : text;
  const filler = ' '.repeat(Math.max(0, columnWidth - width(cut)));
  return right ? filler + cut : cut + filler;
}

function width(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
