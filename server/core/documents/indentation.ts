/** Which line end a document uses: that of its first line. */
function lineEndOf(document: string): string {
  const first = /\r\n|\n|\r/.exec(document);
  return first?.[0] ?? '\n';
}

/**
 * Writes texts into a form whose lines all begin with `indent` (block scalars, heredocs, fences in lists). `at` is where in the
 * document a text goes: on a line that is shorter than the indentation, what is missing is added. Formatting asks once for every edit,
 * so nothing here walks along a line that may be the whole document.
 */
export function createIndenter(document: string, indent: string): (newText: string, at: number) => string {
  let lineEnd: string | undefined;
  return (newText, at) => {
    const lines = newText.split(/\r\n|\n|\r/);
    let column = 0;
    while (column < indent.length && column < at && !isLineEnd(document.charCodeAt(at - column - 1))) column++;
    const lead = newText === '' ? '' : indent.slice(column);
    if (lines.length === 1) return lead + newText;
    lineEnd ??= lineEndOf(document);
    return lead + lines.join(lineEnd + indent);
  };
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
