// Writes the TextMate grammars (syntaxes/) and language-configuration.json from the token table and the functions; with
// --check it only says which of them are not fresh.
import { functions } from '../server/core/language/catalog/functions/index.ts';
import {
  castTypes,
  commentMarks,
  expansionFunctions,
  reservedWords,
  type TokenGroup,
  tokenTable,
} from '../server/core/language/syntax/tokens.ts';
import { keepFresh } from './fresh-files.ts';

interface Rule {
  readonly [key: string]: unknown;
}

const spellings = (...groups: readonly TokenGroup[]): string[] =>
  tokenTable.filter(({ group }) => groups.includes(group)).map(({ kind }) => kind);
const escapeSign = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
/** Longer words and signs first, so that none hides another. */
const oneOf = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(escapeSign)
    .join('|');
const word = (words: readonly string[]): string => `(?i)\\b(?:${oneOf(words)})\\b`;

const name = '[A-Za-z][A-Za-z0-9_]*';
const quotedKey = '"(?:[^"\\\\]|\\\\.)*"';
const key = `(?:${name}|${quotedKey})`;
const conditional = ['case', 'when', 'then', 'else', 'end'];
const clauses = spellings('clause-word').filter((spelling) => !conditional.includes(spelling));
const [blockStart, blockEnd] = commentMarks.block;
const plainFunctions = [...functions.keys()].filter((spelling) => !expansionFunctions.includes(spelling));

const rules: { readonly [rule: string]: Rule } = {
  'yaml-wrapper': {
    comment: 'Files that hold a query as YAML: their keys are not LQL.',
    match: '^(queryId|queryText|queryName|evaluatorId|description|usageContext)(:)(?=\\s)(?:\\s*([|>][+-]?[0-9]?))?',
    captures: {
      1: { name: 'entity.name.tag.yaml' },
      2: { name: 'punctuation.separator.key-value.mapping.yaml' },
      3: { name: 'keyword.control.flow.block-scalar.yaml' },
    },
  },
  comments: {
    patterns: [
      ...commentMarks.line.map((mark) => ({
        name: `comment.line.${mark === '--' ? 'double-dash' : 'double-slash'}.lql`,
        match: `${escapeSign(mark)}.*$`,
      })),
      { name: 'comment.block.lql', begin: escapeSign(blockStart), end: escapeSign(blockEnd) },
    ],
  },
  strings: {
    patterns: [
      {
        name: 'string.quoted.single.raw.lql',
        begin: "(?<![A-Za-z0-9_])[sS]'",
        end: "'(?!')",
        patterns: [{ name: 'constant.character.escape.lql', match: "''" }],
      },
      {
        name: 'string.quoted.double.lql',
        begin: '"',
        end: '"',
        patterns: [
          { name: 'constant.character.escape.lql', match: '\\\\(?:["\\\\bfnrt]|u[0-9A-Fa-f]{4})' },
          { name: 'invalid.illegal.escape.lql', match: '\\\\.' },
        ],
      },
      {
        name: 'string.quoted.single.lql',
        begin: "'",
        end: "'(?!')",
        patterns: [{ name: 'constant.character.escape.lql', match: "''|\\\\['\\\\]" }],
      },
    ],
  },
  path: {
    match: `(?<!:)(:)(?!:)\\s*(${key}(?:\\.${key})*)`,
    captures: {
      1: { name: 'punctuation.separator.path.lql' },
      2: {
        patterns: [
          { name: 'string.quoted.double.key.lql', match: quotedKey },
          { name: 'punctuation.accessor.lql', match: '\\.' },
          { name: 'invalid.illegal.reserved-word.lql', match: word(reservedWords) },
          { name: 'variable.other.property.lql', match: name },
        ],
      },
    },
  },
  cast: {
    match: `(::)\\s*(?:((?i)(?:${oneOf(castTypes)}))\\b)?`,
    captures: { 1: { name: 'keyword.operator.cast.lql' }, 2: { name: 'storage.type.lql' } },
  },
  blocks: {
    patterns: [
      {
        name: 'keyword.control.block.lql',
        match: `(?i)\\b(?:${oneOf(spellings('block'))})\\b(?=\\s*(?:(?:distinct\\s*)?\\{))`,
      },
      { name: 'keyword.control.union.lql', match: '(?i)\\bunion\\b(?:\\s+all\\b)?(?=\\s*\\{)' },
      { name: 'keyword.other.distinct.lql', match: '(?i)\\bdistinct\\b(?=\\s*\\{)' },
    ],
  },
  words: {
    patterns: [
      { name: 'keyword.control.conditional.lql', match: word(conditional) },
      { name: 'keyword.other.clause.lql', match: word(clauses) },
      { name: 'keyword.operator.word.lql', match: word(spellings('operator-word')) },
      { name: 'keyword.operator.word.lql', match: '(?i)\\bany\\b(?=\\s*\\()|\\bjson\\b(?=\\s+null\\b)' },
      { name: 'constant.language.lql', match: word(spellings('constant')) },
    ],
  },
  functions: {
    patterns: [
      { name: 'support.function.expansion.lql', match: `${word(expansionFunctions)}(?=\\s*\\()` },
      { name: 'support.function.lql', match: `${word(plainFunctions)}(?=\\s*\\()` },
      { name: 'entity.name.function.lql', match: `\\b${name}(?=\\s*\\()` },
    ],
  },
  numbers: { name: 'constant.numeric.lql', match: '\\b[0-9]+(?:\\.[0-9]+)?\\b' },
  names: {
    patterns: [
      {
        name: 'entity.name.type.datasource.lql',
        match: '\\b(?:[A-Z]+_(?:ACT|APA|CE|CFG|HA|HE)_[A-Za-z0-9_]+|CloudTrailRawEvents)\\b',
      },
      { name: 'variable.other.object.lql', match: `\\b${name}(?=\\.)` },
      { name: 'variable.other.readwrite.lql', match: `\\b${name}\\b` },
    ],
  },
  operators: {
    patterns: [
      { name: 'keyword.operator.lql', match: `!=|==|${oneOf(spellings('operator'))}` },
      { name: 'punctuation.separator.lql', match: ',' },
      { name: 'punctuation.accessor.lql', match: '\\.' },
      { name: 'punctuation.section.braces.lql', match: '[{}]' },
      { name: 'punctuation.section.parens.lql', match: '[()]' },
    ],
  },
};

const include = (scope: string): Rule => ({ include: scope });
const embedded = 'meta.embedded.block.lql';

const lql = {
  name: 'LQL',
  scopeName: 'source.lql',
  patterns: Object.keys(rules).map((rule) => include(`#${rule}`)),
  repository: rules,
};

const yaml = {
  scopeName: 'lql.injection.yaml',
  injectionSelector: 'L:source.yaml -comment -string',
  patterns: [
    {
      begin: '^(\\s*(?:-\\s+)?)(queryText)\\s*(:)\\s*([|>][+-]?[0-9]?)\\s*$',
      beginCaptures: {
        2: { name: 'entity.name.tag.yaml' },
        3: { name: 'punctuation.separator.key-value.mapping.yaml' },
        4: { name: 'keyword.control.flow.block-scalar.yaml' },
      },
      // A block scalar goes on while its lines are indented deeper than the key, or blank.
      while: '^(?:(?=\\s+)(?!\\1\\S)|\\s*$)',
      contentName: embedded,
      patterns: [include('source.lql')],
    },
  ],
};

const json = {
  scopeName: 'lql.injection.json',
  injectionSelector: 'L:source.json -comment, L:source.json.comments -comment',
  patterns: [
    {
      begin: '("queryText")\\s*(:)\\s*(")',
      beginCaptures: {
        1: { name: 'support.type.property-name.json' },
        2: { name: 'punctuation.separator.dictionary.key-value.json' },
        3: { name: 'punctuation.definition.string.begin.json' },
      },
      end: '"',
      endCaptures: { 0: { name: 'punctuation.definition.string.end.json' } },
      contentName: embedded,
      patterns: [{ name: 'constant.character.escape.json', match: '\\\\.' }, include('source.lql')],
    },
  ],
};

const hcl = {
  scopeName: 'lql.injection.hcl',
  injectionSelector: 'L:source.hcl -comment, L:source.hcl.terraform -comment, L:source.terraform -comment',
  patterns: [
    {
      begin: '\\b(query|query_text|filter_query_text)\\s*(=)\\s*(<<-?)\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*$',
      beginCaptures: {
        1: { name: 'variable.other.readwrite.hcl' },
        2: { name: 'keyword.operator.assignment.hcl' },
        3: { name: 'keyword.operator.heredoc.hcl' },
        4: { name: 'keyword.control.heredoc.hcl' },
      },
      end: '^\\s*\\4\\s*$',
      endCaptures: { 0: { name: 'keyword.control.heredoc.hcl' } },
      contentName: embedded,
      patterns: [include('source.lql')],
    },
  ],
};

const markdown = {
  scopeName: 'lql.injection.markdown',
  injectionSelector: 'L:text.html.markdown',
  patterns: [
    {
      name: 'markup.fenced_code.block.markdown',
      begin: '(^|\\G)(\\s*)(`{3,}|~{3,})\\s*(?i:(lql)((\\s+|:|,|\\{|\\?)[^`]*)?$)',
      end: '(^|\\G)(\\2|\\s{0,3})(\\3)\\s*$',
      beginCaptures: {
        3: { name: 'punctuation.definition.markdown' },
        4: { name: 'fenced_code.block.language.markdown' },
      },
      endCaptures: { 3: { name: 'punctuation.definition.markdown' } },
      patterns: [
        {
          begin: '(^|\\G)(\\s*)(.*)',
          while: '(^|\\G)(?!\\s*([`~]{3,})\\s*$)',
          contentName: embedded,
          patterns: [include('source.lql')],
        },
      ],
    },
  ],
};

const configuration = {
  comments: { lineComment: commentMarks.line[0], blockComment: commentMarks.block },
  brackets: [
    ['{', '}'],
    ['(', ')'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}', notIn: ['string', 'comment'] },
    { open: '(', close: ')', notIn: ['string', 'comment'] },
    { open: "'", close: "'", notIn: ['string', 'comment'] },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
    { open: '/*', close: ' */', notIn: ['string', 'comment'] },
  ],
  surroundingPairs: [
    ['{', '}'],
    ['(', ')'],
    ["'", "'"],
    ['"', '"'],
  ],
  wordPattern: name,
  indentationRules: {
    increaseIndentPattern: '^.*[{(]\\s*(?:(?:--|//).*)?$',
    decreaseIndentPattern: '^\\s*[})]',
  },
  onEnterRules: [
    // A comment of several lines goes on with its mark.
    { beforeText: '^\\s*--\\s.*\\S', afterText: '.*\\S', action: { indent: 'none', appendText: '-- ' } },
  ],
};

const files = {
  'syntaxes/lql.tmLanguage.json': lql,
  'syntaxes/lql-in-yaml.tmLanguage.json': yaml,
  'syntaxes/lql-in-json.tmLanguage.json': json,
  'syntaxes/lql-in-hcl.tmLanguage.json': hcl,
  'syntaxes/lql-in-markdown.tmLanguage.json': markdown,
  'language-configuration.json': configuration,
};

keepFresh(Object.entries(files).map(([file, content]) => [file, `${JSON.stringify(content, undefined, 2)}\n`]));
