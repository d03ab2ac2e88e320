import { describe, expect, test } from 'vitest';
import { valueAt } from '../../../../server/core/engine/table.ts';
import { jsonText } from '../../../../server/core/language/values/json.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import {
  createSampleAccount,
  sampleDatasources,
  sampleJoinKeys,
} from '../../../../server/platform/sample/sample-account.ts';

const now = Date.parse('2031-04-02T12:00:30.000Z');
const hour = 3_600_000;
const demo = createSampleAccount({ now });

function cells(name: string, column: string) {
  const table = demo.table(name);
  const vector = table?.column(column);
  if (table === undefined || vector === undefined) throw new Error(`${name} has no ${column}`);
  return Array.from({ length: table.rowCount }, (_, row) => valueAt(vector, row));
}

function fits(value: Value, dataType: string): boolean {
  if (dataType === 'String') return typeof value === 'string';
  if (dataType === 'Timestamp') return Number.isInteger(value);
  if (dataType === 'Number') return typeof value === 'bigint' || Number.isFinite(value);
  return value !== undefined;
}

describe('the sample account', () => {
  test('has about twenty thousand rows in many families', () => {
    const rows = sampleDatasources.map((datasource) => demo.table(datasource.name)?.rowCount ?? 0);
    const total = rows.reduce((sum, count) => sum + count, 0);
    expect(total).toBeGreaterThan(18_000);
    expect(total).toBeLessThan(30_000);
    expect(rows.every((count) => count > 0)).toBe(true);
    const families = new Set(
      sampleDatasources.map(
        ({ name }) => /^(SVC_(CFG_(AWS|AZURE|GCP|K8S)|HE|HA|ACT|CE|APA)|CloudTrail)/.exec(name)?.[0],
      ),
    );
    expect(families.size).toBe(10);
  });

  test('is the same for the same seed and moment, and another for another seed', () => {
    const digest = (seed: string) => {
      const account = createSampleAccount({ now, seed });
      return sampleDatasources.map(({ name }) => {
        const table = account.table(name);
        const texts = table?.columns.map((column) => {
          const vector = table.column(column.name);
          return vector === undefined
            ? ''
            : Array.from({ length: Math.min(50, table.rowCount) }, (_, row) => jsonText(valueAt(vector, row))).join();
        });
        return texts?.join('|');
      });
    };
    expect(digest('harborline')).toEqual(digest('harborline'));
    expect(digest('harborline')).not.toEqual(digest('another'));
  });

  test('moves with its moment and changes in nothing else', () => {
    const later = createSampleAccount({ now: now + 5 * hour });
    const name = 'SVC_HA_DNS_REQUESTS';
    const column = later.table(name)?.column('RECORD_CREATED_TIME');
    if (column === undefined) throw new Error('no times');
    const moved = cells(name, 'RECORD_CREATED_TIME').filter(
      (time, row) => valueAt(column, row) !== Number(time) + 5 * hour,
    );
    expect(moved).toEqual([]);
  });

  test.each(sampleDatasources.map((datasource) => [datasource.name, datasource] as const))(
    '%s is well formed',
    (name, datasource) => {
      const table = demo.table(name);
      if (table === undefined) throw new Error('no table');
      const names = datasource.columns.map((column) => column.name);
      expect(new Set(names).size).toBe(names.length);
      expect(datasource.description).not.toBe('');
      expect(names).toContain(datasource.timeColumn);
      const times = cells(name, datasource.timeColumn).map(Number);
      // Nothing happens in the future, and the last day has rows.
      expect(Math.max(...times)).toBeLessThanOrEqual(now);
      expect(times.some((time) => time >= now - 24 * hour)).toBe(true);
      for (const column of datasource.columns) {
        const wrong = cells(name, column.name).filter((value) => value !== undefined && !fits(value, column.dataType));
        expect(wrong, column.name).toEqual([]);
      }
    },
  );

  test('relationships lead to datasources, along columns of both, and find partners', () => {
    for (const datasource of sampleDatasources) {
      for (const relationship of datasource.relationships) {
        const keys = sampleJoinKeys({ ...relationship, from: datasource.name }) ?? [];
        expect(keys.length).toBeGreaterThan(0);
        const tuples = (name: string, columns: readonly string[]) => {
          const lists = columns.map((column) => cells(name, column));
          return (lists[0] ?? []).map((_, row) => lists.map((list) => jsonText(list[row])).join());
        };
        const right = new Set(
          tuples(
            relationship.to,
            keys.map((key) => key.to),
          ),
        );
        const partners = tuples(
          datasource.name,
          keys.map((key) => key.from),
        ).filter((tuple) => right.has(tuple));
        expect(partners.length, `${datasource.name} ${relationship.name}`).toBeGreaterThan(0);
      }
    }
    expect(sampleJoinKeys({ name: '(default)', from: 'SVC_CFG_AWS_S3', to: 'SVC_HE_MACHINES' })).toBeUndefined();
  });

  test('holds hashes beyond 2^53 as exact integers', () => {
    const hashes = cells('SVC_HE_PROCESSES', 'PID_HASH');
    expect(hashes.some((hash) => typeof hash === 'bigint' && hash > 2n ** 53n)).toBe(true);
    expect(hashes.every((hash) => typeof hash === 'bigint' || Number.isSafeInteger(hash))).toBe(true);
  });

  test.runIf(process.env['DEEP'])('the lab holds about a million rows in all', { timeout: 600_000 }, () => {
    let rows = 0;
    // Each datasource with an account of its own, so that no two are held at once.
    for (const { name } of sampleDatasources)
      rows += createSampleAccount({ now, size: 'lab' }).table(name)?.rowCount ?? 0;
    console.log(`the lab holds ${rows.toLocaleString('en')} rows in ${sampleDatasources.length} datasources`);
    expect(rows).toBeGreaterThan(900_000);
    expect(rows).toBeLessThan(1_200_000);
  });

  test('the lab has many times the events of the demonstration', () => {
    const lab = createSampleAccount({ now, size: 'lab' });
    const name = 'SVC_HA_USER_LOGINS';
    const ratio =
      (lab.table('SVC_HA_FILE_CHANGES')?.rowCount ?? 0) / (demo.table('SVC_HA_FILE_CHANGES')?.rowCount ?? 1);
    expect(ratio).toBeGreaterThan(40);
    expect(lab.table(name)?.rowCount).toBeGreaterThan(demo.table(name)?.rowCount ?? 0);
  });
});
