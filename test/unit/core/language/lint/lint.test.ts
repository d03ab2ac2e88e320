import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { readLintConfig } from '../../../../../server/core/language/lint/config.ts';
import { allDiagnostics } from '../../../../../server/core/language/lint/lint.ts';
import { rules } from '../../../../../server/core/language/lint/rules/index.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { checkPolicyQuery } from '../../../../../server/core/language/semantics/policy-check.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { smallCatalog } from '../../../../support/small-catalog.ts';

const catalog = smallCatalog();
/** Every rule on, so that all of them see every text. */
const { config } = readLintConfig({ rules: Object.fromEntries(rules.map((rule) => [rule.id, 'warning'])) });

function everything(text: string): readonly Diagnostic[] {
  const parsed = parse(text);
  const model = analyze(parsed, { catalog, vendorPrefix: 'SVC' });
  return [...allDiagnostics(parsed, model, { config }), ...checkPolicyQuery(model, { alertColumns: ['X'] })];
}

function expectSound(text: string, found: readonly Diagnostic[]): void {
  for (const { range, fixes, related, message } of found) {
    for (const each of [range, ...(related ?? []).map((entry) => entry.range)]) {
      expect(0 <= each.start && each.start <= each.end && each.end <= text.length).toBe(true);
    }
    expect(message).not.toMatch(/undefined|\[object/);
    for (const fix of fixes) expect(typeof applyEdits(text, fix.edits)).toBe('string');
  }
}

const name = fc.constantFrom('e', 'm', 'x', 'EVENT', 'EVENT_NAME', 'INSERT_ID', 'MID', 'nope', 'TYPE');
const literal = fc.constantFrom("'a'", "'%a%'", "s'.*'", '"x"', '1', '-2.5', 'true', 'null', "'2024-01-01'");
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    name,
    literal,
    fc.tuple(name, name).map(([a, b]) => `${a}.${b}`),
    fc.tuple(name, name).map(([a, b]) => `${a}:${b}.key`),
    fc
      .tuple(tie('expression'), fc.constantFrom('=', '<>', '<', 'and', 'or', '+', '||', '%'), tie('expression'))
      .map((parts) => `(${parts.join(' ')})`),
    fc
      .tuple(
        fc.constantFrom('lower', 'contains', 'coalesce', 'diff_days', 'is_null', 'count', 'array_to_rows', 'nothing'),
        fc.array(tie('expression'), { maxLength: 3 }),
      )
      .map(([f, args]) => `${f}(${args.join(', ')})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('string', 'number', 'Boolean', 'int', 'timestamp'))
      .map(([e, t]) => `${e}::${t}`),
    tie('expression').map((e) => `not (${e})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('like', 'not like', 'rlike', 'ilike'), literal)
      .map((parts) => parts.join(' ')),
    fc
      .tuple(tie('expression'), fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([e, items]) => `${e} in (${items.join(', ')})`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([e, f]) => `${e} in { source { SVC_HE_MACHINES m } filter { ${f} } return { m.MID } }`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([a, b, c]) => `case when ${a} then ${b} else ${c} end`),
    tie('expression').map((e) => `${e} is not null`),
  ),
}));
const source = fc.constantFrom(
  'CloudTrailRawEvents e',
  'SVC_HE_MACHINES m with SVC_HE_PROCESSES p',
  'SVC_NO_COLUMNS_YET e, array_to_rows(e.A) as (x)',
  'CloudTrailRawEvents e, array_to_rows(EVENT:a) x, SVC_HE_FILES m',
  'LW_HE_FILES m',
  'NOPE',
);
const query = fc
  .tuple(source, expression, fc.array(expression, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(
    ([from, condition, items, distinct]) =>
      `{ source { ${from} } filter { ${condition} } return ${distinct ? 'distinct ' : ''}{ ${items.map((item, i) => (i === 0 ? item : `${item} as C${i}`)).join(', ')}, e.* } }`,
  );

describe('diagnostics of generated queries', () => {
  it('lie in the text, read well and have fixes that apply', () => {
    fc.assert(
      fc.property(query, (text) => expectSound(text, everything(text))),
      { numRuns: 600 },
    );
  });

  it('stay sound when the text is cut anywhere', () => {
    fc.assert(
      fc.property(query, fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
        const text = whole.slice(0, Math.floor(whole.length * share));
        expectSound(text, everything(text));
      }),
      { numRuns: 600 },
    );
  });

  it('of whole queries leave no safe fix that breaks the syntax', () => {
    fc.assert(
      fc.property(query, (text) => {
        if (parse(text).diagnostics.length > 0) return;
        for (const { fixes, code } of everything(text)) {
          for (const fix of fixes) {
            if (fix.safe) expect([code, parse(applyEdits(text, fix.edits)).diagnostics]).toEqual([code, []]);
          }
        }
      }),
      { numRuns: 600 },
    );
  });
});
