import { identityMap } from '../text/source-map.ts';
import { hclRegions } from './hcl-regions.ts';
import { jsonRegions } from './json-regions.ts';
import { markdownRegions } from './markdown-regions.ts';
import type { HostKind, Region } from './region.ts';
import { maxYamlLength, yamlRegions } from './yaml-regions.ts';

/** The query texts of a host document, in its order. */
export function findRegions(document: string, host: HostKind): readonly Region[] {
  switch (host) {
    case 'lql':
      return lqlRegions(document);
    case 'yaml':
      return yamlRegions(document);
    case 'json':
      return jsonRegions(document);
    case 'hcl':
      return hclRegions(document);
    case 'markdown':
      return markdownRegions(document);
  }
}

/** The kind of host a document is, by the editor's language id, else by the name's ending. Undefined for documents that cannot hold queries. */
export function hostKindOf(languageId: string, path: string): HostKind | undefined {
  const byLanguage = languages.get(languageId);
  if (byLanguage !== undefined) return byLanguage;
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  return ending === undefined ? undefined : endings.get(ending);
}

const languages: ReadonlyMap<string, HostKind> = new Map([
  ['lql', 'lql'],
  ['yaml', 'yaml'],
  ['json', 'json'],
  ['jsonc', 'json'],
  ['terraform', 'hcl'],
  ['terraform-vars', 'hcl'],
  ['hcl', 'hcl'],
  ['opentofu', 'hcl'],
  ['markdown', 'markdown'],
]);

const endings: ReadonlyMap<string, HostKind> = new Map([
  ['lql', 'lql'],
  ['yaml', 'yaml'],
  ['yml', 'yaml'],
  ['json', 'json'],
  ['jsonc', 'json'],
  ['tf', 'hcl'],
  ['tofu', 'hcl'],
  ['hcl', 'hcl'],
  ['md', 'markdown'],
  ['markdown', 'markdown'],
]);

/** Whether a document is to be read as YAML or as JSON; undefined for queries on their own and for other hosts. */
export function dataFormOf(document: string, host: HostKind): 'yaml' | 'json' | undefined {
  if (host === 'yaml' || host === 'json') return host;
  return host === 'lql' ? wrapperKind(document) : undefined;
}

/** A `.lql` file holds one query, or (as most public ones do) YAML or JSON around it. */
function lqlRegions(document: string): readonly Region[] {
  const wrapper = wrapperKind(document);
  if (wrapper === 'yaml' && document.length <= maxYamlLength) return yamlRegions(document);
  if (wrapper === 'json') return jsonRegions(document);
  return [
    {
      host: 'lql',
      text: document,
      map: identityMap(document.length),
      queryId: undefined,
      isTemplate: false,
      isFolded: false,
      encode: (newText) => newText,
    },
  ];
}

const wrapperField = /(?:queryId|queryText|queryName|queryLanguage|evaluatorId|query_id|query_text|policyId)/.source;
const yamlWrapper = new RegExp(`^(?:- +)?["']?${wrapperField}["']?[ \\t]*:(?:[ \\t\\r\\n]|$)`);
const jsonWrapper = new RegExp(`^[[{\\s]*"${wrapperField}"\\s*:`);

function wrapperKind(document: string): 'yaml' | 'json' | undefined {
  const head = document.slice(0, 4000);
  if (/^[\uFEFF\s]*[[{]/.test(head)) return jsonWrapper.test(head.replace(/^\uFEFF/, '')) ? 'json' : undefined;
  for (const line of head.split(/\r\n|\n|\r/)) {
    if (line.startsWith('{') || /^\s*source\s*\{/.test(line)) return undefined;
    if (yamlWrapper.test(line.replace(/^\uFEFF/, ''))) return 'yaml';
  }
  return undefined;
}
