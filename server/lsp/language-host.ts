/**
 * The language service over the open documents: finds the queries in each document, keeps what was found for the current version, and
 * holds catalog and lint configuration. Loaded behind the answer to `initialize`, because the parser takes longest to load.
 */
import { parse as parseJsonc } from 'jsonc-parser';
import { dataFormOf, findRegions, hostKindOf } from '../core/documents/find-regions.ts';
import { fixDocument } from '../core/documents/fix-document.ts';
import { type HostKind, type Region, regionAt } from '../core/documents/region.ts';
import { checkResources, findResources } from '../core/documents/resources/check-resources.ts';
import { completeResources, type ResourceCompletion } from '../core/documents/resources/complete-resources.ts';
import { hoverResource } from '../core/documents/resources/field-text.ts';
import { silenceInYaml, suppressInYaml } from '../core/documents/suppress-in-yaml.ts';
import { isRecord } from '../core/is-record.ts';
import type { Column } from '../core/language/catalog/catalog.ts';
import { type ObservedKeys, readObservedKeys, withKeysAt } from '../core/language/catalog/observed-keys.ts';
import {
  type AnalyzedText,
  analyzeText,
  asPolicyQuery,
  type Catalog,
  createLanguageService,
  type Diagnostic,
  diagnosticCodes,
  documentationPath,
  jsonPlaceOfResult,
  type LanguageService,
  type LintConfig,
  type LintOptions,
  readLintConfig,
} from '../core/language/language-service.ts';
import { typeFromDataType } from '../core/language/types/types.ts';
import { catalogFromDatasources, withSchemas } from '../core/resources/catalog-from-datasources.ts';
import type { TextEdit } from '../core/text/edits.ts';
import type { TextRange } from '../core/text/range.ts';
import { type ContentIndex, createContentIndex, type Mention, mentionsOf } from '../core/workspace/content-index.ts';
import { duplicateIds } from '../core/workspace/duplicate-ids.ts';
import { createPolicyIndex, type PolicyDemand, type PolicyFacts, policyFactsOf } from '../core/workspace/policy-use.ts';
import type { OpenDocument } from './open-documents.ts';
import type { CatalogParams, KeysParams } from './protocol.ts';

export interface RegionView {
  readonly region: Region;
  readonly query: AnalyzedText;
}

export interface LanguageHost {
  readonly service: LanguageService;
  /** The queries of a document, analyzed. Empty for documents that hold none. */
  regions(document: OpenDocument): readonly RegionView[];
  /** The query at `offset` of the document, with the offset in its text. */
  at(document: OpenDocument, offset: number): { readonly view: RegionView; readonly offset: number } | undefined;
  /** What is wrong with the objects around the queries: policies, profiles, exceptions. Ranges and edits are of the document. */
  resourceDiagnostics(document: OpenDocument): readonly Diagnostic[];
  /** The edits that apply every safe fix of a document, and those that come into sight by them. */
  fixAll(document: OpenDocument): readonly TextEdit[];
  /** The comment that silences one of those; undefined where the document cannot hold one. */
  silenceResource(document: OpenDocument, diagnostic: Diagnostic): TextEdit | undefined;
  /** Fields and values at a place outside of queries. */
  completeResources(document: OpenDocument, offset: number, snippets: boolean): ResourceCompletion | undefined;
  /** What the field at a place outside of queries is. */
  hoverResource(document: OpenDocument, offset: number): { range: TextRange; markdown: string } | undefined;
  /** What the open documents, and the files the client told of, define and mention. */
  readonly index: ContentIndex;
  /** The id at a place of a document: of an object, or of one it refers to. */
  mentionAt(document: OpenDocument, offset: number): Mention | undefined;
  /** Everything that a document defines and mentions. */
  mentions(document: OpenDocument): readonly Mention[];
  /** A file of the workspace, or undefined text when it is gone. */
  setFile(uri: string, text: string | undefined): void;
  /** Which other documents give the ids of a document, too: another text whenever that has changed. */
  toldByOthers(uri: string): string;
  /** What policies demand of queries; another text whenever that may have changed. */
  policyQueries(): string;
  forget(uri: string): void;
  /** Where the page of a diagnostic code is; undefined when whoever started the server did not say. */
  documentationOf(code: string): string | undefined;

  /** Version of the catalog as whoever sent it calls it; undefined without a catalog. */
  readonly catalogVersion: string | undefined;
  setCatalog(params: CatalogParams): number;
  /** A catalog read from a file. It never replaces one that a client sent. */
  setCatalogFromFile(answer: unknown, modifiedAt: number, vendorPrefix: string): number;
  /** Columns by datasource, from a client or a file, not yet checked. False when they are for another catalog. */
  setSchemas(version: string | undefined, schemas: unknown): boolean;
  /** Keys of the rows that a query returned. True when some of them are new. */
  observeKeys(params: KeysParams): boolean;
  /** Where the catalog comes from and how old it is, in words for a person. */
  catalogAge(now: number): string | undefined;

  /** Text of a `lql.config.jsonc`, or undefined when it is gone. */
  setConfig(folderUri: string, text: string | undefined): void;
}

interface Kept {
  readonly content: OpenDocument['content'];
  readonly revision: number;
  readonly found: readonly Region[];
  readonly host: HostKind | undefined;
  resources: readonly Diagnostic[] | undefined;
}

export function createLanguageHost(vendorPrefix: string, documentationUri?: string): LanguageHost {
  const service = createLanguageService({ catalog: undefined, vendorPrefix });
  const kept = new Map<string, Kept>();
  const index = createContentIndex();
  const files = new Map<string, readonly Mention[]>();
  const policies = createPolicyIndex();
  /** Of the files that the client told of: what holds again when a document is closed. */
  const filePolicies = new Map<string, PolicyFacts>();
  const lintOptions = new Map<string, LintOptions>();
  const configs = new Map<string, LintConfig>();
  let base: { version: string; catalog: Catalog; fetchedAt: number | undefined } | undefined;
  /** The catalog of the file as it is there, without the columns of the other file. */
  let fileCatalog: Catalog | undefined;
  /** The abbreviation of the account in use; undefined where none is. */
  let knownPrefix: string | undefined;
  let fileSchemas: Readonly<Record<string, readonly Column[]>> = {};

  let observed: { readonly origin: Catalog['origin'] | undefined; readonly keys: ObservedKeys } = noKeys;

  const apply = (catalog: Catalog): void => {
    // Rows of the sample tell nothing of an account's.
    if (observed.origin !== catalog.origin) observed = { origin: catalog.origin, keys: noKeys.keys };
    const observedKeys = observed.keys;
    service.configure({ catalog: { ...catalog, observedKeys }, vendorPrefix: catalog.vendorPrefix });
  };

  const keep = (document: OpenDocument): Kept => {
    const { uri, languageId, content, revision } = document;
    const known = kept.get(uri);
    if (known?.content === content && known.revision === revision) return known;
    const host = hostKindOf(languageId, pathOf(uri));
    const found = host === undefined ? [] : findRegions(content.getText(), host);
    const fresh: Kept = { content, revision, found, host, resources: undefined };
    kept.set(uri, fresh);
    index.set(uri, readMentions(uri, content.getText(), host, found));
    policies.set(uri, readPolicyFacts(content.getText(), host));
    return fresh;
  };
  const find = (document: OpenDocument): readonly Region[] => keep(document).found;

  const dataForm = (document: OpenDocument): 'yaml' | 'json' | undefined => {
    const { host } = keep(document);
    return host === undefined ? undefined : dataFormOf(document.content.getText(), host);
  };

  const resourceDiagnostics = (document: OpenDocument): readonly Diagnostic[] => {
    const entry = keep(document);
    const form = dataForm(document);
    entry.resources ??= form === undefined ? [] : checked(document.content.getText(), form, entry.found, knownPrefix);
    const duplicates = duplicateIds(index, document.uri);
    return duplicates.length === 0 ? entry.resources : [...entry.resources, ...duplicates];
  };

  const view = (document: OpenDocument, region: Region, index: number): RegionView => {
    const id = `${document.uri}#${index}`;
    const options = optionsFor(id, document.uri, region.queryId);
    const query = service.analyze(id, region.text, options);
    return { region, query: judged(query, document.content.getText(), region) };
  };

  /** The query with what the policies that run it demand, where one does. */
  const judged = (query: AnalyzedText, text: string, region: Region): AnalyzedText => {
    const { queryId, host } = region;
    const isData = host === 'yaml' || host === 'json';
    const demand =
      (queryId === undefined ? undefined : policies.demandOf(queryId)) ??
      (isData ? policies.demandAt(region, findResources(text)) : undefined);
    return demand === undefined ? query : withPolicyChecks(query, demand);
  };

  /** Later rounds look at texts that no editor shows: nothing of them is kept. */
  const fixAll = (document: OpenDocument): readonly TextEdit[] => {
    const { host } = keep(document);
    const own = document.content.getText();
    if (host === undefined) return [];
    return fixDocument(own, (text) => {
      const form = dataFormOf(text, host);
      const regions = findRegions(text, host);
      return {
        queries: regions.map((region, i) => {
          const options = optionsFor(`${document.uri}#${i}`, document.uri, region.queryId);
          const query = analyzeText(region.text, service.settings, options);
          return { region, diagnostics: judged(query, text, region).diagnostics };
        }),
        resources: form === undefined ? [] : checked(text, form, regions, knownPrefix),
      };
    }).edits;
  };

  const checkedForPolicies = new WeakMap<AnalyzedText, { readonly by: string; readonly query: AnalyzedText }>();
  const withPolicyChecks = (query: AnalyzedText, demand: PolicyDemand): AnalyzedText => {
    const by = demand.alertColumns.join(' ');
    const known = checkedForPolicies.get(query);
    if (known?.by === by) return known.query;
    const checked = asPolicyQuery(query, demand);
    checkedForPolicies.set(query, { by, query: checked });
    return checked;
  };

  /** The same object while nothing changed: the service compares it by identity. */
  const optionsFor = (id: string, uri: string, queryId: string | undefined): LintOptions => {
    let folder = '';
    for (const candidate of configs.keys()) {
      if (uri.startsWith(candidate) && candidate.length > folder.length) folder = candidate;
    }
    const config = configs.get(folder);
    const known = lintOptions.get(id);
    if (known !== undefined && known.config === config && known.queryId === queryId) return known;
    const options: LintOptions = {
      ...(config === undefined ? {} : { config, path: decoded(uri.slice(folder.length)) }),
      ...(queryId === undefined ? {} : { queryId }),
    };
    lintOptions.set(id, options);
    return options;
  };

  return {
    service,
    regions: (document) => find(document).map((region, i) => view(document, region, i)),
    at(document, offset) {
      const found = find(document);
      const hit = regionAt(found, offset);
      return hit && { view: view(document, hit.region, found.indexOf(hit.region)), offset: hit.offset };
    },
    index,
    mentionAt(document, offset) {
      keep(document);
      return index.at(document.uri, offset);
    },
    mentions(document) {
      keep(document);
      return index.of(document.uri);
    },
    setFile(uri, text) {
      const host = hostKindOf('', pathOf(uri));
      const mentions =
        text === undefined || host === undefined ? [] : readMentions(uri, text, host, findRegions(text, host));
      if (mentions.length === 0) files.delete(uri);
      else files.set(uri, mentions);
      if (!kept.has(uri)) index.set(uri, mentions);
      const facts = text === undefined || host === undefined ? undefined : readPolicyFacts(text, host);
      if (facts === undefined) filePolicies.delete(uri);
      else filePolicies.set(uri, facts);
      if (!kept.has(uri)) policies.set(uri, facts);
    },
    toldByOthers: (uri) =>
      duplicateIds(index, uri)
        .map(({ message }) => message)
        .join('\n'),
    policyQueries: () => policies.fingerprint(),
    resourceDiagnostics,
    silenceResource: (document, diagnostic) =>
      dataForm(document) === 'yaml' ? silenceInYaml(document.content.getText(), diagnostic) : undefined,
    completeResources(document, offset, snippets) {
      if (dataForm(document) !== 'yaml') return undefined;
      const queryIds = [...index.all()].flatMap(({ kind, id }) => (kind === 'query' ? id : []));
      return completeResources(document.content.getText(), offset, { queryIds, snippets });
    },
    hoverResource: (document, offset) =>
      dataForm(document) === undefined ? undefined : hoverResource(document.content.getText(), offset),
    fixAll,
    forget(uri) {
      kept.delete(uri);
      index.set(uri, files.get(uri) ?? []);
      policies.set(uri, filePolicies.get(uri));
      for (const id of lintOptions.keys()) if (id.startsWith(`${uri}#`)) lintOptions.delete(id);
      service.forget(`${uri}#`);
    },

    documentationOf(code) {
      const definition = diagnosticCodes.get(code);
      if (documentationUri === undefined || definition === undefined) return undefined;
      return `${documentationUri}/${documentationPath(code, definition.stage)}`;
    },

    get catalogVersion() {
      return base?.version;
    },
    setCatalog(params) {
      const { version, datasources, fetchedAt } = params;
      const origin = params.origin === 'sample' ? 'sample' : 'account';
      const prefix = typeof params.vendorPrefix === 'string' ? params.vendorPrefix : vendorPrefix;
      const catalog = catalogFromDatasources(datasources, { origin, vendorPrefix: prefix });
      if (typeof params.vendorPrefix === 'string' && knownPrefix !== prefix) {
        knownPrefix = prefix;
        for (const entry of kept.values()) entry.resources = undefined;
      }
      base = { version, catalog, fetchedAt };
      apply(catalog);
      return catalog.datasources.size;
    },
    setCatalogFromFile(answer, modifiedAt, prefix) {
      if (base !== undefined && base.catalog.origin !== 'file') return base.catalog.datasources.size;
      fileCatalog = catalogFromDatasources(answer, { origin: 'file', vendorPrefix: prefix });
      const catalog = withSchemas(fileCatalog, fileSchemas);
      base = { version: `file ${modifiedAt}`, catalog, fetchedAt: modifiedAt };
      apply(catalog);
      return catalog.datasources.size;
    },
    setSchemas(version, schemas) {
      const read = readSchemas(schemas);
      if (version === undefined) fileSchemas = read;
      if (base === undefined || (version !== undefined && version !== base.version)) return version === undefined;
      if (version === undefined && base.catalog.origin !== 'file') return false;
      // A file says all there is, a client what is to be added.
      const before = version === undefined ? (fileCatalog ?? base.catalog) : base.catalog;
      base = { ...base, catalog: withSchemas(before, read) };
      apply(base.catalog);
      return true;
    },
    observeKeys({ queryText, columns }) {
      if (base === undefined || !Array.isArray(columns)) return false;
      const { model } = analyzeText(queryText, service.settings);
      let { keys } = observed;
      for (const { name, keys: told } of columns) {
        const shown = model.resultColumns.find((column) => column.name === String(name).toUpperCase());
        const place = shown && jsonPlaceOfResult(shown, model.references);
        const isKnown = place !== undefined && base.catalog.datasources.has(place.datasource);
        if (isKnown) keys = withKeysAt(keys, place, readObservedKeys(told));
      }
      if (keys === observed.keys) return false;
      observed = { ...observed, keys };
      apply(base.catalog);
      return true;
    },
    catalogAge(now) {
      if (base === undefined) return undefined;
      const source =
        base.catalog.origin === 'sample'
          ? 'Sample catalog of the local platform'
          : base.catalog.origin === 'file'
            ? 'Catalog from a file'
            : 'Catalog of this account';
      return base.fetchedAt === undefined ? `${source}.` : `${source}, read ${ageInWords(now - base.fetchedAt)}.`;
    },

    setConfig(folderUri, text) {
      const folder = folderUri.endsWith('/') ? folderUri : `${folderUri}/`;
      if (text === undefined) configs.delete(folder);
      else configs.set(folder, readLintConfig(parseJsonc(text, [], { allowTrailingComma: true })).config);
    },
  };
}

const noKeys: { readonly origin: undefined; readonly keys: ObservedKeys } = { origin: undefined, keys: new Map() };

/** Columns out of what a client or a file says. Entries that are no columns are left out. */
function readSchemas(schemas: unknown): Readonly<Record<string, readonly Column[]>> {
  if (!isRecord(schemas)) return {};
  const read = new Map<string, readonly Column[]>();
  for (const [name, columns] of Object.entries(schemas)) {
    if (Array.isArray(columns)) read.set(name, readColumns(columns, 0));
  }
  return Object.fromEntries(read);
}

/** Properties nest no deeper than this; deeper ones are left out. */
const maxNesting = 32;

function readColumns(columns: readonly unknown[], depth: number): readonly Column[] {
  return columns.flatMap((entry): Column[] => {
    if (!isRecord(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') return [];
    const type = entry['type'] ?? entry['dataType'];
    const properties = entry['properties'];
    return [
      {
        name: entry['name'],
        type: typeof type === 'string' ? typeFromDataType(type) : 'unknown',
        description: typeof entry['description'] === 'string' ? entry['description'] : undefined,
        ...(Array.isArray(properties) && depth < maxNesting ? { properties: readColumns(properties, depth + 1) } : {}),
      },
    ];
  });
}

/** What is wrong with the objects of a document, without what its comments silence. */
function checked(
  text: string,
  form: 'yaml' | 'json',
  regions: readonly Region[],
  vendorPrefix: string | undefined,
): readonly Diagnostic[] {
  const found = checkResources(text, form, vendorPrefix);
  return form === 'yaml' ? suppressInYaml(text, found, regions) : found;
}

/** What a document says of policies; undefined for most, which say nothing. */
function readPolicyFacts(text: string, host: HostKind | undefined): PolicyFacts | undefined {
  if (host === undefined || dataFormOf(text, host) === undefined) return undefined;
  const facts = policyFactsOf(findResources(text));
  return facts.uses.length === 0 && facts.alertColumns.size === 0 ? undefined : facts;
}

function readMentions(
  uri: string,
  text: string,
  host: HostKind | undefined,
  regions: readonly Region[],
): readonly Mention[] {
  const form = host === undefined ? undefined : dataFormOf(text, host);
  return mentionsOf(uri, text, form === undefined ? [] : findResources(text), regions);
}

function pathOf(uri: string): string {
  return uri.replace(/[?#].*$/, '');
}

/** A percent sign that escapes nothing stands for itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function ageInWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? 'an hour ago' : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
