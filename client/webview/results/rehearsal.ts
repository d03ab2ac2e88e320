import type { ColumnKind, RunView, ViewColumn } from '../../protocol/results.ts';

/** Columns that most windows show. */
const columnCount = 10;
const columnWidth = 120;
const kinds: readonly ColumnKind[] = ['time', 'text', 'number', 'text', 'json'];
/** Letters and signs that most cells are written with, in pieces that cells hold. */
const texts = ['2026-01-31T12:00:00Z', 'arn:aws:iam::root/user@example', '0123456789', 'GetKeyBy VQWXPZ_jkh', null];

/** A result of `rowCount` rows that is nobody's, in the form of any other one. */
export function rehearsal(rowCount: number): RunView {
  const columns = Array.from({ length: columnCount }, (_, index): ViewColumn => {
    const label = `COLUMN_${index}`;
    return { name: label, label, kind: kinds[index % kinds.length] ?? 'text', length: 12 };
  });
  return {
    id: '',
    title: '',
    phase: 'running',
    queryText: '',
    accountLabel: '',
    window: { start: '', end: '', label: '' },
    startedAt: 0,
    durationMs: undefined,
    timeZone: 'utc',
    columns,
    layout: {
      order: columns.map((_, index) => index),
      widths: Object.fromEntries(columns.map((_, index) => [index, columnWidth])),
      frozen: 0,
      wrap: false,
    },
    rowCount,
    shownCount: rowCount,
    revision: 0,
    head: {
      start: 0,
      rows: Array.from({ length: rowCount }, () => columns.map((_, index) => texts[index % texts.length] ?? null)),
    },
    sort: [],
    filter: { search: '', columns: [] },
    busy: false,
    note: undefined,
    message: undefined,
    actions: [],
  };
}
