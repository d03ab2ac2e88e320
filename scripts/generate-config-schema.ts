// Writes the JSON Schema of lql.config.jsonc from the lint rules, for editors; with --check it only says whether the file is fresh.
import { lintConfigSchema } from '../server/core/language/lint/config.ts';
import { keepFresh } from './fresh-files.ts';

keepFresh([['syntaxes/lql-config.schema.json', `${JSON.stringify(lintConfigSchema(), undefined, 1)}\n`]]);
