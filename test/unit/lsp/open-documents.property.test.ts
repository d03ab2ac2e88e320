import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createLineIndex } from '../../../server/core/text/line-index.ts';
import { createLanguageHost } from '../../../server/lsp/language-host.ts';
import { createOpenDocuments } from '../../../server/lsp/open-documents.ts';
import { datasourcesAnswer } from '../core/language/features/support.ts';

const uri = 'file:///a.lql';
const start =
  "\uFEFF{ source { CFG_BUCKETS b,\r\n array_to_rows(b.RESOURCE_CONFIG:a) as (x) }\r filter { x = '😀' }\n return { b.ARN, x:k as K } }";
const piece = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '{',
  '}',
  "'",
  '"',
  '(',
  ')',
  'CFG_KEYS',
  'filter',
  '😀',
  '\uD83D',
  '\uDE00',
  '\u2028',
  '\uFEFF',
  ':k',
  'b.',
  '--',
  '/*',
  '*/',
  'é',
  '0',
);
const edit = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 8 }),
  newText: fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
});

function host() {
  const language = createLanguageHost('SVC');
  language.setCatalog({ version: '1', origin: 'account', vendorPrefix: 'SVC', datasources: datasourcesAnswer.data });
  return language;
}

test('a document after incremental edits is the document opened afresh: text, lines, diagnostics, tokens', {
  timeout: 600_000,
}, () => {
  const incremental = host();
  const fresh = host();
  let count = 0;
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
      const documents = createOpenDocuments();
      let version = 1;
      let text = start;
      let document = documents.open(uri, 'lql', version, text);
      for (const { at, length, newText } of edits) {
        const content = document.content;
        // Positions are what crosses the wire; one inside of a line end is moved to its start by both sides.
        const from = content.positionAt(at % (text.length + 1));
        const to = content.positionAt(Math.min(text.length, content.offsetAt(from) + length));
        const range = { start: from, end: to };
        text =
          text.slice(0, content.offsetAt(from)) +
          newText +
          text.slice(Math.max(content.offsetAt(from), content.offsetAt(to)));
        const changed = documents.change(uri, ++version, [{ range, text: newText }]);
        if (changed === undefined) throw new Error('the document is gone');
        document = changed;
        count++;
        incremental.regions(document);
      }
      expect(document.content.getText()).toBe(text);
      const other = createOpenDocuments().open(uri, 'lql', 1, text);
      const [a] = incremental.regions(document);
      const [b] = fresh.regions(other);
      expect(a?.query.diagnostics).toEqual(b?.query.diagnostics);
      if (a !== undefined && b !== undefined)
        expect(incremental.service.semanticTokens(a.query)).toEqual(fresh.service.semanticTokens(b.query));
      for (let offset = 0; offset <= text.length; offset += 7)
        expect(document.content.positionAt(offset)).toEqual(other.content.positionAt(offset));
    }),
    { numRuns: process.env['DEEP'] ? 20_000 : 500 },
  );
  console.log(`language server: ${count} incremental edits give what a fresh open gives`);
  if (process.env['DEEP']) expect(count).toBeGreaterThanOrEqual(100_000);
});

test('our line index and the one of the protocol library count alike', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), (parts, at) => {
      const text = parts.join('');
      const document = TextDocument.create(uri, 'lql', 1, text);
      const lines = createLineIndex(text);
      const offset = at % (text.length + 1);
      // Between the two characters of a line end the library goes back to the line's end.
      if (text.slice(offset - 1, offset + 1) === '\r\n') return;
      const position = document.positionAt(offset);
      expect(lines.positionAt(offset)).toEqual(position);
      expect(lines.offsetAt(position)).toBe(document.offsetAt(position));
    }),
    { numRuns: 500 },
  );
});
