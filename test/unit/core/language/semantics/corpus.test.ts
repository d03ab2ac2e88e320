import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { allDiagnostics } from '../../../../../server/core/language/lint/lint.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import type { SemanticModel } from '../../../../../server/core/language/semantics/semantic-model.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { catalogFromDatasources } from '../../../../../server/core/resources/index.ts';
import { badFile, expectedOfBad, queriesFile, readBadTexts, readCorpusQueries } from '../../../../support/corpus.ts';
import { readReferenceDatasources } from '../../../../support/reference-catalog.ts';

const answer = readReferenceDatasources();

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

describe.skipIf(queriesFile === undefined || answer === undefined)('the corpus of real queries', () => {
  it('has no error where the names are in the reference catalog', () => {
    const falseErrors: string[] = [];
    let judged = 0;
    let unjudged = 0;
    const others = new Map<string, number>();
    for (const query of readCorpusQueries()) {
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
    const certain = readBadTexts();
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
