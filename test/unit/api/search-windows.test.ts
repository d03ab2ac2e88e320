import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApiClient } from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { searchWindows, splitRange } from '../../../server/api/search-windows.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { answer, createScriptTransport } from './support/script-transport.ts';

const day = 86_400_000;
const start = Date.parse('2031-03-01T00:00:00.000Z');

describe('splitRange', () => {
  it('keeps seven days whole, to the millisecond', () => {
    expect(splitRange({ start, end: start + 7 * day })).toEqual([{ start, end: start + 7 * day }]);
    expect(splitRange({ start, end: start + 7 * day + 1 })).toEqual([
      { start, end: start + 7 * day - 1 },
      { start: start + 7 * day, end: start + 7 * day + 1 },
    ]);
  });

  it('covers every moment exactly once, in windows that the service accepts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 * day }), (length) => {
        const windows = splitRange({ start, end: start + length });
        expect([windows[0]?.start, windows.at(-1)?.end]).toEqual([start, start + length]);
        for (const [index, window] of windows.entries()) {
          expect(window.end - window.start).toBeLessThanOrEqual(7 * day);
          if (index > 0) expect(window.start).toBe((windows[index - 1]?.end ?? 0) + 1);
        }
      }),
    );
  });
});

describe('searchWindows', () => {
  it('searches window after window and gives the pages in the order of time', async () => {
    const transport = createScriptTransport((request) => {
      const { timeFilter } = JSON.parse(request.body ?? '{}');
      return answer(200, { data: [{ hostname: timeFilter.startTime }] });
    });
    const client = createApiClient({
      origin: 'https://acme.example.net',
      vendorPrefix: 'SVC',
      keyId: 'K',
      secret: createSecret('_secret0123'),
      transport,
    });
    const seen: unknown[] = [];
    const body = { filters: [{ field: 'hostname', expression: 'eq', value: 'web' }] } as const;
    const range = { start, end: start + 15 * day };
    for await (const page of searchWindows(
      client,
      endpoints.searches.machines,
      { filters: [...body.filters] },
      range,
    )) {
      seen.push([page.rows[0]?.hostname, page.windowIndex, page.windows]);
    }
    expect(seen).toEqual([
      ['2031-03-01T00:00:00.000Z', 0, 3],
      ['2031-03-08T00:00:00.000Z', 1, 3],
      ['2031-03-15T00:00:00.000Z', 2, 3],
    ]);
    expect(JSON.parse(transport.requests[1]?.body ?? '')).toEqual({
      ...body,
      timeFilter: { startTime: '2031-03-01T00:00:00.000Z', endTime: '2031-03-07T23:59:59.999Z' },
    });
  });
});
