import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { format } from '../../../../../server/core/language/format/format.ts';
import { toWireText } from '../../../../../server/core/language/format/wire.ts';
import type { QueryFile } from '../../../../../server/core/language/syntax/ast.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { findCorpusFile } from '../../../../harness/paths.ts';
import { parseExpression } from '../../../../support/parse-expression.ts';
import { printTree } from '../../../../support/print-syntax.ts';

interface CorpusRow {
  readonly id: string;
  readonly text: string;
  readonly template?: boolean;
  readonly parses?: boolean;
}

function rowsOf(name: string): readonly CorpusRow[] | undefined {
  const file = findCorpusFile(name);
  if (file === undefined) return undefined;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as CorpusRow);
}

const absent = 'The corpus of real queries is not here (LQL_SHARED names its folder): skipped.';
const errorsOf = (text: string): readonly string[] =>
  parse(text)
    .diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`);
const meaning = (file: QueryFile): string => printTree(file, { ranges: false });

describe('real queries', () => {
  const rows = rowsOf('queries.jsonl');
  const sound = rows?.filter((row) => row.template === false && row.parses === true) ?? [];

  test('those that the service takes have no syntax errors', (context) => {
    if (rows === undefined) return context.skip(absent);
    expect(sound.length).toBeGreaterThan(100);
    expect(sound.flatMap((row) => errorsOf(row.text).map((error) => `${row.id} ${error}`))).toEqual([]);
  });

  test('format to what formats to itself, with the same meaning', (context) => {
    if (rows === undefined) return context.skip(absent);
    for (const { id, text } of sound) {
      const once = format(text).text;
      expect(format(once).text, id).toBe(once);
      expect(meaning(parse(once).file), id).toBe(meaning(parse(text).file));
    }
  });

  test('go on one line with the same meaning', (context) => {
    if (rows === undefined) return context.skip(absent);
    for (const { id, text } of sound) {
      const wire = toWireText(text);
      expect(wire.kind, id).toBe('ok');
      if (wire.kind !== 'ok') continue;
      const { file } = parse(text);
      const nameless = file.query?.kind === 'query' ? { ...file, query: { ...file.query, name: undefined } } : file;
      expect(meaning(parse(wire.text).file), id).toBe(meaning(nameless));
    }
  });

  test('templates and broken ones are read without an exception', (context) => {
    if (rows === undefined) return context.skip(absent);
    for (const { text } of rows) expect(() => [parse(text), format(text), toWireText(text)]).not.toThrow();
  });
});

test('fragments of the reference are read as what they are', (context) => {
  const rows = rowsOf('fragments.jsonl');
  if (rows === undefined) return context.skip(absent);
  for (const { id, text } of rows) {
    const block = /^(?:source|filter|return)\b/i.test(text);
    const join = /^[A-Z_]+ with\b/.test(text);
    const alias = /\bas [A-Z_]+$/.exec(text);
    if (block || join) {
      const whole = join
        ? `{ source { ${text} } return { X } }`
        : `{ ${/^source/.test(text) ? '' : 'source { A } '}${text}${/return/.test(text) ? '' : ' return { X }'} }`;
      expect(errorsOf(whole), id).toEqual([]);
    } else {
      const { diagnostics, range } = parseExpression(text);
      expect(diagnostics, id).toEqual([]);
      expect(range.end, id).toBe(alias === null ? text.length : alias.index - 1);
    }
  }
});

test('queries of the first generation are answered as such, with a query of today as the fix', (context) => {
  const rows = rowsOf('legacy_v1.jsonl');
  if (rows === undefined) return context.skip(absent);
  for (const { id, text } of rows) {
    const { diagnostics } = parse(text);
    expect(
      diagnostics.map((diagnostic) => diagnostic.code),
      id,
    ).toEqual(['first-generation-query']);
    const replaced = diagnostics[0]?.fixes[0]?.edits[0]?.newText ?? '';
    expect(parse(replaced).diagnostics, id).toEqual([]);
  }
});
