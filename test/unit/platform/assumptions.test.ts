import { describe, expect, test } from 'vitest';
import {
  assumptions,
  compatibleSwitches,
  parseSwitch,
  specificationSwitches,
} from '../../../server/platform/assumptions.ts';

describe('assumptions', () => {
  test('each has an id of its own, a statement and a ground', () => {
    const ids = assumptions.map((entry) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, statement, ground } of assumptions) {
      expect(statement.endsWith('.'), id).toBe(true);
      expect(ground.length, id).toBeGreaterThan(10);
    }
  });

  test('every switch has its default first, and a side for public clients', () => {
    const switchable = assumptions.flatMap((entry) => ('choices' in entry ? [entry] : []));
    expect(switchable.map((entry) => entry.id).sort()).toEqual(Object.keys(specificationSwitches).sort());
    for (const { id, choices } of switchable) {
      expect(specificationSwitches[id], id).toBe(choices[0]);
      expect(choices, id).toContain(compatibleSwitches[id]);
      for (const choice of choices) expect(parseSwitch(`${id}=${choice}`)).toEqual({ [id]: choice });
    }
  });

  test.each(['', 'empty-lists', 'empty-lists=', 'empty-lists=maybe', 'nothing=204', 'success-statuses=200'])(
    '%j is no decision',
    (text) => {
      expect(parseSwitch(text)).toBeUndefined();
    },
  );
});
