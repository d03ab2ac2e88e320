import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { contentKey } from '../../../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../../../server/core/content/files/content-file.ts';
import { defaultLayout, pathOfObject } from '../../../../../server/core/content/files/file-names.ts';
import { newFileText, updatedFileText } from '../../../../../server/core/content/files/write-file.ts';
import { meaningOf } from '../../../../../server/core/content/normalise.ts';
import { findCorpusFile } from '../../../../harness/paths.ts';

const names = { account: 'acme', vendorPrefix: 'LW' };
const queries = findCorpusFile('queries.jsonl');
const policies = findCorpusFile('policies.jsonl');

/** Every published query and policy as the files that the vendor's CLI reads: YAML with a comment, JSON, and lists of both. */
function publishedFiles(): { readonly file: string; readonly text: string }[] {
  const rows = (file: string): Record<string, unknown>[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  const objects = [
    ...rows(queries ?? '').map(({ id, text, queryId }) => ({
      queryId: queryId ?? `Corpus_${id}`,
      evaluatorId: 'Cloudtrail',
      queryText: text,
    })),
    ...rows(policies ?? '').map(({ id: _, repo: __, path: ___, ...policy }, index) => ({
      ...policy,
      policyId: `$account-corpus-${index}`,
    })),
  ];
  const files = objects.flatMap((object, index) => [
    { file: `one/${index}.yaml`, text: `# published\n${stringify(object, { lineWidth: index % 2 === 0 ? 80 : 0 })}` },
    { file: `one/${index}.json`, text: JSON.stringify(object, undefined, index % 3) },
  ]);
  const lists = [objects.filter((object) => !('policyId' in object)), objects.filter((object) => 'policyId' in object)];
  const [first = [], second = []] = lists;
  return [
    ...files,
    { file: 'all.yaml', text: stringify({ policies: second.slice(0, 40) }) },
    { file: 'all.json', text: JSON.stringify(first.slice(0, 40)) },
  ];
}

it('content that people published is read, written and changed without a loss', { timeout: 600_000 }, () => {
  if (queries === undefined || policies === undefined) {
    console.log('skipped: the corpus is absent');
    return;
  }
  const counted = { files: 0, query: 0, policy: 0, alertProfile: 0, exception: 0, unreadable: 0 };
  const wrong: string[] = [];
  for (const { file, text } of publishedFiles()) {
    const content = readContentFile(file, text, defaultLayout, names);
    if (content.unreadable !== undefined) counted.unreadable++;
    if (content.objects.length > 0) counted.files++;
    for (const object of content.objects) {
      counted[object.kind]++;
      const target = pathOfObject(object.kind, object.id, defaultLayout, () => false);
      const written = newFileText(object);
      const [again] = readContentFile(target, written, defaultLayout, names).objects;
      if (
        !again ||
        contentKey(again) !== contentKey(object) ||
        meaningOf(again) !== meaningOf(object) ||
        newFileText(again) !== written
      )
        wrong.push(`written anew: ${file} ${object.id}`);
      const field = object.kind === 'query' ? 'queryText' : 'title';
      const value =
        object.kind === 'query'
          ? String(object.fields['queryText']).replace(/\}\s*$/, ' }')
          : 'Another title: "quoted" # mark';
      if (object.kind !== 'query' && object.kind !== 'policy') continue;
      const desired = { kind: object.kind, id: object.id, fields: { ...object.fields, [field]: value } };
      const updated = updatedFileText(text, object, desired);
      const found = updated === undefined ? [] : readContentFile(file, updated, defaultLayout, names).objects;
      const mine = found.find((it) => JSON.stringify(it.place) === JSON.stringify(object.place));
      if (!mine || meaningOf(mine) !== meaningOf(desired) || found.length !== content.objects.length)
        wrong.push(`changed: ${file} ${object.id}`);
      else {
        const others = (list: typeof found) =>
          list.filter((it) => it !== mine && JSON.stringify(it.place) !== JSON.stringify(object.place)).map(meaningOf);
        if (JSON.stringify(others(found)) !== JSON.stringify(others([...content.objects])))
          wrong.push(`touched others: ${file} ${object.id}`);
      }
    }
  }
  console.log(`published content: ${JSON.stringify(counted)}, wrong ${wrong.length}`);
  expect(wrong).toEqual([]);
  expect(counted.query + counted.policy).toBeGreaterThan(100);
});
