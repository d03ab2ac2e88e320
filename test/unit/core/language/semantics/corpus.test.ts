import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { allDiagnostics } from '../../../../../server/core/language/lint/lint.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import type { SemanticModel } from '../../../../../server/core/language/semantics/semantic-model.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { catalogFromDatasources } from '../../../../../server/core/resources/index.ts';
import { findCorpusFile } from '../../../../harness/paths.ts';
import { readReferenceDatasources } from '../../../../support/reference-catalog.ts';

interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  readonly template: boolean;
  readonly parses: boolean;
}

interface BadText {
  readonly id: string;
  readonly text: string;
  readonly confidence: string;
}

const queriesFile = findCorpusFile('queries.jsonl');
const badFile = findCorpusFile('bad.jsonl');
const answer = readReferenceDatasources();

function readLines<T>(file: string): readonly T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

const catalog = catalogFromDatasources(answer ?? { data: [] }, { origin: 'account', vendorPrefix: 'LW' });

function check(text: string): { readonly model: SemanticModel; readonly diagnostics: readonly Diagnostic[] } {
  const parsed = parse(text);
  const model = analyze(parsed, { catalog, vendorPrefix: 'LW' });
  return { model, diagnostics: allDiagnostics(parsed, model, {}) };
}

/** Names the query uses that the catalog lacks, found by looking each of them up anew. */
function namesNotInCatalog(model: SemanticModel, text: string, errors: readonly Diagnostic[]): readonly string[] {
  const names: string[] = [];
  for (const error of errors) {
    const name = text.slice(error.range.start, error.range.end);
    const known =
      error.code === 'unknown-datasource'
        ? catalog.datasources.has(name)
        : (error.code !== 'unknown-column' && error.code !== 'reserved-column-name') ||
          model.datasourceNames.some((source) =>
            catalog.datasources.get(source)?.columns?.some((column) => column.name === name),
          );
    if (!known) names.push(name);
  }
  return names;
}

/** Where each bad text must be reported, and as what. */
const expectedOfBad: Readonly<Record<string, readonly (readonly [code: string, place: string])[]>> = {
  bad01: [['join-group-left', '(']],
  bad04: [['duplicate-result-column', 'INSERT_ID']],
  bad05: [['in-list-mixed-types', '1']],
  bad07: [['invalid-escape', '\\q']],
  bad09: [
    ['reserved-column-name', 'TYPE'],
    ['unknown-column', 'NAME'],
    ['unknown-column', 'DESCRIPTION'],
  ],
  bad10: [
    ['unknown-column', 'ROTATION_ENABLED'],
    ['unknown-column', 'NAME'],
    ['unknown-column', 'LAST_ROTATED_DATE'],
  ],
  bad11: [
    ['unknown-column', 'MFA_ACTIVE'],
    ['unknown-column', 'PASSWORD_ENABLED'],
  ],
  bad14: [['array-index', '[*]']],
  bad17: [['unknown-relationship', 'LW_CFG_AWS_S3_GET_BUCKET_ENCRYPTION']],
  bad19: [['unknown-function', 'is_null']],
  bad26: [['operator-as-function', 'RLIKE']],
};

describe.skipIf(queriesFile === undefined || answer === undefined)('the corpus of real queries', () => {
  it('has no error where the names are in the reference catalog', () => {
    const falseErrors: string[] = [];
    let judged = 0;
    let unjudged = 0;
    const others = new Map<string, number>();
    for (const query of readLines<CorpusQuery>(queriesFile ?? '')) {
      if (query.template || !query.parses) continue;
      const { model, diagnostics } = check(query.text);
      const errors = diagnostics.filter((each) => each.severity === 'error');
      if (namesNotInCatalog(model, query.text, errors).length > 0) {
        unjudged++;
        continue;
      }
      judged++;
      for (const each of diagnostics) {
        if (each.severity === 'error') falseErrors.push(`${query.id}: ${each.code}: ${each.message}`);
        else others.set(each.code, (others.get(each.code) ?? 0) + 1);
      }
    }
    console.log(
      `corpus: ${judged} queries judged against ${catalog.datasources.size} datasources, ${unjudged} with names the catalog lacks; ${falseErrors.length} false errors; milder findings: ${[...others].map(([code, count]) => `${code} ${count}`).join(', ')}`,
    );
    expect(falseErrors).toEqual([]);
    expect(judged).toBeGreaterThan(100);
  });
});

describe.skipIf(badFile === undefined || answer === undefined)('texts known to be wrong', () => {
  it('are reported at the right place with the right code', () => {
    const certain = readLines<BadText>(badFile ?? '').filter(({ confidence }) =>
      confidence.split('+').every((part) => part === 'documented' || part === 'live-reported'),
    );
    for (const bad of certain) {
      const { diagnostics } = check(bad.text);
      const found = diagnostics
        .filter((each) => each.severity === 'error')
        .map((each) => [each.code, bad.text.slice(each.range.start, each.range.end)]);
      for (const [code, place] of expectedOfBad[bad.id] ?? [['no expectation', bad.text]]) {
        expect([bad.id, found]).toEqual([bad.id, expect.arrayContaining([[code, place]])]);
      }
    }
    console.log(`bad texts: ${certain.length} of confidence documented or live-reported, all reported in place`);
    expect(certain.length).toBe(Object.keys(expectedOfBad).length);
  });
});
