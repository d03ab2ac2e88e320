/** Which line end a document uses: that of its first line. */
function lineEndOf(document: string): string {
  const first = /\r\n|\n|\r/.exec(document);
  return first?.[0] ?? '\n';
}

/**
 * Writes text into a form whose lines all begin with `indent` (block scalars, heredocs, fences in lists). `at` is where in the
 * document it goes: on a line that is shorter than the indentation, what is missing is added.
 */
export function encodeIndented(document: string, indent: string, newText: string, at: number): string {
  const lineEnd = lineEndOf(document);
  let lineStart = at;
  while (lineStart > 0 && !/[\r\n]/.test(document.charAt(lineStart - 1))) lineStart--;
  const lines = newText.split(/\r\n|\n|\r/);
  const column = at - lineStart;
  const lead = column < indent.length && newText !== '' ? indent.slice(column) : '';
  return lead + lines.join(lineEnd + indent);
}
