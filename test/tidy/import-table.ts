// Who may import whom: the table of ARCHITECTURE.md as data.

export interface Zone {
  /** Files whose path begins so belong here; the longest match wins. */
  readonly path: string;
  /** Path prefixes of our own that may be imported, besides the zone itself. */
  readonly may: readonly string[];
  /** Path prefixes of our own from which types may be imported. */
  readonly mayTypes?: readonly string[];
  /** Names of npm packages that may be imported; `node:` for Node's modules. */
  readonly packages: readonly string[];
  /** True when files of the zone may only import types (of packages and of other zones). */
  readonly typesOnly?: boolean;
}

/** Modules for everybody below them: without state, without imports. */
export const everywhere: readonly string[] = ['server/core/assert-never.ts'];

const text = 'server/core/text/';
const resources = 'server/core/resources/';
const language = 'server/core/language/';
const documents = 'server/core/documents/';
const workspace = 'server/core/workspace/';
const engine = 'server/core/engine/';
const results = 'server/core/results/';
const content = 'server/core/content/';
const core = [text, resources, language, documents, workspace, engine, results, content];

export const zones: readonly Zone[] = [
  { path: text, may: [], packages: [] },
  // Catalogs and columns are read from the service's answers here; what they are is the language's word.
  {
    path: resources,
    may: [text, `${language}types/`],
    mayTypes: [`${language}catalog/`, `${language}values/`],
    packages: ['typebox'],
  },
  { path: language, may: [text, resources], packages: ['chevrotain', 're2js'] },
  { path: documents, may: [text, resources, language], packages: ['yaml', 'jsonc-parser', 'typebox'] },
  { path: workspace, may: [text, resources, language, documents], packages: [] },
  { path: engine, may: [text, resources, language, results], packages: ['re2js'] },
  { path: results, may: [text, resources, language], packages: ['re2js'] },
  { path: content, may: core, packages: ['yaml', 'jsonc-parser', 'typebox'] },
  {
    path: 'server/api/',
    may: [text, resources, 'server/core/content/target.ts'],
    packages: ['node:', 'undici', 'typebox'],
  },
  // Folders of files against an account: what the extension host and the command line share.
  { path: 'server/api/content/', may: [...core, 'server/api/'], packages: ['node:'] },
  {
    path: 'server/platform/',
    may: [text, resources, language, engine, results, 'server/api/'],
    packages: ['node:', 'hono', '@hono/node-server', 'typebox'],
  },
  {
    path: 'server/lsp/',
    may: core,
    packages: ['node:', 'vscode-languageserver', 'vscode-languageserver-textdocument', 'jsonc-parser'],
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
    packages: ['node:', 'vscode', 'vscode-languageclient', 'undici', 'jsonc-parser', 'smol-toml'],
  },
  {
    path: 'client/features/',
    may: [...core, 'server/api/', 'server/lsp/protocol.ts', 'client/infrastructure/', 'client/protocol/'],
    packages: ['node:', 'vscode'],
  },
  { path: 'client/protocol/', may: [results], packages: [], typesOnly: true },
  { path: 'client/webview/', may: ['client/protocol/'], packages: [] },
];

/** Folders whose subfolders must not import one another; `shared` among them is for all of them. */
export const siblingFolders: readonly string[] = ['client/features/', 'client/webview/'];

export function zoneOf(file: string): Zone | undefined {
  return zones.filter((zone) => file.startsWith(zone.path)).sort((a, b) => b.path.length - a.path.length)[0];
}
