import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRegions, hostKindOf } from '../../../../../server/core/documents/find-regions.ts';
import { toWireText } from '../../../../../server/core/language/format/wire.ts';
import { analyzeText, type Catalog, readLintConfig } from '../../../../../server/core/language/language-service.ts';
import { rules } from '../../../../../server/core/language/lint/rules/index.ts';
import { suppressionCodes } from '../../../../../server/core/language/lint/suppression-codes.ts';
import type { Expression } from '../../../../../server/core/language/syntax/ast.ts';
import { walk } from '../../../../../server/core/language/syntax/walk.ts';
import { catalogFromDatasources } from '../../../../../server/core/resources/index.ts';
import { queryText } from '../../../../generators/lql.ts';
import { propertyRuns, propertyTimeout } from '../../../../generators/runs.ts';
import { exampleFiles, readCorpusQueries } from '../../../../support/corpus.ts';
import { printTree } from '../../../../support/print-syntax.ts';
import { readReferenceDatasources } from '../../../../support/reference-catalog.ts';
import { smallCatalog } from '../../../../support/small-catalog.ts';

// `check` of what is sent must say what `check` of what was written says: in tree, in types, and in findings.

/** Rules about what the wire leaves out or writes anew: the id, the form of strings, the length of the text. */
const aboutTheLayout: ReadonlySet<string> = new Set([
  'query-id-in-text',
  'reserved-id-prefix',
  'text-near-limit',
  'legacy-string-escape',
  'prefer-s-string',
]);

/** Every other rule, those that are off by default too. */
const { config } = readLintConfig({
  rules: Object.fromEntries(
    rules.map(({ id, severity }) => [id, aboutTheLayout.has(id) ? 'off' : severity === 'off' ? 'warning' : severity]),
  ),
});

interface Settings {
  readonly catalog: Catalog | undefined;
  readonly vendorPrefix: string;
}

/** All that checking says, in terms that do not depend on where things stand. */
function meaningOf(text: string, settings: Settings) {
  // Comments that silence a finding do not travel.
  const { parsed, model, diagnostics } = analyzeText(text.replaceAll('lql-disable', 'lql-dis-able'), settings, {
    config,
  });
  const { query } = parsed.file;
  const name = query?.kind === 'query' ? query.name : undefined;
  const nameless = query?.kind === 'query' ? { ...parsed.file, query: { ...query, name: undefined } } : parsed.file;
  const tokens = parsed.tokens.filter(({ end }) => name === undefined || end > name.range.end);
  const types: string[] = [];
  walk(parsed.file, (node) => {
    const type = model.types.get(node as Expression);
    if (type !== undefined) types.push(`${node.kind} ${type}`);
    return true;
  });
  return {
    tree: printTree(nameless, { ranges: false }),
    types,
    columns: model.resultColumns.map((column) => [column.name, column.label, column.type]),
    datasources: model.datasourceNames,
    diagnostics: diagnostics
      .filter(({ code }) => !(code in suppressionCodes))
      .map(({ code, severity, range }) => [
        code,
        severity,
        tokens.findIndex(({ end }) => end > range.start),
        tokens.findLastIndex(({ start }) => start < range.end),
      ]),
  };
}

/** False for a text that cannot be sent. */
function expectSameOnTheWire(text: string, settings: Settings): boolean {
  const wire = toWireText(text);
  if (wire.kind === 'refused') return false;
  expect(meaningOf(wire.text, settings)).toEqual(meaningOf(text, settings));
  return true;
}

const small: Settings = { catalog: smallCatalog(), vendorPrefix: 'SVC' };

describe('check of the flattened text equals check of the text', () => {
  test('over generated queries, with and without a catalog', { timeout: propertyTimeout() }, () => {
    let tried = 0;
    fc.assert(
      fc.property(queryText, fc.boolean(), (text, withCatalog) => {
        if (expectSameOnTheWire(text, withCatalog ? small : { ...small, catalog: undefined })) tried++;
      }),
      propertyRuns(1000),
    );
    console.log(`flatten: ${tried} generated queries say the same on the wire`);
    expect(tried).toBeGreaterThan(500);
  });

  test('over generated queries about datasources of the catalog', { timeout: propertyTimeout() }, () => {
    const names = [...(small.catalog?.datasources.keys() ?? [])];
    const columns = [...(small.catalog?.datasources.values() ?? [])].flatMap((each) => each.columns ?? []);
    let findings = 0;
    fc.assert(
      fc.property(queryText, fc.nat(), (text, seed) => {
        // Names that mean something: of the generated ones nearly all are unknown, which ends the checking of types early.
        let next = seed;
        const known = text.replaceAll(/\b[A-Z][A-Z0-9_]{2,}\b/g, (name) => {
          next = (next * 1_103_515_245 + 12_345) % 2_147_483_648;
          const pool = next % 3 === 0 ? names : columns.map((column) => column.name);
          return pool[next % pool.length] ?? name;
        });
        if (expectSameOnTheWire(known, small)) findings += meaningOf(known, small).diagnostics.length;
      }),
      propertyRuns(500),
    );
    console.log(`flatten: ${findings} findings over known names are the same on the wire`);
    expect(findings).toBeGreaterThan(500);
  });

  test('over the examples', () => {
    const texts = exampleFiles().flatMap((file) => {
      const host = hostKindOf('', path.basename(file));
      return host === undefined ? [] : findRegions(readFileSync(file, 'utf8'), host).map((region) => region.text);
    });
    const same = texts.filter((text) => expectSameOnTheWire(text, small));
    console.log(`flatten: ${same.length} queries of the examples say the same on the wire`);
    expect(same.length).toBeGreaterThan(5);
  });

  const queries = readCorpusQueries();
  const answer = readReferenceDatasources();
  test.runIf(queries.length > 0 && answer !== undefined)(
    'over the corpus, with the reference catalog (skipped where the corpus is absent)',
    () => {
      const catalog = catalogFromDatasources(answer, { origin: 'account', vendorPrefix: 'LW' });
      const same = queries.filter(({ text }) => expectSameOnTheWire(text, { catalog, vendorPrefix: 'LW' }));
      console.log(`flatten: ${same.length} queries of the corpus say the same on the wire`);
      expect(same.length).toBe(queries.length);
    },
  );
});
