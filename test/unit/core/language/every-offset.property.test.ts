import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanguageService, type LanguageService } from '../../../../server/core/language/language-service.ts';
import { repoRoot } from '../../../harness/paths.ts';
import { askAt, askWhole } from './ask-everything.ts';
import { catalogWithSchemas } from './features/support.ts';

/** Every construct of the language once, in few characters, so that each prefix is a different mistake. */
const texts = [
  "{ source { CFG_BUCKETS b with (CFG_KEYS k on '(default)', CFG_GRANTS g), array_to_rows(b.RESOURCE_CONFIG:a.\"type\") as t(x) } filter { not (b.ARN like any ('%a', s'b') and x:k::String <> \"q\") or ROTATION is not json null } return distinct { b.*, case when x = 1 then 'y' else null end as C } }",
  'union all { { source { HE_FILES } return { PATH, META:acl.mode as M } }, { source { HE_FILES } filter { (PATH, 1) in { source { AuditEvents } return { EVENT, INSERT_ID } } } return { PATH } } }',
  "Old { source { CFG_KEYS as k } /* c */ filter { KEY_ID between -1 and substring(k.KEY_ID, 1, 2) || '😀' -- d\n } return { lower(KEY_ID) as L } }",
];

function service(): LanguageService {
  return createLanguageService({ catalog: catalogWithSchemas, vendorPrefix: 'SVC' });
}

describe('every request at every offset answers, ranges stay inside, edits apply', () => {
  test.each(texts)('of %s', (text) => {
    const lql = service();
    const query = lql.analyze('a', text);
    askWhole(lql, query);
    for (let offset = 0; offset <= text.length; offset++) askAt(lql, query, offset);
  });

  test.each(texts)('at the end and in the middle of every prefix of %s', (text) => {
    const lql = service();
    for (let length = 0; length < text.length; length++) {
      const query = lql.analyze('a', text.slice(0, length));
      askWhole(lql, query);
      askAt(lql, query, length);
      askAt(lql, query, length >> 1);
    }
  });

  test('of every example', () => {
    const folder = path.join(repoRoot, 'examples');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lql'));
    expect(files.length).toBeGreaterThan(0);
    const lql = service();
    for (const name of files) {
      const query = lql.analyze(name, readFileSync(path.join(folder, name), 'utf8'));
      askWhole(lql, query);
      for (let offset = 0; offset <= query.text.length; offset++) askAt(lql, query, offset);
    }
  });

  test('of texts with parts dropped, doubled and exchanged', { timeout: 600_000 }, () => {
    const lql = service();
    const parts = texts.flatMap((text) => text.match(/\w+|\s+|[^\w\s]/gu) ?? []);
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 60 }), fc.nat(), (chosen, at) => {
        const query = lql.analyze('a', chosen.join(''));
        askWhole(lql, query);
        askAt(lql, query, at % (query.text.length + 1));
      }),
      { numRuns: process.env['DEEP'] ? 20_000 : 1000 },
    );
  });

  // What took the square of such a length, in time or memory, would not come back before the test is given up.
  test.each([
    ['braces', '', '{', ''],
    ['parentheses', '{ source { A } filter { ', '(', ''],
    ['quotes', '', "'", ''],
    ['conditions', '{ source { A a } filter { ', "a.B:c.d = 'x' and ", '1 = 1 } return { X } }'],
    ['bodies of a union', 'union { ', '{ source { A a } return { a.X } }, ', '}'],
    ['sources', '{ source { ', 'A a with B, ', '} return { a.X } }'],
    ['expansions', '{ source { A, ', 'array_to_rows(A.b:c) as (x), ', '} return { x } }'],
    ['subqueries', '{ source { A } filter { x in ', '{ source { A } filter { x in ', ''],
    ['result columns', '{ source { A } return { ', 'X as Y, ', '} }'],
    ['comments', '', '-- c\n/* d */', '{ source { A } return { X } }'],
    ['calls', '{ source { A } filter { ', 'lower(', ''],
    ['paths', '{ source { A } filter { X:a', '.b', ' = 1 } return { X } }'],
  ])('of a text of very many %s', (_name, before, unit, after) => {
    const text = before + unit.repeat(Math.floor(60_000 / unit.length)) + after;
    const lql = service();
    const query = lql.analyze('a', text);
    askWhole(lql, query);
    for (const offset of [before.length, text.length >> 1, text.length - after.length, text.length])
      askAt(lql, query, offset);
  });

  test('of any characters at all', { timeout: 600_000 }, () => {
    const lql = service();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.nat(), (text, at) => {
        const query = lql.analyze('a', text);
        askWhole(lql, query);
        askAt(lql, query, at % (text.length + 1));
      }),
      { numRuns: process.env['DEEP'] ? 20_000 : 500 },
    );
  });
});

test('what is analyzed is kept while nothing changes, and made anew when the catalog does', () => {
  const lql = createLanguageService({ catalog: undefined, vendorPrefix: 'SVC' });
  const text = '{ source { CFG_KEYS } return { NOPE } }';
  const first = lql.analyze('a', text);
  expect(lql.analyze('a', text)).toBe(first);
  lql.configure({ catalog: catalogWithSchemas, vendorPrefix: 'SVC' });
  const second = lql.analyze('a', text);
  expect(second).not.toBe(first);
  expect(second.parsed).toBe(first.parsed);
  expect(second.diagnostics.length).toBeGreaterThan(first.diagnostics.length);
});

test('keys used in other open queries are proposed, until those are closed', () => {
  const lql = service();
  lql.analyze('b#0', "{ source { AuditEvents } filter { EVENT:region = 'x' } return { EVENT } }");
  const text = '{ source { AuditEvents } filter { EVENT: } return { EVENT } }';
  const keys = (): string[] =>
    lql.complete(lql.analyze('a#0', text), text.indexOf(':') + 1, { snippets: true }).items.map(({ label }) => label);
  expect(keys()).toEqual(['region']);
  lql.forget('b#');
  expect(keys()).toEqual([]);
});
