import { describe, expect, test } from 'vitest';
import { functions } from '../../../../../server/core/language/catalog/functions/index.ts';
import { hover } from '../../../../../server/core/language/features/hover.ts';
import { analyzeMarked, catalog, catalogWithSchemas } from './support.ts';

function hoverAt(
  marked: string,
  using: typeof catalog | 'none' = catalog,
): { markdown: string; text: string } | undefined {
  const { query, offset } = analyzeMarked(marked, using);
  const found = hover(query, offset, { functions, catalogAge: 'Catalog of this account, read an hour ago.' });
  return found && { markdown: found.markdown, text: query.text.slice(found.range.start, found.range.end) };
}

describe('hover', () => {
  test('datasource: description, columns, joins, age', () => {
    const found = hoverAt('{ source { CFG_B$0UCKETS } return { ARN } }');
    expect(found?.text).toBe('CFG_BUCKETS');
    expect(found?.markdown).toContain('4 columns');
    expect(found?.markdown).toContain("with `CFG_GRANTS` on `'grants'` (MANY)");
    expect(found?.markdown).toContain('read an hour ago');
  });

  test('data from the service is text: no link, no HTML, no emphasis comes out of it', () => {
    const markdown = hoverAt('{ source { CFG_B$0UCKETS } return { ARN } }')?.markdown ?? '';
    expect(markdown).toContain('\\[of\\]\\(javascript\\:1\\)');
    expect(markdown).toContain('&lt;b&gt;all&lt;\\/b&gt;');
  });

  test('column: type, description, datasource; its qualifier: the source', () => {
    const found = hoverAt('{ source { CFG_BUCKETS b } return { b.ACC$0OUNT_ID } }');
    expect(found?.markdown).toContain('**column** `ACCOUNT_ID` String of `CFG_BUCKETS`');
    expect(found?.markdown).toContain('Owner of the bucket');
    expect(hoverAt('{ source { CFG_BUCKETS b } return { $0b.ACCOUNT_ID } }')?.markdown).toContain(
      '**alias** `b` of `CFG_BUCKETS`',
    );
  });

  test('column of a datasource whose schema is unknown', () => {
    expect(hoverAt('{ source { HE_FILES } return { PA$0TH } }')?.markdown).toContain('not known yet');
  });

  test('expanded column: what it is an element of', () => {
    const text = '{ source { AuditEvents e, array_to_rows(e.EVENT:items) as (i) } return { i$0:kind as K } }';
    expect(hoverAt(text)?.markdown).toContain('e.EVENT:items');
  });

  test('JSON key with the type a schema gives', () => {
    const found = hoverAt('{ source { HE_FILES } return { META:acl.mo$0de as M } }', catalogWithSchemas);
    expect(found?.markdown).toContain('`META:acl.mode` Number');
    expect(found?.text).toBe('mode');
  });

  test('relationship name', () => {
    const found = hoverAt("{ source { CFG_BUCKETS with CFG_GRANTS on 'gra$0nts' } return { ARN } }");
    expect(found?.markdown).toContain('MANY');
  });

  test('function, also without a catalog', () => {
    const found = hoverAt("{ source { X } filter { starts_$0with(A, s'b') } return { A } }", 'none');
    expect(found?.text).toBe('starts_with');
    expect(found?.markdown).toContain('starts_with(');
    expect(found?.markdown).toContain('*Null:*');
  });

  test('keyword, and a datasource in a text that does not parse', () => {
    expect(hoverAt('{ sou$0rce { CFG_KEYS } }')?.markdown).toContain('**keyword** `source`');
    expect(hoverAt('}} CFG_K$0EYS {{')?.markdown).toContain('Encryption keys');
  });

  test.each([
    '{ source { CFG_KEYS } filter { KEY_ID = 1$02 } return { KEY_ID } }',
    '$0',
    '{ source { UNKNO$0WN } return { A } }',
    '-- sou$0rce',
  ])('nothing at: %s', (text) => expect(hoverAt(text)).toBeUndefined());
});
