import type { TableSource } from '../../core/engine/table.ts';
import { keepText } from '../http/wire-json.ts';
import type { SearchRecord } from './filters.ts';

/** Records of larger tables are made anew for every search: kept, they would take more memory than the table itself. */
const mostKept = 20_000;

/** By table, then by kind of record, then by row: null where a row makes no record. */
const kept = new WeakMap<TableSource, Map<string, (SearchRecord | null | undefined)[]>>();

/**
 * Gives the record of a row. Tables do not change, so a record is made once, and so is its text in answers: searches ask for the same rows
 * again and again.
 */
export function keptRecords(
  table: TableSource,
  kind: string,
  make: (row: number) => SearchRecord | undefined,
): (row: number) => SearchRecord | undefined {
  if (table.rowCount > mostKept) return make;
  const kinds = kept.get(table) ?? new Map<string, (SearchRecord | null | undefined)[]>();
  kept.set(table, kinds);
  const records = kinds.get(kind) ?? [];
  kinds.set(kind, records);
  return (row) => {
    const known = records[row];
    if (known !== undefined) return known ?? undefined;
    const record = make(row);
    records[row] = record === undefined ? null : keepText(record);
    return record;
  };
}
