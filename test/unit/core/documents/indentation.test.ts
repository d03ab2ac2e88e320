import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIndenter } from '../../../../server/core/documents/indentation.ts';

/** A document that counts how often it is looked at. */
class WatchedDocument extends String {
  looks = 0;
  // String's own methods go through toString.
  readonly #text: string;

  constructor(text: string) {
    super(text);
    this.#text = text;
  }

  override charCodeAt(at: number): number {
    this.looks++;
    return this.#text.charCodeAt(at);
  }

  override charAt(at: number): string {
    this.looks++;
    return this.#text.charAt(at);
  }

  override toString(): string {
    this.looks += this.length;
    return this.#text;
  }
}

describe('text written into an indented form', () => {
  test.each(['', '  ', '        '])('costs no more the longer the line before it is: indentation %j', (indent) => {
    const looks = [1_000, 100_000].map((length) => {
      const document = new WatchedDocument(`a:\n${indent}${'x'.repeat(length)}`);
      const write = createIndenter(document as unknown as string, indent);
      for (let edit = 0; edit < 100; edit++) {
        expect(write('y', document.length - edit)).toBe('y');
        expect(write('y\nz', document.length - edit)).toBe(`y\n${indent}z`);
      }
      // The line end is looked for once, from the document's start.
      return document.looks - document.length;
    });
    expect(looks).toEqual([200 * indent.length, 200 * indent.length]);
  });

  test('begins every line with the indentation, and adds what is missing of it where the text starts', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\t', '\n', '\r\n', '\r', '\u2028', '😀'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('', '  ', '\t\t\t'), text, fc.nat(), (document, indent, newText, seed) => {
        const at = seed % (document.length + 1);
        const column = (document.slice(0, at).split(/\r|\n/).at(-1) ?? '').length;
        const lead = newText === '' ? '' : indent.slice(column);
        const lineEnd = /\r\n|\n|\r/.exec(document)?.[0] ?? '\n';
        const lines = newText.replace(/\r\n|\n|\r/g, lineEnd + indent);
        expect(createIndenter(document, indent)(newText, at)).toBe(lead + lines);
      }),
    );
  });
});
