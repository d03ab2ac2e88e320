import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { findRegions } from '../../../../server/core/documents/find-regions.ts';
import { type HostKind, toDocumentEdits, toDocumentRange } from '../../../../server/core/documents/region.ts';
import { applyEdits } from '../../../../server/core/text/edits.ts';

const runs = { numRuns: process.env['DEEP'] ? 10_000 : 500 };

/** Query texts with the characters that quoting and folding stumble on. They begin as LQL does, or hosts leave them alone. */
const piece = fc.constantFrom(
  'a',
  'B_1',
  ' ',
  '  ',
  '\n',
  '\n\n',
  "'",
  "''",
  '"',
  '\\',
  ':',
  ': ',
  ' #',
  '#',
  '{',
  '}',
  '(',
  ')',
  '%',
  '$',
  ',',
  'é',
  '😀',
  '\t',
  '-',
  '|',
  '>',
);
const queryText = fc
  .array(piece, { maxLength: 30 })
  .map((parts) => `{ source ${parts.join('').replace(/\$\{|%\{/g, '')}}`);

const crlf = fc.boolean();

type Host = { readonly name: string; readonly kind: HostKind; readonly wrap: (text: string) => string };

const yaml =
  (type: 'BLOCK_LITERAL' | 'BLOCK_FOLDED' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE', lineWidth: number) => (text: string) =>
    stringify(
      { a: 1, list: [{ queryId: 'x', queryText: text }], z: 2 },
      { defaultStringType: type, defaultKeyType: 'PLAIN', lineWidth },
    );

const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);

const hosts: readonly Host[] = [
  { name: 'YAML literal', kind: 'yaml', wrap: yaml('BLOCK_LITERAL', 0) },
  { name: 'YAML folded', kind: 'yaml', wrap: yaml('BLOCK_FOLDED', 20) },
  { name: 'YAML double-quoted', kind: 'yaml', wrap: yaml('QUOTE_DOUBLE', 20) },
  { name: 'YAML single-quoted', kind: 'yaml', wrap: yaml('QUOTE_SINGLE', 20) },
  {
    name: 'JSON',
    kind: 'json',
    wrap: (text) => JSON.stringify({ x: [1, { queryText: text, queryId: 'x' }] }, null, 2),
  },
  {
    name: 'Terraform heredoc',
    kind: 'hcl',
    wrap: (text) => `resource "a_query" "b" {\n  query = <<-EOT\n${indent(text, '    ')}\n  EOT\n}\n`,
  },
  { name: 'Terraform string', kind: 'hcl', wrap: (text) => `a {\n  query_text = ${JSON.stringify(text)}\n}\n` },
  {
    name: 'Markdown',
    kind: 'markdown',
    wrap: (text) => `text\n\n- x\n  \`\`\`lql\n${indent(text, '  ')}\n  \`\`\`\nmore\n`,
  },
];

/** Line ends may change with the host's; everything else is the same text. */
function sameLines(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

describe.each(hosts)('$name', { timeout: 600_000 }, ({ kind, wrap }) => {
  // A tab at the start of a line is indentation to a heredoc, and no blank to YAML.
  const texts = queryText.map((text) => text.replace(/^\s*\t\s*/gm, ''));

  test('the text found is the text put in', () => {
    fc.assert(
      fc.property(texts, crlf, (text, windows) => {
        const document = windows ? wrap(text).replace(/\n/g, '\r\n') : wrap(text);
        // The YAML library itself folds a text beginning with a short line differently; what it reads back is the measure.
        const expected = kind === 'yaml' ? parse(document).list[0].queryText : text;
        expect(findRegions(document, kind).map((region) => sameLines(region.text))).toEqual([expected]);
      }),
      runs,
    );
  });

  test('offsets go out and come back, ranges stay in order and inside', () => {
    fc.assert(
      fc.property(texts, crlf, (text, windows) => {
        const document = windows ? wrap(text).replace(/\n/g, '\r\n') : wrap(text);
        const [region] = findRegions(document, kind);
        if (region === undefined) throw new Error('no region');
        let before = 0;
        for (let offset = 0; offset < region.text.length; offset++) {
          const outer = region.map.toOuter(offset, 'after');
          expect(outer).toBeGreaterThanOrEqual(before);
          expect(outer).toBeLessThanOrEqual(document.length);
          before = outer;
          const back = region.map.toInner(outer);
          // Only what one escape or fold stands for as a whole has no place of its own.
          if (back !== offset) expect(region.map.isInside(offset)).toBe(true);
          const range = toDocumentRange(region, { start: offset, end: offset + 1 });
          if (/[A-Za-z_0-9{}(),]/.test(region.text.charAt(offset)))
            expect(document.slice(range.start, range.end)).toBe(region.text.charAt(offset));
        }
      }),
      runs,
    );
  });

  test('an edit of the text, written into the document, gives the edited text', () => {
    const edit = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 5 }),
      newText: fc.constantFrom('', 'x', 'a b', 'a\nb', "it's", '"q"', '\\', 'n\n  m\n', ': ', '#'),
    });
    let written = 0;
    fc.assert(
      fc.property(texts, crlf, edit, (text, windows, { at, length, newText }) => {
        const document = windows ? wrap(text).replace(/\n/g, '\r\n') : wrap(text);
        const [region] = findRegions(document, kind);
        if (region === undefined) throw new Error('no region');
        // Behind `{ source`, so that it stays a query.
        const start = 9 + (at % Math.max(1, region.text.length - 9));
        const end = Math.min(region.text.length, start + length);
        // Editors never cut a line end in two.
        const cuts = (offset: number): boolean => region.text.slice(offset - 1, offset + 1) === '\r\n';
        if (cuts(start) || cuts(end)) return;
        const edits = toDocumentEdits(region, [{ range: { start, end }, newText }]);
        if (edits === undefined) return;
        const changed = applyEdits(document, edits);
        const [again] = findRegions(changed, kind);
        const expected = region.text.slice(0, start) + newText + region.text.slice(end);
        const trailing = (value: string): string => (kind === 'json' ? value : value.replace(/\n+$/, ''));
        if (again?.text === undefined || trailing(sameLines(again.text)) !== trailing(sameLines(expected)))
          throw new Error(
            `${JSON.stringify(document)}\n -> ${JSON.stringify(changed)}\n read ${JSON.stringify(again?.text)}\n want ${JSON.stringify(expected)}`,
          );
        written++;
      }),
      runs,
    );
    expect(written).toBeGreaterThan(50);
  });
});
