/** One comparison of the benchmark: what was measured, what it is held against, and the budget that it must keep. */
export interface BenchRow {
  /** Stable: the key of its budget in budgets.json. */
  readonly id: string;
  readonly what: string;
  readonly ours: number;
  readonly unit: 'µs' | 'ms' | 'MB' | 'files/s' | 'count' | 'ratio';
  /** Undefined for a figure that is held against a fixed number. */
  readonly peer: { readonly name: string; readonly value: number } | undefined;
  /** What the budget limits: ours divided by the peer's, or ours. */
  readonly figure: number;
}

/** A budget is a limit on the figure of a row. Gates fail `--check`; the others are goals. */
export interface Budget {
  readonly limit: number;
  readonly atLeast?: boolean;
  readonly gate: boolean;
}

export type Budgets = Readonly<Record<string, Budget>>;

export type Verdict = 'kept' | 'missed' | 'goal missed' | 'none';

export function ratioRow(
  id: string,
  what: string,
  unit: BenchRow['unit'],
  ours: number,
  peer: { readonly name: string; readonly value: number },
): BenchRow {
  return { id, what, ours, unit, peer, figure: ours / peer.value };
}

export function figureRow(id: string, what: string, unit: BenchRow['unit'], ours: number): BenchRow {
  return { id, what, ours, unit, peer: undefined, figure: ours };
}

export function verdictOf(row: BenchRow, budgets: Budgets): Verdict {
  const budget = budgets[row.id];
  if (budget === undefined) return 'none';
  const kept = budget.atLeast === true ? row.figure >= budget.limit : row.figure <= budget.limit;
  if (kept) return 'kept';
  return budget.gate ? 'missed' : 'goal missed';
}

/** Rows as a table for the terminal. */
export function printRows(rows: readonly BenchRow[], budgets: Budgets): string {
  const number = (value: number): string => {
    if (value >= 100) return Math.round(value).toLocaleString('en');
    if (value > 0 && value < 0.01) return value.toPrecision(2);
    return value >= 10 ? value.toFixed(1) : value.toFixed(3).replace(/\.?0+$/, '');
  };
  const cells = rows.map((row) => {
    const budget = budgets[row.id];
    return [
      row.what,
      `${number(row.ours)} ${row.unit}`,
      row.peer === undefined ? '' : `${row.peer.name} ${number(row.peer.value)} ${row.unit}`,
      row.peer === undefined ? '' : `${number(row.figure)} ×`,
      budget === undefined
        ? ''
        : `${budget.atLeast === true ? '≥' : '≤'} ${number(budget.limit)}${budget.gate ? ' gate' : ''}`,
      verdictOf(row, budgets) === 'none' ? '' : verdictOf(row, budgets),
    ];
  });
  const head = ['what', 'ours', 'held against', 'ratio', 'budget', ''];
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)));
  return [head, widths.map((width) => '─'.repeat(width)), ...cells]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
