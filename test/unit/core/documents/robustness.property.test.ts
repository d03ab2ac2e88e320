import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRegions } from '../../../../server/core/documents/find-regions.ts';
import { type HostKind, regionAt, toDocumentEdits, toDocumentRange } from '../../../../server/core/documents/region.ts';
import { applyEdits } from '../../../../server/core/text/edits.ts';

const hosts: readonly HostKind[] = ['lql', 'yaml', 'json', 'hcl', 'markdown'];

const piece = fc.constantFrom(
  'queryText',
  'queryId',
  'query_text',
  'query',
  ':',
  ': ',
  '|',
  '|-',
  '>',
  '>-',
  '"',
  "'",
  '\n',
  '\r\n',
  '  ',
  '\t',
  '{',
  '}',
  '[',
  ']',
  ',',
  '- ',
  '---\n',
  '&a ',
  '*a',
  '!!str ',
  '<<-EOT\n',
  'EOT',
  'resource "a_query" "b" {\n',
  '=',
  '$',
  '${',
  '%{',
  '```lql\n',
  '```',
  '~~~',
  '> ',
  '#',
  '\\',
  '\\n',
  '\\u12',
  '\\x',
  'source',
  '{ source { A }',
  '\uFEFF',
  '😀',
  '\uD800',
  '\u2028',
  '\0',
);

/** What must hold of any document, sense or nonsense. */
function examine(document: string, host: HostKind): void {
  const regions = findRegions(document, host);
  for (const region of regions) {
    const { outer } = region.map;
    expect(0 <= outer.start && outer.start <= outer.end && outer.end <= document.length).toBe(true);
    for (let offset = 0; offset <= region.text.length; offset++) {
      const range = toDocumentRange(region, { start: offset, end: Math.min(region.text.length, offset + 2) });
      expect(0 <= range.start && range.start <= range.end && range.end <= document.length).toBe(true);
      const edits = toDocumentEdits(region, [{ range: { start: offset, end: offset }, newText: 'x\n y' }]);
      if (edits !== undefined) applyEdits(document, edits);
    }
  }
  for (let offset = 0; offset <= document.length; offset++) {
    const hit = regionAt(regions, offset);
    if (hit !== undefined) expect(hit.offset >= 0 && hit.offset <= hit.region.text.length).toBe(true);
  }
}

describe.each(hosts)('%s', (host) => {
  test('nonsense is read without harm', () => {
    const documents = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 200 }),
    );
    fc.assert(
      fc.property(documents, (document) => examine(document, host)),
      { numRuns: process.env['DEEP'] ? 20_000 : 500 },
    );
  });

  // Long enough that whatever took the square of the length would not come back before the test is given up.
  test.each([
    ['{', '{'],
    ['[', '['],
    ['"', '"'],
    ['quotes and colons', '":'],
    ['keys', 'queryText: '],
    ['empty query texts', 'queryText: |\n'],
    ['list marks', '- '],
    ['list marks and blanks', '-     '],
    ['fences', '```lql\n'],
    ['backticks in one line', '``` '],
    ['heredocs', 'query_text = <<EOT\n'],
    ['dollars', '$'],
    ['interpolations', '"${'],
    ['backslashes', '\\'],
    ['anchors', '&a *a '],
    ['comments', '-- x\n'],
    ['carriage returns', '\r'],
    ['blanks', ' '],
    ['document marks', '---\n'],
    ['query texts', 'queryText: "{ source { A } }"\n'],
  ])('a quarter of a megabyte of %s is read', (_name, unit) => {
    const document = unit.repeat(Math.floor(250_000 / unit.length));
    for (const { map } of findRegions(document, host)) expect(map.outer.end).toBeLessThanOrEqual(document.length);
  });
});
