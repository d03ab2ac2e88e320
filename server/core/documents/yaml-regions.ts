import { CST, Parser } from 'yaml';
import { queryIdFields, queryTextFields } from './json-regions.ts';
import { looksLikeLql, type Region } from './region.ts';
import { type YamlScalarToken, yamlScalarRegion, yamlScalarText } from './yaml-scalar.ts';

/** Documents larger than this are left alone. */
export const maxYamlLength = 1_000_000;

/**
 * Query texts in YAML: values of `queryText`, in every scalar style, with the `queryId` beside them. Works on the concrete syntax
 * alone: nothing is resolved, so aliases cost nothing, and a document with errors works as far as it can be read.
 */
export function yamlRegions(document: string): readonly Region[] {
  if (!mentionsQueryText(document) || !isReadableYaml(document)) return [];
  const regions: Region[] = [];
  for (const token of new Parser().parse(document)) {
    if (token.type === 'document' && token.value !== undefined) collect(document, token.value, regions);
  }
  return regions.sort((a, b) => a.map.outer.start - b.map.outer.start);
}

/** Whether a document is small and flat enough to be read at all. */
export function isReadableYaml(document: string): boolean {
  return document.length <= maxYamlLength && !nestsTooDeep(document);
}

/** Most YAML documents hold no query: they are not read at all. */
function mentionsQueryText(document: string): boolean {
  for (const field of queryTextFields) if (document.includes(field)) return true;
  return false;
}

/** Thousands of open brackets are no document; the library would take seconds over them. */
const deepestNesting = 2000;

function nestsTooDeep(document: string): boolean {
  let depth = 0;
  for (let at = 0; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === 123 || code === 91) {
      if (++depth > deepestNesting) return true;
    } else if ((code === 125 || code === 93) && depth > 0) depth--;
  }
  return false;
}

function collect(document: string, root: CST.Token, regions: Region[]): void {
  const open: CST.Token[] = [root];
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    if (token.type === 'block-map' || (token.type === 'flow-collection' && token.start.type === 'flow-map-start')) {
      collectMap(document, token.items, regions);
    }
    if (token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection') {
      for (const item of token.items) {
        if (item.value) open.push(item.value);
      }
    }
  }
}

function collectMap(document: string, items: readonly CST.CollectionItem[], regions: Region[]): void {
  let queryId: string | undefined;
  let language: string | undefined;
  const texts: YamlScalarToken[] = [];
  for (const { key, value } of items) {
    const name = CST.isScalar(key ?? undefined) && key ? yamlScalarText(key as YamlScalarToken) : undefined;
    if (name === undefined || !value || !isTextScalar(value)) continue;
    if (queryTextFields.has(name)) texts.push(value);
    else if (queryIdFields.has(name)) queryId = yamlScalarText(value);
    else if (name === 'queryLanguage') language = yamlScalarText(value);
  }
  if (language !== undefined && language !== '' && language.toLowerCase() !== 'lql') return;
  for (const token of texts) {
    const region = yamlScalarRegion(document, token, queryId);
    if (region !== undefined && looksLikeLql(region.text)) regions.push(region);
  }
}

function isTextScalar(token: CST.Token): token is YamlScalarToken {
  return (
    token.type === 'scalar' ||
    token.type === 'single-quoted-scalar' ||
    token.type === 'double-quoted-scalar' ||
    token.type === 'block-scalar'
  );
}
