// Who may import whom: the table of ARCHITECTURE.md as data.

export interface Zone {
  /** Files whose path begins so belong here; the longest match wins. */
  readonly path: string;
  /** Path prefixes of our own that may be imported, besides the zone itself. */
  readonly may: readonly string[];
  /** Path prefixes of our own from which types may be imported. */
  readonly mayTypes?: readonly string[];
  /** Names of npm packages that may be imported; `node:` for all modules of Node, `node:fs` for one. */
  readonly packages: readonly string[];
  /** True when files of the zone may only import types (of packages and of other zones). */
  readonly typesOnly?: boolean;
}

/** Modules for everybody below them: without state, without imports. */
export const everywhere: readonly string[] = ['server/core/assert-never.ts', 'server/core/is-record.ts'];

const text = 'server/core/text/';
const resources = 'server/core/resources/';
const language = 'server/core/language/';
const documents = 'server/core/documents/';
const workspace = 'server/core/workspace/';
const engine = 'server/core/engine/';
const results = 'server/core/results/';
const content = 'server/core/content/';
// What hosts stand on. The engine is not among it: queries run on the local platform or in the service.
const core = [text, resources, language, documents, workspace, results, content];

export const zones: readonly Zone[] = [
  { path: text, may: [], packages: [] },
  { path: language, may: [text], packages: ['chevrotain'] },
  // Catalogs and columns are read from the service's answers here; what they are is the language's word.
  {
    path: resources,
    may: [text, `${language}types/`],
    mayTypes: [`${language}catalog/`, `${language}values/`],
    packages: ['typebox'],
  },
  { path: documents, may: [text, resources, language], packages: ['yaml', 'jsonc-parser'] },
  { path: workspace, may: [text, resources, language, documents], packages: [] },
  { path: engine, may: [text, resources, language], packages: ['re2js'] },
  { path: results, may: [text, resources, language], packages: ['re2js'] },
  { path: content, may: [text, resources, language, documents, workspace], packages: ['yaml', 'jsonc-parser'] },
  { path: 'server/api/', may: [resources], packages: ['node:', 'undici', 'typebox'] },
  // Folders of files against an account: what the extension host and the command line share.
  {
    path: 'server/api/content/',
    may: [text, resources, language, documents, workspace, content, 'server/api/'],
    packages: ['node:'],
  },
  {
    path: 'server/platform/',
    may: [text, resources, language, engine, 'server/api/endpoint.ts', 'server/api/endpoints/'],
    packages: ['node:', 'hono', '@hono/node-server', 'typebox'],
  },
  // No network: of Node it has files, for the catalog, and the heap's limits.
  {
    path: 'server/lsp/',
    may: [text, resources, language, documents, workspace],
    packages: ['node:fs', 'node:v8', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'jsonc-parser'],
  },
  {
    path: 'server/cli/',
    may: [...core, 'server/api/', 'server/platform/'],
    packages: ['node:', 'smol-toml', 'jsonc-parser'],
  },
  { path: 'client/extension.ts', may: ['client/infrastructure/', 'client/features/'], packages: ['node:', 'vscode'] },
  {
    path: 'client/infrastructure/',
    may: [...core, 'server/api/', 'server/lsp/protocol.ts', 'client/protocol/'],
    packages: ['node:', 'vscode', 'vscode-languageclient', 'smol-toml'],
  },
  {
    path: 'client/features/',
    may: [...core, 'server/api/', 'server/lsp/protocol.ts', 'client/infrastructure/', 'client/protocol/'],
    packages: ['node:', 'vscode'],
  },
  { path: 'client/protocol/', may: [results], packages: [], typesOnly: true },
  { path: 'client/webview/', may: ['client/protocol/'], packages: [] },
];

export interface Wall {
  readonly folder: string;
  /** Path prefix of the files that see all of the folder. */
  readonly inside: string;
  /** Path prefixes by which everybody else enters. Types are seen by all whom the table lets in. */
  readonly doors: readonly string[];
}

/** Folders of which the outside may run only what its doors give. */
export const walls: readonly Wall[] = [
  {
    folder: language,
    inside: 'server/core/',
    doors: [
      `${language}language-service.ts`,
      // For hosts that need a single stage, that load the parser late, or that ask what the language's words mean.
      ...['syntax/parse.ts', 'semantics/analyze.ts', 'semantics/policy-check.ts', 'features/markdown.ts'].map(
        (file) => language + file,
      ),
      ...['catalog/', 'diagnostics/', 'format/', 'types/', 'values/'].map((folder) => language + folder),
    ],
  },
  { folder: 'server/api/endpoints/', inside: 'server/api/', doors: ['server/api/endpoints/index.ts'] },
  { folder: 'server/platform/', inside: 'server/platform/', doors: ['server/platform/index.ts'] },
];

/** Folders whose subfolders must not import one another; `shared` among them is for all of them. */
export const siblingFolders: readonly string[] = ['client/features/', 'client/webview/'];

export function zoneOf(file: string): Zone | undefined {
  return zones.filter((zone) => file.startsWith(zone.path)).sort((a, b) => b.path.length - a.path.length)[0];
}
