import { describe, expect, it } from 'vitest';
import { findRegions } from '../../../../server/core/documents/find-regions.ts';
import { findResources } from '../../../../server/core/documents/resources/check-resources.ts';
import { createContentIndex, mentionsOf } from '../../../../server/core/workspace/content-index.ts';
import { duplicateIds } from '../../../../server/core/workspace/duplicate-ids.ts';

const query = (id: string): string => `queryId: ${id}\nqueryText: "{ source { A } return { B } }"\n`;
const policy = (id: string): string =>
  `policyId: ${id}\nqueryId: Q\ntitle: t\nenabled: true\nseverity: low\ndescription: d\nremediation: r\nalertEnabled: false\n`;

function found(files: Readonly<Record<string, string>>): string[] {
  const index = createContentIndex();
  for (const [uri, text] of Object.entries(files))
    index.set(
      uri,
      mentionsOf(uri, text, findResources(text), findRegions(text, uri.endsWith('.md') ? 'markdown' : 'yaml')),
    );
  return Object.entries(files).flatMap(([uri, text]) =>
    duplicateIds(index, uri).map(
      ({ code, severity, range, message }) =>
        `${uri} ${code} ${severity} ${text.slice(range.start, range.end)}: ${message}`,
    ),
  );
}

describe('ids given by several files', () => {
  it('are told in each of them, with the places of the others', () => {
    expect(found({ 'file:///w/a.yaml': query('Q'), 'file:///w/sub%20dir/b.yaml': `# mine\n${query('Q')}` })).toEqual([
      'file:///w/a.yaml duplicate-id warning Q: The query Q is also in sub dir/b.yaml, line 2. None of them is deployed until one is left.',
      'file:///w/sub%20dir/b.yaml duplicate-id warning Q: The query Q is also in w/a.yaml, line 1. None of them is deployed until one is left.',
    ]);
  });

  it('are the same in every spelling', () => {
    const [first] = found({ 'p.yaml': policy('$account-buckets-1'), 'q.yaml': policy('buckets-1') });
    expect(first).toContain('q.yaml');
    expect(found({ 'p.yaml': policy('$account-buckets-1'), 'q.yaml': policy('acme-buckets-1') })).toEqual([]);
  });

  it('do not count where nothing is deployed from: other times of a file, other hosts, policies that name their query', () => {
    const other = {
      'git:/w/a.yaml': query('Q'),
      'lql-account:/w/a.yaml': query('Q'),
      'README.md': `\`\`\`lql\n${query('Q')}\`\`\``,
    };
    expect(found({ 'file:///w/a.yaml': query('Q'), ...other })).toEqual([]);
    const own = `${policy('$account-a-1')}queryText: "{ source { A } return { B } }"\n`;
    expect(found({ 'a.yaml': query('Q'), 'b.yaml': own })).toEqual([]);
  });

  it('are listed up to three', () => {
    const files = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`${n}.yaml`, query('Q')]));
    expect(found(files)[0]).toContain('is also in 1.yaml, line 1; 2.yaml, line 1; 3.yaml, line 1 and 2 more.');
  });
});
