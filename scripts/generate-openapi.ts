// Writes docs/openapi.json from the endpoint definitions; with --check it only says whether the file is fresh.
import { allEndpoints } from '../server/api/endpoints/index.ts';
import { openApiDocument } from '../server/api/openapi.ts';
import { keepFresh } from './fresh-files.ts';

keepFresh([['docs/openapi.json', `${JSON.stringify(openApiDocument(allEndpoints, 'SVC'), undefined, 1)}\n`]]);
