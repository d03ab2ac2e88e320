import { observeKeys } from '../../../server/core/language/catalog/observed-keys.ts';
import type { ResultsService, Row } from '../runs.ts';
import type { LanguageServer } from './language-server.ts';

/** Rows of a result that are looked at: more of them rarely have other keys. */
const rowsLookedAt = 200;

/** The same results view; the names of the keys in what it shows reach the language server, which completes and checks them. */
export function observingKeys<Results extends ResultsService>(
  results: Results,
  language: Pick<LanguageServer, 'addKeys'>,
): Results {
  return {
    ...results,
    openRun(run) {
      const handle = results.openRun(run);
      return {
        ...handle,
        succeeded(rows, ...rest) {
          handle.succeeded(rows, ...rest);
          language.addKeys({ queryText: run.queryText, columns: keysByColumn(rows.slice(0, rowsLookedAt)) });
        },
      };
    },
  };
}

function keysByColumn(rows: readonly Row[]) {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names]
    .map((name) => ({ name, keys: observeKeys(rows.map((row) => row[name])) }))
    .filter(({ keys }) => keys.length > 0);
}
