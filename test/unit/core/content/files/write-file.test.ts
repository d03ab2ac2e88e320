import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContentObject } from '../../../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../../../server/core/content/files/content-file.ts';
import { defaultLayout, pathOfObject } from '../../../../../server/core/content/files/file-names.ts';
import { newFileText, updatedFileText } from '../../../../../server/core/content/files/write-file.ts';
import { meaningOf, normalise } from '../../../../../server/core/content/normalise.ts';

const names = { account: 'acme', vendorPrefix: 'SVC' };
const read = (path: string, text: string) => readContentFile(path, text, defaultLayout, names);

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      'plain',
      'true',
      '12',
      '- a',
      'a: b',
      '# no comment',
      'x #y',
      ' lead',
      'trail ',
      'a\nb',
      'a\n\n  b\n',
      '\t',
      '"',
      "'",
      '|',
      '~',
      'null',
      'yes',
      '2031-04-02',
      '0x1F',
      '@at',
      '%p',
      '---',
      '...',
      '\n# c\n',
    ),
  )
  .filter((it) => it.trim() !== '');
const queryText = fc
  .tuple(
    fc.constantFrom('SVC_CFG_AWS_S3', 'SVC_HE_MACHINES h'),
    fc.constantFrom('ARN', "A = 'x' AS B", 'C, D'),
    fc.boolean(),
  )
  .map(([source, columns, lines]) =>
    lines
      ? `{\n  source { ${source} }\n  return distinct { ${columns} }\n}`
      : `{ source { ${source} } filter { A > 1 } return { ${columns} } }`,
  );
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const template = fc.record({
  name: fc.stringMatching(/^[A-Z][a-z]{1,8}$/),
  eventName: text,
  description: text,
  subject: text,
});

const objects: fc.Arbitrary<ContentObject> = fc.oneof(
  fc.record({ queryText, queryName: optional(text), description: optional(text) }).map((raw) => ({
    kind: 'query' as const,
    id: 'Acme_Query',
    fields: normalise('query', raw, names),
  })),
  fc
    .record({
      queryId: fc.constant('Acme_Query'),
      title: text,
      enabled: fc.boolean(),
      severity: fc.constantFrom('info', 'low', 'medium', 'high', 'critical'),
      description: text,
      remediation: text,
      alertEnabled: fc.boolean(),
      alertProfile: optional(fc.constant('SVC_P.T')),
      limit: optional(fc.integer({ min: 1, max: 5000 })),
      tags: optional(fc.uniqueArray(text, { maxLength: 4 })),
    })
    .map((raw) => ({ kind: 'policy' as const, id: '$account-buckets-1', fields: normalise('policy', raw, names) })),
  fc
    .record({
      extends: fc.constant('SVC_P'),
      alerts: fc.uniqueArray(template, { maxLength: 4, selector: ({ name }) => name }),
    })
    .map((raw) => ({ kind: 'alertProfile' as const, id: 'Acme_P', fields: normalise('alertProfile', raw, names) })),
  fc
    .record({
      policyId: fc.constant('$account-buckets-1'),
      description: optional(text),
      constraints: fc.array(
        fc.record({
          fieldKey: fc.constantFrom('accountIds', 'arns'),
          fieldValues: fc.array(text, { minLength: 1, maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    })
    .map((raw) => ({
      kind: 'exception' as const,
      id: '$account-buckets-1/dev',
      fields: normalise('exception', raw, names),
    })),
);
const pairs = fc.tuple(objects, objects).filter(([a, b]) => a.kind === b.kind);
const runs = process.env['DEEP'] === '1' ? 20_000 : 250;

describe('files of content', { timeout: 600_000 }, () => {
  it('look as the vendor’s CLI writes them', () => {
    const query = {
      kind: 'query',
      id: 'Q',
      fields: { queryText: "{ source { SVC_CFG_AWS_S3 } filter { A = 'x' } return distinct { ARN as RESOURCE_KEY } }" },
    } as const;
    expect(newFileText(query)).toBe(`---
queryId: Q
queryText: |-
  {
    source {
      SVC_CFG_AWS_S3
    }
    filter {
      A = 'x'
    }
    return distinct {
      ARN as RESOURCE_KEY
    }
  }
`);
  });

  it('are read as they were written, and written the same again', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const path = pathOfObject(object.kind, object.id, defaultLayout, () => false);
        const written = newFileText(object);
        const { objects: found, unreadable, problems } = read(path, written);
        expect([unreadable, problems]).toEqual([undefined, []]);
        expect(found.map(({ kind, id }) => ({ kind, id }))).toEqual([{ kind: object.kind, id: object.id }]);
        expect(meaningOf(found[0] ?? object)).toBe(meaningOf(object));
        expect(newFileText(found[0] ?? object)).toBe(written);
      }),
      { numRuns: runs },
    );
  });

  it('take over changes and keep every comment of what stays', () => {
    let surgical = 0;
    fc.assert(
      fc.property(pairs, fc.constantFrom('\n', '\r\n'), fc.boolean(), ([before, after], lineEnd, list) => {
        const path = pathOfObject(before.kind, before.id, defaultLayout, () => false);
        const lines = newFileText(before).replace('---\n', '').trimEnd().split('\n');
        // In a list, and with a comment of its own before every field.
        const body = lines.flatMap((line, index) =>
          /^[a-zA-Z]+:/.test(line) && index > 0 ? [`# about ${line.split(':')[0]}`, line] : [line],
        );
        const placed = list
          ? body.map((line, index) => (line === '' ? '' : `${index === 0 ? '- ' : '  '}${line}`))
          : body;
        const original = ['# head', ...placed, '# tail', ''].join(lineEnd);
        const object = read(path, original).objects[0];
        if (!object) throw new Error(`not found in ${original}`);
        const written = updatedFileText(original, object, after);
        expect(written).toBeDefined();
        const again = read(path, written ?? '');
        expect(again.unreadable).toBeUndefined();
        expect(
          meaningOf({ kind: object.kind, fields: normalise(object.kind, { ...again.objects[0]?.fields }, names) }),
        ).toBe(meaningOf(after));
        const kept = [...original.matchAll(/# about (\w+)/g)].map(([comment]) => comment);
        for (const comment of kept) expect(written).toContain(comment);
        expect(written).toContain('# head');
        if (lineEnd === '\r\n') expect(written?.replace(/\r\n/g, '')).not.toContain('\n');
        surgical++;
      }),
      { numRuns: runs },
    );
    console.log(`changes written into commented files: ${surgical}`);
  });

  it('change one field and not one byte more', () => {
    const original = `# our buckets
policies:
    - policyId: $account-buckets-1   # chosen
      "title":   'Open bucket'
      queryId: Q
      severity: high # agreed with ops
      enabled: false

      description: >-
        folded
        text
      remediation: x
      alertEnabled: true
      tags: [team:storage,   b]
    - { policyId: other-2, title: T, queryId: Q, severity: low, enabled: true, description: d, remediation: r, alertEnabled: false }
`;
    const file = read('policies.yaml', original);
    expect(file.objects.map(({ id }) => id)).toEqual(['$account-buckets-1', '$account-other-2']);
    const [first, second] = file.objects;
    if (!first || !second) throw new Error('two policies');
    const change = (object: typeof first, fields: object): string | undefined =>
      updatedFileText(original, object, { ...object, fields: { ...object.fields, ...fields } });
    expect(change(first, { severity: 'low' })).toBe(original.replace('severity: high #', 'severity: low #'));
    expect(change(first, { title: 'Closed: bucket' })).toBe(original.replace("'Open bucket'", '"Closed: bucket"'));
    expect(change(first, { description: 'one' })).toBe(original.replace('>-\n        folded\n        text', 'one'));
    expect(change(first, { limit: 5 })).toBe(
      original.replace('tags: [team:storage,   b]\n', 'tags: [team:storage,   b]\n      limit: 5\n'),
    );
    expect(change(first, { tags: undefined })).toBe(original.replace('      tags: [team:storage,   b]\n', ''));
    expect(change(second, { severity: 'critical' })).toBe(original.replace('severity: low', 'severity: "critical"'));
  });

  it('keep comments and layout of a query whose account text changed', () => {
    const original =
      '{\n  -- every bucket\n  source { SVC_CFG_AWS_S3 }\n  filter { A = 1 } // first\n  return distinct { ARN } -- end\n}\n';
    const file = read('queries/Q.lql', original);
    expect(file.objects.map(({ id }) => id)).toEqual(['Q']);
    const object = file.objects[0];
    if (!object) throw new Error('one query');
    const wanted = '{ source { SVC_CFG_AWS_S3 } filter { A = 2 AND B = 3 } return distinct { ARN, ACCOUNT_ID } }';
    expect(updatedFileText(original, object, { ...object, fields: { queryText: wanted } })).toBe(
      '{\n  -- every bucket\n  source { SVC_CFG_AWS_S3 }\n  filter { A = 2 AND B = 3 } // first\n  return distinct { ARN , ACCOUNT_ID } -- end\n}\n',
    );
  });

  it('are no content when half saved, or somebody’s notes', () => {
    expect(read('queries/q.yaml', 'queryId: A\nqueryText: "{ source').unreadable).toMatch(/no valid YAML/);
    expect(read('q.json', '{"queryId": "A", "queryText": ').unreadable).toMatch(/no valid JSON/);
    expect(read('notes/try.lql', '{ source { A } return { B } }').objects).toEqual([]);
    expect(read('ci.yaml', 'jobs:\n  - name: x\n').objects).toEqual([]);
    const policy = 'queryId: Q\ntitle: t\nseverity: low\nenabled: true\n';
    expect(read('p.yaml', policy)).toMatchObject({
      objects: [],
      problems: [{ message: expect.stringContaining('policyId') }],
    });
  });

  it('take what the vendor’s tools take', () => {
    const yaml = '---\nqueryId: Old\nevaluatorId: Cloudtrail\nqueryText: |-\n  Old { source { A } return { B } }\n';
    expect(read('x.lql', yaml).objects.map(({ id, fields }) => [id, Object.keys(fields)])).toEqual([
      ['Old', ['queryText']],
    ]);
    const json = '{"queryID": "J", "querytext": "{ source { A } return { B } }"}';
    const [object] = read('j.json', json).objects;
    expect(object?.id).toBe('J');
    if (!object) return;
    expect(updatedFileText(json, object, { ...object, fields: { queryText: '{ source { A } return { C } }' } })).toBe(
      '{"queryID": "J", "querytext": "{ source { A } return { C } }"}',
    );
  });
});
