// Writes docs/openapi.json from the endpoint definitions; with --check it only says whether the file is fresh.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allEndpoints } from '../server/api/endpoints/index.ts';
import { openApiDocument } from '../server/api/openapi.ts';

const file = path.resolve(import.meta.dirname, '..', 'docs', 'openapi.json');
const fresh = `${JSON.stringify(openApiDocument(allEndpoints, 'SVC'), undefined, 1)}\n`;

if (!process.argv.includes('--check')) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, fresh);
} else if (read() !== fresh) {
  console.error('docs/openapi.json is not fresh. Run `npm run generate`.');
  process.exitCode = 1;
}

function read(): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
