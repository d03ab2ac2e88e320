/**
 * Splits CSV text by RFC 4180: fields in double quotes may hold commas, line breaks and doubled quotes; lines end with LF or CRLF; a line
 * break at the end of the text adds no line. A quote that is never closed ends with the text.
 */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let fields: string[] = [];
  let position = 0;
  while (position < text.length) {
    let field: string;
    if (text[position] === '"') {
      field = '';
      for (position++; position < text.length; ) {
        const quote = text.indexOf('"', position);
        if (quote < 0) {
          field += text.slice(position);
          position = text.length;
          break;
        }
        field += text.slice(position, quote);
        position = quote + 1;
        if (text[position] !== '"') break;
        field += '"';
        position++;
      }
    } else {
      const start = position;
      while (position < text.length && text[position] !== ',' && text[position] !== '\n') position++;
      field = text.slice(start, position);
      if (text[position] !== ',' && field.endsWith('\r')) field = field.slice(0, -1);
    }
    fields.push(field);
    // What stands between a closing quote and the next comma belongs to no field.
    while (position < text.length && text[position] !== ',' && text[position] !== '\n') position++;
    if (text[position] === ',') {
      position++;
      if (position === text.length) fields.push('');
      continue;
    }
    position++;
    lines.push(fields);
    fields = [];
  }
  if (fields.length > 0) lines.push(fields);
  return lines;
}
