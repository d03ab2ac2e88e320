import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic as WireDiagnostic } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Finding } from '../../../server/cli/commands/check.ts';
import { runCli } from '../../../server/cli/run-cli.ts';
import { findRegions } from '../../../server/core/documents/find-regions.ts';
import type { HostKind } from '../../../server/core/documents/region.ts';
import { checkResources } from '../../../server/core/documents/resources/check-resources.ts';
import type { DiagnosticCode } from '../../../server/core/language/diagnostics/codes.ts';
import {
  analyzeText,
  checkPolicyQuery,
  type Diagnostic,
  diagnosticCodes,
  readLintConfig,
} from '../../../server/core/language/language-service.ts';
import { catalogFromDatasources } from '../../../server/core/resources/index.ts';
import { applyEdits } from '../../../server/core/text/edits.ts';
import { lqlMethods } from '../../../server/lsp/protocol.ts';
import { type LspSession, startSession } from '../../harness/lsp-session.ts';
import { smallDatasources } from '../../support/small-catalog.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

// Every code that has a fix: through the editor's light bulb, through "fix all", through the command line, and inside other files.

/** The example of the definition, or another text where that one needs more than itself. */
const examples: Readonly<Record<string, string>> = {
  'other-vendor-prefix': '{ source { LW_HE_MACHINES } return { MID } }',
  'duplicate-result-column': '{ source { CloudTrailRawEvents e } return { e.EVENT, e.EVENT } }',
  'invalid-suppression':
    "{ source { CloudTrailRawEvents } filter {\n-- lql-disable-next-line like-without-wildcards: complete\nEVENT_NAME = 'Delete' } return { EVENT } }",
  'unknown-qualifier': '{ source { CloudTrailRawEvents events } return { event.EVENT } }',
  'cross-join': '{ source { SVC_HE_PROCESSES p, SVC_HE_MACHINES m } return { p.MID, m.HOSTNAME } }',
  'empty-block': '{ source { CloudTrailRawEvents } return { } }',
};

/** Codes where only the author knows what was meant. A code that gets a fix leaves this list, one that loses it does not pass. */
const withoutFix: ReadonlySet<string> = new Set(
  `unexpected-character invalid-name missing-expression empty-block missing-block block-order text-after-query not-a-query nested-too-deeply
  datasource-not-in-sample reserved-column-name outer-name-in-subquery name-declared-later duplicate-source-name duplicate-expansion-name
  unknown-relationship argument-count expansion-in-expression misplaced-tuple type-mismatch condition-type in-list-not-literal
  subquery-columns case-branch-types union-columns policy-returns-many policy-missing-field policy-joins-activity wrong-field-value
  service-field deprecated-field suppression-without-reason always-true never-true required-columns reserved-id-prefix text-near-limit
  wide-like duplicate-id invalid-id unreadable-file`.split(/\s+/),
);

/** The catalog's answer lists no keys: rows tell of them, which have tests of their own. */
const needsRows: ReadonlySet<string> = new Set(['json-key-case']);

const catalog = catalogFromDatasources(smallDatasources, { origin: 'account', vendorPrefix: 'SVC' });
const settings = { catalog, vendorPrefix: 'SVC' };

interface Case {
  readonly definition: DiagnosticCode;
  readonly text: string;
  readonly languageId: 'lql' | 'yaml';
  readonly config: object;
  readonly found: readonly Diagnostic[];
}

function caseOf(definition: DiagnosticCode): Case {
  const { code, stage, severity } = definition;
  const text = examples[code] ?? definition.bad;
  const config = severity === 'off' ? { rules: { [code]: 'warning' } } : {};
  if (stage === 'resource') {
    const found = checkResources(text).filter((each) => each.code === code);
    return { definition, text, languageId: 'yaml', config, found };
  }
  const { diagnostics, model } = analyzeText(text, settings, { config: readLintConfig(config).config });
  const all = stage === 'policy' ? checkPolicyQuery(model) : diagnostics;
  return { definition, text, languageId: 'lql', config, found: all.filter((each) => each.code === code) };
}

const cases = [...diagnosticCodes.values()].map(caseOf);
const fixable = cases.filter(({ found }) => found.some(({ fixes }) => fixes.length > 0));
const safelyFixable = fixable.filter(({ found }) => found.some(({ fixes }) => fixes.some(({ safe }) => safe)));

/** The document in which the text stands: a policy's query needs the policy. */
function documentOf({ definition, text, languageId }: Case): { name: string; text: string } {
  if (languageId === 'yaml') return { name: 'a.yaml', text };
  if (definition.stage !== 'policy') return { name: 'a.lql', text };
  return { name: 'a.yaml', text: policyAround(text) };
}

const policyAround = (query: string): string =>
  `policyId: $account-a-1\ntitle: t\nenabled: true\npolicyType: Violation\nseverity: high\ndescription: d\nremediation: r\nalertEnabled: false\nqueryText: |-\n${query.replaceAll(/^/gm, '  ')}\n`;

let lsp: LspSession;
const folder = 'file:///project/';

beforeAll(async () => {
  lsp = await startSession();
  await lsp.request(lqlMethods.catalog, {
    version: 'one',
    origin: 'account',
    vendorPrefix: 'SVC',
    datasources: smallDatasources,
  });
});
afterAll(() => lsp.stop());

function applyAction(uri: string, text: string, action: CodeAction): string {
  const [change] = action.edit?.documentChanges ?? [];
  if (change === undefined || !('edits' in change)) throw new Error(`'${action.title}' has no edits.`);
  expect(change.textDocument.uri).toBe(uri);
  return TextDocument.applyEdits(
    TextDocument.create(uri, 'lql', 1, text),
    change.edits.filter((edit) => 'newText' in edit),
  );
}

/** What the editor sees: the diagnostics of the code, and the actions on the first of them. */
async function askEditor(entry: Case): Promise<{
  readonly uri: string;
  readonly text: string;
  readonly diagnostics: readonly WireDiagnostic[];
  readonly actions: readonly CodeAction[];
  readonly fixAll: CodeAction | undefined;
}> {
  const { name, text } = documentOf(entry);
  const uri = `${folder}${entry.definition.code}/${name}`;
  lsp.notify(lqlMethods.config, { folderUri: folder, text: JSON.stringify(entry.config) });
  lsp.open(uri, text, name.endsWith('.yaml') ? 'yaml' : 'lql');
  const all = await lsp.diagnostics(uri);
  const diagnostics = all.filter(({ code }) => code === entry.definition.code);
  const [first] = diagnostics;
  const ask = (only: readonly string[]): Promise<CodeAction[]> =>
    lsp.request('textDocument/codeAction', {
      textDocument: { uri },
      range: first?.range,
      context: { diagnostics: all, only },
    });
  const actions = (await ask(['quickfix'])).filter(
    (action) => action.diagnostics?.[0]?.code === entry.definition.code && action.title !== silence(entry),
  );
  const [fixAll] = await ask(['source.fixAll']);
  return { uri, text, diagnostics, actions, fixAll };
}

const silence = ({ definition }: Case): string => `Silence ${definition.code} on this line (say why behind the colon)`;

async function checkByCli(
  entry: Case,
  name: string,
  text: string,
  args: readonly string[],
): Promise<{ readonly text: string; readonly codes: readonly string[]; readonly said: string }> {
  await using place = await temporaryFolder({
    [name]: text,
    'catalog.json': JSON.stringify({ data: smallDatasources }),
    'lql.config.jsonc': JSON.stringify(entry.config),
  });
  const io = createMemoryIo({ cwd: place.path });
  await runCli(['check', '--json', '--catalog', 'catalog.json', ...args, name], io);
  const codes = (JSON.parse(io.out) as readonly Finding[]).map(({ code }) => code);
  return { text: await place.read(name), codes, said: io.error };
}

describe('every fix', () => {
  it('is there for each code, or nobody can know it', () => {
    const none = cases.filter(({ found }) => !found.some(({ fixes }) => fixes.length > 0));
    const names = none.map(({ definition }) => definition.code).filter((code) => !needsRows.has(code));
    expect(names.sort()).toEqual([...withoutFix].sort());
    console.log(
      `fixes: ${fixable.length + needsRows.size} of ${cases.length} codes have one, ${safelyFixable.length + needsRows.size} of them a safe one; each tried through code action, source.fixAll and check --fix`,
    );
  });

  it.each(fixable.map((entry) => [entry.definition.code, entry] as const))(
    'of %s takes the finding away by the light bulb',
    async (code, entry) => {
      const { uri, text, diagnostics, actions } = await askEditor(entry);
      const fixes = entry.found.find((each) => each.fixes.length > 0)?.fixes ?? [];
      expect([code, actions.map(({ title }) => title)]).toEqual([
        code,
        expect.arrayContaining(fixes.map(({ title }) => title)),
      ]);
      for (const action of actions) {
        const after = applyAction(uri, text, action);
        lsp.change(uri, after);
        const left = (await lsp.diagnostics(uri)).filter((each) => each.code === code);
        expect([code, action.title, after, left.length]).toEqual([code, action.title, after, diagnostics.length - 1]);
      }
    },
  );

  it.each(safelyFixable.map((entry) => [entry.definition.code, entry] as const))(
    'of %s that is safe is applied by "fix all" and by check --fix, to the same text',
    async (code, entry) => {
      const { uri, text, fixAll } = await askEditor(entry);
      expect(fixAll?.kind).toBe('source.fixAll.lql');
      const after = fixAll === undefined ? '' : applyAction(uri, text, fixAll);
      const { name } = documentOf(entry);
      const before = await checkByCli(entry, name, text, []);
      expect(before.codes).toContain(code);
      const fixed = await checkByCli(entry, name, text, ['--fix']);
      expect([code, fixed.text]).toEqual([code, after]);
      // Where two fixes meet, one of them may do for both.
      expect(fixed.said).toMatch(/: fixed \d+ \(/);
      const count = (codes: readonly string[]): number => codes.filter((each) => each === code).length;
      expect(count(fixed.codes)).toBeLessThan(count(before.codes));
      // "Until nothing changes": once more is no different.
      expect(await checkByCli(entry, name, fixed.text, ['--fix'])).toEqual({ ...fixed, said: '' });
    },
  );
});

/** A document of each host around a query text, as that host writes it. */
const hosts: readonly (readonly [HostKind, string, (text: string) => string])[] = [
  ['yaml', 'a.yaml', (text) => `queryId: Acme_A\nqueryText: |-\n${text.replaceAll(/^/gm, '  ')}\n`],
  ['yaml', 'b.yaml', (text) => `queryId: Acme_A\nqueryText: '${text.replaceAll("'", "''")}'\n`],
  ['yaml', 'c.yaml', (text) => `queryId: Acme_A\nqueryText: ${JSON.stringify(text)}\n`],
  ['json', 'a.json', (text) => `{"queryId": "Acme_A", "queryText": ${JSON.stringify(text)}}\n`],
  ['hcl', 'a.tf', (text) => `resource "lacework_query" "q" {\n  query = <<EOT\n${text}\nEOT\n}\n`],
  ['markdown', 'a.md', (text) => `# Notes\n\n\`\`\`lql\n${text}\n\`\`\`\n`],
  [
    'lql',
    'a.lql',
    (text) => `queryId: Acme_A\r\nqueryText: |-\r\n${text.replaceAll(/^/gm, '  ').replaceAll('\n', '\r\n')}\r\n`,
  ],
];

describe('check --fix inside of other files', () => {
  const inQueries = safelyFixable.filter(
    ({ definition, text }) =>
      definition.stage !== 'resource' && definition.stage !== 'policy' && findRegions(text, 'lql')[0]?.host === 'lql',
  );

  it.each(hosts)('gives in %s (%s) the text that it gives alone', async (host, name, around) => {
    let tried = 0;
    for (const entry of inQueries) {
      const document = around(entry.text);
      const [region] = findRegions(document, host);
      // Not every text can stand in every host: a heredoc's `${`, a query that does not look like one.
      if (region === undefined || region.text.replaceAll('\r\n', '\n').trimEnd() !== entry.text.trimEnd()) continue;
      const alone = await checkByCli(entry, 'a.lql', entry.text, ['--fix']);
      const inside = await checkByCli(entry, name, document, ['--fix']);
      const text = findRegions(inside.text, host)[0]?.text.replaceAll('\r\n', '\n');
      // The id beside the text makes a fix out of what is a hint otherwise, and the other way round; a plain scalar holds no new line.
      expect([entry.definition.code, text?.trimEnd()]).toEqual([entry.definition.code, alone.text.trimEnd()]);
      tried++;
    }
    expect(tried).toBeGreaterThan(inQueries.length / 2);
  });
});

describe('fixes that stay out of sight', () => {
  it('are not applied where the host fills parts in later', async () => {
    const part = ['$', '{var.x}'].join('');
    const text = `resource "lacework_query" "q" {\n  query = "{ source { A } filter { X != ${part} } return { X } }"\n}\n`;
    const [entry] = safelyFixable;
    if (entry === undefined) throw new Error('nothing is safely fixable');
    expect((await checkByCli(entry, 'a.tf', text, ['--fix'])).text).toBe(text);
  });

  it('give what applying their edits gives', () => {
    for (const { text, found } of fixable)
      for (const { fixes } of found) for (const fix of fixes) expect(applyEdits(text, fix.edits)).not.toBe(text);
  });
});
