import { describe, expect, test } from 'vitest';
import { findRegions, hostKindOf } from '../../../../server/core/documents/find-regions.ts';
import { looksLikeLql, regionAt, toDocumentRange } from '../../../../server/core/documents/region.ts';
import { parseMarkers } from '../../../harness/markers.ts';

const query = '{\n  source { A }\n\n  filter { a = 1 }\n  return { a }\n}';

function indented(text: string, indent: string): string {
  return text.replace(/^(?=.)/gm, indent);
}

describe('bare files', () => {
  test('a .lql file is one region, even an empty one', () => {
    expect(findRegions(query, 'lql').map(({ text }) => text)).toEqual([query]);
    expect(findRegions('', 'lql').map(({ text }) => text)).toEqual(['']);
  });

  test.each([
    `queryId: X\nqueryText: |-\n${indented(query, '  ')}\n`,
    `# comment\n---\nqueryText: |-\n${indented(query, '    ')}\nqueryId: X\n`,
    `- queryId: "X"\n  queryText: |-\n${indented(query, '    ')}\n`,
    JSON.stringify({ queryId: 'X', queryText: query }, null, 2),
    `[${JSON.stringify({ queryId: 'X', queryText: query })}]`,
  ])('a .lql file that is a wrapper is seen through: %j', (document) => {
    expect(findRegions(document, 'lql')).toMatchObject([{ text: query, queryId: 'X' }]);
  });

  test('a comment that looks like a wrapper does not make one', () => {
    const text = `--- queryId: X\n${query}`;
    expect(findRegions(text, 'lql')).toMatchObject([{ text }]);
  });
});

describe('YAML', () => {
  test.each([
    ['literal', `queryText: |-\n${indented(query, '  ')}\n`],
    ['literal with a final line end', `queryText: |\n${indented(query, '  ')}\n`],
    ['literal that keeps', `queryText: |+\n${indented(query, '  ')}\n\n\nother: 1\n`],
    ['literal with an indicator', `queryText: |2-\n${indented(query, '  ')}\n`],
    ['literal, deep', `a:\n  - b:\n      queryText: |-\n${indented(query, '          ')}\n`],
    ['literal with CRLF', `queryText: |-\r\n${indented(query, '  ').replace(/\n/g, '\r\n')}\r\n`],
    ['literal with a comment behind the mark', `queryText: |- # a comment\n${indented(query, '  ')}\n`],
    ['literal at the very end', `queryText: |-\n${indented(query, '  ')}`],
    [
      'literal with blank lines that hold blanks',
      `queryText: |-\n${indented(query, '  ').replace('\n\n', '\n  \n')}\n`,
    ],
    ['double-quoted', `queryText: ${JSON.stringify(query)}\n`],
    ['double-quoted over lines', `queryText: "${query.replace(/\n/g, '\\n\\\n   ').replace(/ {3}(?= )/g, '   \\')}"\n`],
    ['quoted key', `"queryText": |-\n${indented(query, '  ')}\n`],
    ['flow map', `{ queryText: ${JSON.stringify(query)} }\n`],
    ['with a tag', `queryText: !!str |-\n${indented(query, '  ')}\n`],
    ['with an anchor', `queryText: &q |-\n${indented(query, '  ')}\n`],
  ])('%s', (_name, document) => {
    expect(findRegions(document, 'yaml').map(({ text }) => text)).toEqual([query]);
  });

  test.each([
    [
      'folded',
      'queryText: >-\n  { source { A }\n  filter { a }\n\n  return { a } }\n',
      '{ source { A } filter { a }\nreturn { a } }',
    ],
    [
      'folded with deeper lines',
      'queryText: >\n  { source {\n    A\n  }\n  return { a } }\n',
      '{ source {\n  A\n} return { a } }',
    ],
    [
      'single-quoted',
      "queryText: '{ source { A } filter { a = ''x'' } return { a } }'\n",
      "{ source { A } filter { a = 'x' } return { a } }",
    ],
    [
      'single-quoted over lines',
      "queryText: '{ source { A }\n  filter { a }\n\n  return { a } }'\n",
      '{ source { A } filter { a }\nreturn { a } }',
    ],
    ['plain', 'queryText: Old { source { A } return { a } }\n', 'Old { source { A } return { a } }'],
    ['plain over lines', 'queryText: Old { source { A }\n   return { a } }\n', 'Old { source { A } return { a } }'],
    [
      'escapes',
      'queryText: "{ source { A } filter { a = \\"\\u0041\\x42\\t\\" } }"\n',
      '{ source { A } filter { a = "AB\t" } }',
    ],
  ])('%s', (_name, document, text) => {
    expect(findRegions(document, 'yaml').map((region) => region.text)).toEqual([text]);
  });

  test('several queries with their ids', () => {
    const document = `queries:\n- queryId: one\n  queryText: |-\n${indented(query, '    ')}\n- queryText: |-\n${indented(query, '    ')}\n  queryId: two\n`;
    expect(findRegions(document, 'yaml').map(({ queryId }) => queryId)).toEqual(['one', 'two']);
  });

  test.each([
    'queryText: |\n  package policy\n  default allow = false\n',
    'queryText: |\n  {"version": "2.0.0", "query": {}}\n',
    'queryLanguage: Rego\nqueryText: |\n  { source { A } return { a } }\n',
    'description: "{ source { A } return { a } }"\n',
    'queryText: [a, b]\n',
    'queryText: *anchor\n',
    '',
    ': : :\n\t- }{',
  ])('left alone: %j', (document) => {
    expect(findRegions(document, 'yaml')).toEqual([]);
  });

  test('a thousand aliases and a large document cost nothing', () => {
    const aliases = `a: &a [x]\n${'b: [*a, *a, *a, *a, *a, *a, *a, *a]\n'.repeat(8000)}queryText: |-\n  { source { A } return { a } }\n`;
    expect(findRegions(aliases, 'yaml')).toHaveLength(1);
    expect(findRegions(`${'# filler\n'.repeat(120_000)}queryText: x {`, 'yaml')).toEqual([]);
  });
});

describe('JSON', () => {
  test('string values with their id, comments and broken parts around', () => {
    const document = `// note\n{ "a": [1, {"queryText": ${JSON.stringify(query)}, "queryId": "X"}], "b": }`;
    expect(findRegions(document, 'json')).toMatchObject([{ text: query, queryId: 'X' }]);
  });

  test.each([
    '{"queryText": {"version": 1}}',
    '{"x": "queryText", "y": "{ source { A } }"}',
    '{"queryText": "{\\"version\\": 1}"}',
    '["queryText", "{ source { A } }"]',
    '{"queryText": "{ \\q }"}',
  ])('left alone: %s', (document) => expect(findRegions(document, 'json')).toEqual([]));

  test('deep nesting is read', () => {
    const document = `${'['.repeat(200_000)}{"queryText": "{ source { A } }"}`;
    expect(findRegions(document, 'json')).toHaveLength(1);
  });
});

describe('Terraform', () => {
  test('heredocs and strings of query resources', () => {
    const document = `resource "lacework_query" "q" {\n  query_id = "X"\n  query = <<-EOT\n${indented(query, '    ')}\n  EOT\n}\n`;
    expect(findRegions(document, 'hcl')).toMatchObject([{ text: query, queryId: 'X', isTemplate: false }]);
    expect(
      findRegions('resource "lacework_query" "q" {\n  query = "{ source { A }\\n return { a } }"\n}', 'hcl'),
    ).toMatchObject([{ text: '{ source { A }\n return { a } }' }]);
    expect(findRegions(`resource "lacework_query" "q" {\n  query = <<EOT\n${query}\nEOT\n}\n`, 'hcl')).toMatchObject([
      { text: query },
    ]);
  });

  test('query_text anywhere; query elsewhere is something else', () => {
    expect(findRegions('module "m" {\n  filter_query_text = "{ source { A } }"\n}', 'hcl')).toHaveLength(1);
    expect(findRegions('resource "other" "q" {\n  query = "{ source { A } }"\n}', 'hcl')).toEqual([]);
  });

  test('what Terraform fills in is marked, doubled marks are text', () => {
    // `@` stands for the dollar sign, which means something to JavaScript as well.
    const of = (text: string): unknown => findRegions(`a {\n  query_text = "${text.replaceAll('@', '$')}"\n}`, 'hcl');
    expect(of('{ source { @{var.x} } }')).toMatchObject([{ isTemplate: true }]);
    expect(of('{ source { @@{x} } }')).toMatchObject([{ isTemplate: false, text: `{ source { ${'$'}{x} } }` }]);
    expect(of('{ source { @{lookup(var.x, "a")} } }')).toMatchObject([
      { text: `{ source { ${'$'}{lookup(var.x, "a")} } }` },
    ]);
  });
});

describe('Markdown', () => {
  test('fences in plain text and in lists; others are left alone', () => {
    const document = `# T\n\n\`\`\`lql\n${query}\n\`\`\`\n\n- item\n\n  ~~~LQL\n${indented(query, '  ')}\n  ~~~\n\n\`\`\`sql\n${query}\n\`\`\`\n`;
    expect(findRegions(document, 'markdown').map(({ text }) => text)).toEqual([query, query]);
  });

  test('a fence that is never closed reaches to the end', () => {
    expect(findRegions('```lql\n{ source { A }\n', 'markdown').map(({ text }) => text)).toEqual(['{ source { A }']);
  });

  test('a fence inside a longer fence is text', () => {
    expect(findRegions('````md\n```lql\n{ }\n```\n````\n', 'markdown')).toEqual([]);
  });
});

describe('mapping', () => {
  test('ranges of the text are the same words in the document', () => {
    const document = 'queryText: "{ source { A }\\n  filter { a = \\"x\\" }\\\n     return { b } }"\n';
    const [region] = findRegions(document, 'yaml');
    if (region === undefined) throw new Error('no region');
    for (const word of ['source', 'A', 'filter', 'a =', 'return', 'b']) {
      const start = region.text.indexOf(word);
      const outer = toDocumentRange(region, { start, end: start + word.length });
      expect(document.slice(outer.start, outer.end)).toBe(word);
    }
    const quoted = region.text.indexOf('"x"');
    const outer = toDocumentRange(region, { start: quoted, end: quoted + 3 });
    expect(document.slice(outer.start, outer.end)).toBe('\\"x\\"');
  });

  test('a cursor outside of every region has none, one in the indentation has the text behind it', () => {
    const { text, cursors } = parseMarkers('qu$0eryText: |-\n  { a\n $0 $0 b\n  }$0\nx: $01\n');
    const regions = findRegions(text, 'yaml');
    expect(cursors.map((cursor) => regionAt(regions, cursor)?.offset)).toEqual([undefined, 4, 4, 8, undefined]);
  });
});

test('kinds of hosts by language and by ending', () => {
  expect(hostKindOf('yaml', 'a')).toBe('yaml');
  expect(hostKindOf('plaintext', 'file:///a/b.TF')).toBe('hcl');
  expect(hostKindOf('jsonc', 'a.json')).toBe('json');
  expect(hostKindOf('python', 'a.py')).toBeUndefined();
});

test.each([
  ['{ source { A } }', true],
  ['-- c\n/* d */ { source', true],
  ['Name { source {', true],
  ['union { {', true],
  ['source { A }', true],
  ['', true],
  ['package x', false],
  ['{ "version": 1 }', false],
  ['[1]', false],
  ['select * from x', false],
])('%j looks like LQL: %s', (text, expected) => expect(looksLikeLql(text)).toBe(expected));
