import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { createLanguageService } from '../../../../server/core/language/language-service.ts';
import { catalogFromDatasources } from '../../../../server/core/resources/catalog-from-datasources.ts';
import { findCorpusFile } from '../../../harness/paths.ts';
import { readReferenceDatasources } from '../../../support/reference-catalog.ts';
import { askAt, askWhole } from './ask-everything.ts';

const files = ['queries.jsonl', 'bad.jsonl', 'fragments.jsonl', 'legacy_v1.jsonl'].flatMap(
  (name) => findCorpusFile(name) ?? [],
);
const datasources = readReferenceDatasources();
if (files.length === 0 || datasources === undefined)
  console.log('The corpus of real queries is not there (LQL_SHARED): its offsets are not asked about.');

/** Every offset in the deep run; otherwise steps that walk through all of them over the texts. */
const step = process.env['DEEP'] ? 1 : 53;

// Real queries, half-filled templates and texts of other generations: whatever is asked about any place of them is answered within them.
test.runIf(files.length > 0 && datasources !== undefined)(
  'every request at places of every corpus text',
  { timeout: process.env['DEEP'] ? 600_000 : 60_000 },
  () => {
    const catalog = catalogFromDatasources(datasources, { origin: 'account', vendorPrefix: 'LW' });
    const lql = createLanguageService({ catalog, vendorPrefix: 'LW' });
    let asked = 0;
    const texts = files
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
      .map((line) => (JSON.parse(line) as { text: string }).text);
    for (const [i, text] of texts.entries()) {
      const query = lql.analyze('corpus', text);
      askWhole(lql, query);
      for (let offset = i % step; offset <= text.length; offset += step) {
        askAt(lql, query, offset);
        asked++;
      }
    }
    console.log(`${texts.length} corpus texts, ${asked} places, every request answered within its text`);
  },
);
