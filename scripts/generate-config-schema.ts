// Writes the JSON Schema of lql.config.jsonc from the lint rules, for editors; with --check it only says whether the file is fresh.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lintConfigSchema } from '../server/core/language/lint/config.ts';

const name = 'syntaxes/lql-config.schema.json';
const file = path.resolve(import.meta.dirname, '..', name);
const fresh = `${JSON.stringify(lintConfigSchema(), undefined, 1)}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, fresh);
else if (read() !== fresh) {
  console.error(`${name} is not fresh. Run \`npm run generate\`.`);
  process.exitCode = 1;
}

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
