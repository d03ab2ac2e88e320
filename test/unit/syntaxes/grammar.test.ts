import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const require = createRequire(import.meta.url);
const grammarFile = (name: string): string => `syntaxes/${name}.tmLanguage.json`;

/** A stand-in for the host languages: everything in them is plain, so that only what our injections say shows. */
const host = (scopeName: string): object => ({ scopeName, patterns: [] });
const files: { readonly [scope: string]: string } = {
  'source.lql': grammarFile('lql'),
  'lql.injection.yaml': grammarFile('lql-in-yaml'),
  'lql.injection.json': grammarFile('lql-in-json'),
  'lql.injection.hcl': grammarFile('lql-in-hcl'),
  'lql.injection.markdown': grammarFile('lql-in-markdown'),
};
const injections: { readonly [scope: string]: string } = {
  'source.yaml': 'lql.injection.yaml',
  'source.json': 'lql.injection.json',
  'source.hcl': 'lql.injection.hcl',
  'text.html.markdown': 'lql.injection.markdown',
};

let registry: textmate.Registry;

beforeAll(async () => {
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = files[scope];
      const text = file === undefined ? JSON.stringify(host(scope)) : readFileSync(file, 'utf8');
      return textmate.parseRawGrammar(text, `${scope}.json`);
    },
    getInjections: (scope) => (injections[scope] === undefined ? [] : [injections[scope]]),
  });
});

/** Each token's text with its innermost scope. */
async function scopes(text: string, scope = 'source.lql'): Promise<(readonly [string, string])[]> {
  const grammar = await registry.loadGrammar(scope);
  if (!grammar) throw new Error(`no grammar ${scope}`);
  let stack = textmate.INITIAL;
  const found: (readonly [string, string])[] = [];
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      const written = line.slice(token.startIndex, token.endIndex);
      if (written.trim() !== '') found.push([written.trim(), token.scopes.at(-1) ?? '']);
    }
  }
  return found;
}

const scopeOf = async (text: string, wanted: string, scope?: string): Promise<string | undefined> =>
  (await scopes(text, scope)).find(([written]) => written === wanted)?.[1];

describe('highlighting of a query', () => {
  it.each([
    ['{ source { X } }', 'source', 'keyword.control.block.lql'],
    ['{ return distinct { A } }', 'distinct', 'keyword.other.distinct.lql'],
    ['source { SVC_CFG_AWS_S3 b }', 'SVC_CFG_AWS_S3', 'entity.name.type.datasource.lql'],
    ['source { CloudTrailRawEvents }', 'CloudTrailRawEvents', 'entity.name.type.datasource.lql'],
    ['e.EVENT_NAME', 'e', 'variable.other.object.lql'],
    ['EVENT:user.name', 'user', 'variable.other.property.lql'],
    ['EVENT:user."type"', '"type"', 'string.quoted.double.key.lql'],
    ['EVENT:user.type', 'type', 'invalid.illegal.reserved-word.lql'],
    ['A::Number', 'Number', 'storage.type.lql'],
    ['A = 1.5', '1.5', 'constant.numeric.lql'],
    ['A is not null', 'null', 'constant.language.lql'],
    ['A NOT LIKE B', 'LIKE', 'keyword.operator.word.lql'],
    ["a -- 'not a string'", "-- 'not a string'", 'comment.line.double-dash.lql'],
    ['a /* b */ c', 'c', 'variable.other.readwrite.lql'],
    ["s'it''s'", "''", 'constant.character.escape.lql'],
    ['"a\\qb"', '\\q', 'invalid.illegal.escape.lql'],
    ["'-- no comment'", '-- no comment', 'string.quoted.single.lql'],
    ['lower (A)', 'lower', 'support.function.lql'],
    ['array_to_rows(A) as (b)', 'array_to_rows', 'support.function.expansion.lql'],
    ['my_own(A)', 'my_own', 'entity.name.function.lql'],
  ])('%s: %s is %s', async (text, written, scope) => {
    expect(await scopeOf(text, written)).toBe(scope);
  });
  it('leaves the keys of a YAML wrapper alone', async () => {
    expect(await scopeOf('queryText: |-\n  { source { A } }', 'queryText')).toBe('entity.name.tag.yaml');
    expect(await scopeOf('queryText: |-\n  { source { A } }', 'source')).toBe('keyword.control.block.lql');
  });
  it('ends a string at the end of a doubled quote, not inside of it', async () => {
    expect(await scopeOf("A = 'it''s' and B", 'and')).toBe('keyword.operator.word.lql');
  });
});

describe('highlighting inside other files', () => {
  it('begins and ends with a YAML block scalar', async () => {
    const text = 'queryId: X\nqueryText: |-\n  {\n    source { A }\n\n    return { B }\n  }\nsource: other';
    expect(await scopeOf(text, 'return', 'source.yaml')).toBe('keyword.control.block.lql');
    expect((await scopes(text, 'source.yaml')).at(-1)?.[1]).toBe('source.yaml');
  });
  it('begins and ends with a JSON string', async () => {
    const text = '{ "queryText": "{ source { A } return { B } }", "source": 1 }';
    expect(await scopeOf(text, 'return', 'source.json')).toBe('keyword.control.block.lql');
    expect((await scopes(text, 'source.json')).at(-1)?.[1]).toBe('source.json');
  });
  it('begins and ends with a Terraform heredoc', async () => {
    const text = 'query = <<-EOT\n  { source { A } return { B } }\nEOT\nsource = "x"';
    expect(await scopeOf(text, 'return', 'source.hcl')).toBe('keyword.control.block.lql');
    expect((await scopes(text, 'source.hcl')).at(-1)?.[1]).toBe('source.hcl');
  });
  it('begins and ends with a Markdown fence', async () => {
    const text = 'Text\n\n```lql\n{ source { A } }\n```\nsource { B }';
    expect(await scopeOf(text, 'source', 'text.html.markdown')).toBe('keyword.control.block.lql');
    expect((await scopes(text, 'text.html.markdown')).at(-1)?.[1]).toBe('text.html.markdown');
  });
});
