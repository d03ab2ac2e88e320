import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  codeBlock,
  escapeMarkdown,
  inlineCode,
  plainText,
} from '../../../../../server/core/language/features/markdown.ts';

test('escaped text keeps its words and loses its marks', () => {
  expect(escapeMarkdown('a *b* [c](d) <e> & `f`\n# g')).toBe('a \\*b\\* \\[c\\]\\(d\\) &lt;e&gt; &amp; \\`f\\` \\# g');
});

test('no escaped text holds an active character or a line end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const escaped = escapeMarkdown(text);
      expect(escaped).not.toMatch(/[<>\r\n]/);
      expect(escaped.replace(/\\./g, '')).not.toMatch(/[`*_[\]()!]/);
    }),
    { numRuns: 500 },
  );
});

test('as plain text it says what it was made of', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '*', '`', '\\', '_', '&', 'lt;', '<', '[', '#', '\n', '💧'),
  });
  fc.assert(
    fc.property(
      // Blanks at the ends of a name are lost in Markdown too.
      text.map((given) => given.trim()),
      text,
      (a, b) => {
        const flat = (given: string): string => given.replace(/[\r\n]+/g, ' ');
        expect(plainText(`**column** ${inlineCode(a)}\n\n*${escapeMarkdown(b)}*`)).toBe(
          `column ${flat(a)}\n\n${flat(b)}`,
        );
        expect(plainText(`x\n${codeBlock(a)}\ny`)).toBe(`x\n${a}\ny`);
      },
    ),
    { numRuns: 500 },
  );
});

test('inline code is fenced longer than the backticks inside', () => {
  expect(inlineCode('a')).toBe('`a`');
  expect(inlineCode('a`b')).toBe('``a`b``');
  expect(inlineCode('`a`')).toBe('`` `a` ``');
  expect(inlineCode('a\nb')).toBe('`a b`');
});

test('a code block cannot be left from inside', () => {
  expect(codeBlock('```\n<script>')).toBe('````lql\n```\n<script>\n````');
});
