import { describe, expect, test } from 'vitest';
import { placeKey } from '../../../../../server/core/language/features/json-places.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { analyzeMarked, catalog, catalogWithSchemas, completeMarked, labels } from './support.ts';

describe('blocks', () => {
  test('an empty file offers whole queries', () => {
    expect(labels(completeMarked('$0'), 'snippet')).toContain('query');
    expect(labels(completeMarked('que$0'), 'snippet')).toContain('query');
    expect(labels(completeMarked('\n  -- a note\n$0'), 'snippet')).toContain('query');
  });

  test('a body offers the blocks it lacks, in the order of the language', () => {
    expect(labels(completeMarked('{ $0 }'))).toEqual(['source', 'filter', 'return', 'return distinct']);
    expect(labels(completeMarked('{ source { CFG_KEYS } $0 }'))).toEqual(['filter', 'return', 'return distinct']);
    expect(labels(completeMarked('{ source { CFG_KEYS } fi$0 return { KEY_ID } }'))).toEqual(['filter']);
    expect(labels(completeMarked('{ $0 filter { ROTATION } }'))).toEqual(['source']);
  });

  test('a block whose brace is missing does not hide the next', () => {
    expect(labels(completeMarked('{ source { CFG_KEYS filter { (ROTATION } $0'))).toEqual([
      'return',
      'return distinct',
    ]);
  });

  test('return offers distinct', () => {
    expect(labels(completeMarked('{ source { CFG_KEYS } return $0 { KEY_ID } }'))).toEqual(['distinct']);
  });

  test.each([
    '{ source { CFG_KEYS } } $0',
    '{ source { CFG_KEYS } -- com$0\n }',
    '{ source { CFG_KEYS } /* $0 */ }',
    "{ filter { KEY_ID = 'a$0' } }",
    '{ filter { a = 12$0 } }',
  ])('nothing is offered in %s', (text) => expect(labels(completeMarked(text))).toEqual([]));
});

describe('source', () => {
  test('datasources, with the word at the cursor replaced as a whole', () => {
    const result = completeMarked('{ source { <|CFG_K$0E|> } }');
    expect(labels(result, 'datasource')).toContain('CFG_KEYS');
    expect(result.range).toEqual({ start: 11, end: 17 });
    expect(result.items.find((item) => item.label === 'CFG_KEYS')?.detail).toBe('Encryption keys');
  });

  test('prefixes come before parts, parts before letters in order', () => {
    const result = completeMarked('{ source { key$0 } }');
    expect(labels(result, 'datasource')).toEqual(['CFG_KEYS']);
    expect(labels(completeMarked('{ source { ckeys$0 } }'), 'datasource')).toEqual(['CFG_KEYS']);
  });

  test('behind with: only what the left side is related to', () => {
    expect(labels(completeMarked('{ source { CFG_BUCKETS b with $0 } return { b.ARN } }'))).toEqual([
      'CFG_KEYS',
      "CFG_GRANTS on 'grants'",
    ]);
    expect(labels(completeMarked('{ source { CFG_BUCKETS with ( CFG_KEYS, $0 ) } }'))).toContain(
      "CFG_GRANTS on 'grants'",
    );
    // The chain is read from the neighbour: keys have no relationships, so every datasource is offered.
    expect(labels(completeMarked('{ source { CFG_BUCKETS with CFG_KEYS with $0 } }'))).toContain('AuditEvents');
  });

  test('names of relationships behind on, with and without quotes', () => {
    expect(labels(completeMarked("{ source { CFG_BUCKETS with CFG_GRANTS on '$0' } }"))).toEqual(['grants']);
    expect(labels(completeMarked('{ source { CFG_BUCKETS with CFG_GRANTS on $0 } }'))).toEqual(["'grants'"]);
    expect(labels(completeMarked('{ source { CFG_BUCKETS with (CFG_KEYS on $0) } }'))).toEqual(["'(default)'"]);
  });

  test('an unclosed relationship string ends with its line', () => {
    const result = completeMarked("{ source { CFG_BUCKETS with CFG_GRANTS on 'gr$0\n } return { ARN } }");
    expect(labels(result)).toEqual(['grants']);
    expect(result.range.end - result.range.start).toBe(2);
  });

  test('behind a datasource', () => {
    expect(labels(completeMarked('{ source { CFG_BUCKETS $0 } }'))).toEqual(['with', 'as']);
    expect(labels(completeMarked('{ source { CFG_BUCKETS with CFG_KEYS $0 } }'))).toEqual(['with', 'on', 'as']);
    expect(labels(completeMarked('{ source { CFG_BUCKETS b $0 } }'))).toEqual(['with']);
    expect(labels(completeMarked('{ source { CFG_BUCKETS as $0 } }'))).toEqual([]);
  });

  test('array expansion as a further item', () => {
    expect(labels(completeMarked('{ source { CFG_BUCKETS b, $0 } }'), 'function')).toEqual([
      'array_to_rows',
      'array_to_rows_non_empty',
    ]);
    expect(labels(completeMarked('{ source { $0 } }'), 'function')).toEqual([]);
    expect(labels(completeMarked('{ source { CFG_BUCKETS b, array_to_rows($0) } }'), 'column')).toContain(
      'RESOURCE_CONFIG',
    );
  });

  test('families of a large catalog', () => {
    const datasources = new Map(catalog.datasources);
    for (let i = 0; i < 500; i++) {
      const name = `BIG_${i % 5 === 0 ? 'CLOUD' : 'HOST'}_N${i}`;
      datasources.set(name, { name, description: undefined, columns: [], columnsFrom: 'inline', relationships: [] });
    }
    const result = completeMarked('{ source { BIG$0 } }', { ...catalog, datasources });
    expect(labels(result, 'family')).toEqual(['BIG_CLOUD_', 'BIG_HOST_']);
    expect(result.isIncomplete).toBe(true);
    expect(result.items.length).toBeLessThanOrEqual(400);
    expect(
      labels(completeMarked('{ source { BIG_HOST_N11$0 } }', { ...catalog, datasources }), 'datasource').slice(0, 1),
    ).toEqual(['BIG_HOST_N11']);
  });
});

describe('expressions', () => {
  test('columns of the source, functions and values where an operand is due', () => {
    const result = completeMarked('{ source { CFG_KEYS } filter { $0 } }');
    expect(labels(result, 'column')).toEqual(['ACCOUNT_ID', 'KEY_ID', 'ROTATION']);
    expect(labels(result, 'function')).toContain('contains');
    expect(labels(result, 'function')).not.toContain('array_to_rows');
    expect(labels(result, 'keyword')).toContain('case');
    expect(result.items.find((item) => item.label === 'KEY_ID')?.detail).toBe('String · CFG_KEYS');
  });

  test.each([
    'KEY_ID = $0',
    '(KEY_ID = 1 or $0)',
    'not $0',
    'contains($0',
    'contains(KEY_ID, $0)',
    'case when $0 then 1 end',
    'KEY_ID in ($0)',
    'KEY_ID between $0',
  ])('columns in: filter { %s }', (expression) =>
    expect(labels(completeMarked(`{ source { CFG_KEYS } filter { ${expression} } }`), 'column')).toContain('KEY_ID'),
  );

  test('a name that two sources have comes qualified', () => {
    const result = completeMarked('{ source { CFG_BUCKETS b with CFG_KEYS k } return { $0 } }');
    expect(labels(result, 'column')).toContain('b.ACCOUNT_ID');
    expect(labels(result, 'column')).toContain('k.ACCOUNT_ID');
    expect(labels(result, 'column')).toContain('KEY_ID');
    expect(labels(result, 'column')).toContain('b.*');
    expect(labels(result, 'alias')).toEqual(['b', 'k']);
  });

  test('behind a qualifier: only its columns', () => {
    expect(labels(completeMarked('{ source { CFG_BUCKETS b with CFG_KEYS k } filter { k.$0 } }'))).toEqual([
      'ACCOUNT_ID',
      'KEY_ID',
      'ROTATION',
    ]);
    expect(labels(completeMarked('{ source { CFG_BUCKETS b with CFG_KEYS k } filter { k.RO$0 = 1 } }'))).toEqual([
      'ROTATION',
    ]);
    expect(labels(completeMarked('{ source { CFG_KEYS } return { CFG_KEYS.$0 } }'))).toContain('*');
  });

  test('operators behind an operand', () => {
    const result = completeMarked('{ source { CFG_KEYS } filter { KEY_ID $0 } }');
    expect(labels(result, 'operator')).toContain('rlike');
    expect(labels(result, 'column')).toEqual([]);
    expect(labels(completeMarked('{ source { CFG_KEYS } filter { KEY_ID is $0 } }'))).toContain('not null');
    expect(labels(completeMarked('{ source { CFG_KEYS } filter { KEY_ID is not $0 } }'))).toEqual([
      'null',
      'json null',
    ]);
    expect(labels(completeMarked('{ source { CFG_KEYS } filter { KEY_ID not $0 } }'))).toContain('like');
    expect(labels(completeMarked('{ source { CFG_KEYS } return { KEY_ID $0 } }'))).toContain('as');
  });

  test('types behind ::', () => {
    expect(labels(completeMarked('{ source { CFG_KEYS } return { KEY_ID::$0 } }'))).toEqual([
      'String',
      'Number',
      'Timestamp',
      'JSON',
      'Boolean',
    ]);
    expect(labels(completeMarked('{ source { CFG_KEYS } return { KEY_ID::tim$0 } }'))).toEqual(['Timestamp']);
  });

  test('functions insert their arguments as placeholders, unless the parenthesis stands already', () => {
    const item = completeMarked('{ source { CFG_KEYS } filter { starts$0 } }').items.find(
      ({ label }) => label === 'starts_with',
    );
    expect(item?.insertText).toMatch(/^starts_with\(\$\{1:\w+\}, \$\{2:\w+\}\)$/);
    expect(item?.isSnippet).toBe(true);
    const bare = completeMarked('{ source { CFG_KEYS } filter { starts$0(KEY_ID) } }').items.find(
      ({ label }) => label === 'starts_with',
    );
    expect(bare?.insertText).toBe('starts_with');
  });

  test('a subquery has its own names', () => {
    const text =
      '{ source { CFG_BUCKETS } filter { ACCOUNT_ID in { source { CFG_KEYS } return { $0 } } } return { ARN } }';
    const columns = labels(completeMarked(text), 'column');
    expect(columns).toContain('KEY_ID');
    expect(columns).not.toContain('ARN');
  });

  test('columns of expansions', () => {
    const text = '{ source { CFG_BUCKETS b, array_to_rows(b.RESOURCE_CONFIG:grants) as t(g) } filter { $0 } }';
    expect(labels(completeMarked(text), 'column')).toContain('g');
    expect(labels(completeMarked(text.replace('$0', 't.$0')), 'column')).toEqual(['g']);
  });
});

describe('columns of datasources that are not joined yet', () => {
  function chosen(marked: string, label: string): string | undefined {
    const { query } = analyzeMarked(marked);
    const result = completeMarked(marked);
    const item = result.items.find((candidate) => candidate.label === label && candidate.additionalEdits !== undefined);
    return (
      item &&
      applyEdits(query.text, [{ range: result.range, newText: item.insertText }, ...(item.additionalEdits ?? [])])
    );
  }

  test('choosing one joins its datasource, by the right relationship', () => {
    expect(chosen('{ source { CFG_BUCKETS } return { KEY$0 } }', 'KEY_ID')).toBe(
      '{ source { CFG_BUCKETS with CFG_KEYS } return { CFG_KEYS.KEY_ID } }',
    );
    expect(chosen('{ source { CFG_BUCKETS b, array_to_rows(b.X) as (y) } return { gra$0 } }', 'GRANTEE')).toBe(
      "{ source { CFG_BUCKETS b with CFG_GRANTS on 'grants', array_to_rows(b.X) as (y) } return { CFG_GRANTS.GRANTEE } }",
    );
  });

  test.each([
    '{ source { CFG_BUCKETS with CFG_GRANTS } return { KEY$0 } }',
    '{ source { CFG_BUCKETS } return { K$0 } }',
    '{ source { AuditEvents } return { KEY$0 } }',
  ])('none in %s', (text) => expect(chosen(text, 'KEY_ID')).toBeUndefined());
});

describe('unknown schemas', () => {
  test('the list says that it waits, and names what is missing', () => {
    const result = completeMarked('{ source { HE_FILES } filter { $0 } }');
    expect(labels(result, 'status')).toEqual(['Loading the columns of HE_FILES…']);
    expect(result.missingSchemas).toEqual(['HE_FILES']);
    expect(result.isIncomplete).toBe(true);
  });

  test('without a catalog there is silence, not failure', () => {
    const result = completeMarked('{ source { HE_FILES } filter { $0 } }', 'none');
    expect(result.missingSchemas).toEqual([]);
    expect(labels(result, 'function')).toContain('contains');
  });

  test('columns from a schema complete', () => {
    expect(labels(completeMarked('{ source { HE_FILES } filter { $0 } }', catalogWithSchemas), 'column')).toContain(
      'PATH',
    );
  });
});

describe('JSON keys', () => {
  test('those a schema lists, reserved words quoted', () => {
    const result = completeMarked('{ source { HE_FILES f } filter { f.META:$0 } }', catalogWithSchemas);
    expect(labels(result)).toEqual(['acl', 'owner', 'type']);
    expect(result.items.find(({ label }) => label === 'type')?.insertText).toBe('"type"');
    expect(labels(completeMarked('{ source { HE_FILES f } filter { META:acl.$0 } }', catalogWithSchemas))).toEqual([
      'mode',
    ]);
  });

  test('inside quotes the key is not quoted again', () => {
    const result = completeMarked('{ source { HE_FILES f } filter { META:"ty$0" = 1 } }', catalogWithSchemas);
    expect(result.items.map(({ insertText }) => insertText)).toEqual(['type']);
  });

  test('those used elsewhere in the query, at the same place only', () => {
    const text =
      "{ source { AuditEvents e } filter { EVENT:userIdentity.arn = 'x' and EVENT:name = 'y' and e.EVENT:userIdentity.$0 } }";
    expect(labels(completeMarked(text))).toEqual(['arn']);
    expect(labels(completeMarked("{ source { AuditEvents } filter { EVENT:name = 'y' and EVENT:$0 } }"))).toEqual([
      'name',
    ]);
  });

  test('those below an expanded array', () => {
    const text = '{ source { AuditEvents e, array_to_rows(e.EVENT:items) as (i) } filter { i:kind = 1 and i:$0 } }';
    expect(labels(completeMarked(text))).toEqual(['kind']);
  });

  test('those used in other queries', () => {
    const asked: string[] = [];
    const elsewhere = (place: string): ReadonlyMap<string, number> => {
      asked.push(place);
      return new Map([['region', 3]]);
    };
    expect(labels(completeMarked('{ source { AuditEvents } filter { EVENT:aws.$0 } }', catalog, elsewhere))).toEqual([
      'region',
    ]);
    expect(asked).toEqual([placeKey({ datasource: 'AuditEvents', column: 'EVENT', path: ['aws'] })]);
  });
});
