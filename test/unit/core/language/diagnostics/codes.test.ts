import { describe, expect, it } from 'vitest';
import { checkResources } from '../../../../../server/core/documents/resources/check-resources.ts';
import { policyCodes } from '../../../../../server/core/language/diagnostics/codes/policy-codes.ts';
import { resourceCodes } from '../../../../../server/core/language/diagnostics/codes/resource-codes.ts';
import { semanticCodes } from '../../../../../server/core/language/diagnostics/codes/semantic-codes.ts';
import { syntaxCodes } from '../../../../../server/core/language/diagnostics/codes/syntax-codes.ts';
import { diagnosticCodes } from '../../../../../server/core/language/diagnostics/codes.ts';
import { allDiagnostics } from '../../../../../server/core/language/lint/lint.ts';
import { rules } from '../../../../../server/core/language/lint/rules/index.ts';
import { suppressionCodes } from '../../../../../server/core/language/lint/suppression-codes.ts';
import { analyze } from '../../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { smallCatalog } from '../../../../support/small-catalog.ts';

const catalog = smallCatalog();

function codesOf(text: string): readonly string[] {
  const parsed = parse(text);
  return allDiagnostics(parsed, analyze(parsed, { catalog, vendorPrefix: 'SVC' }), {}).map((each) => each.code);
}

describe('the table of diagnostic codes', () => {
  it('has every code once', () => {
    const groups = [syntaxCodes, semanticCodes, policyCodes, resourceCodes, suppressionCodes];
    const count = groups.reduce((sum, group) => sum + Object.keys(group).length, rules.length);
    expect(diagnosticCodes.size).toBe(count);
  });

  it.each([...diagnosticCodes.values()])('$code has a title, a reason, advice and examples', (definition) => {
    expect(definition.code).toMatch(/^[a-z]+(-[a-z0-9]+)*$/);
    expect(definition.title).not.toMatch(/\.$/);
    expect(definition.why).toMatch(/\.$/);
    expect(definition.whatToDo).toMatch(/[.:`]$/);
    expect(definition.bad).not.toBe(definition.good);
  });

  it.each(Object.entries(suppressionCodes))(
    '%s is reported in its bad example and not in its good one',
    (code, { bad, good }) => {
      expect(codesOf(bad)).toContain(code);
      expect(codesOf(good)).not.toContain(code);
    },
  );

  it.each(Object.entries(syntaxCodes))(
    '%s is reported in its bad example and not in its good one',
    (code, { bad, good }) => {
      // The example of too deep nesting tells of it in words; its own test nests in earnest.
      if (code !== 'nested-too-deeply') expect(codesOf(bad)).toContain(code);
      expect(codesOf(good)).not.toContain(code);
    },
  );

  it.each(Object.entries(resourceCodes))(
    '%s is reported in its bad example and not in its good one',
    (code, { bad, good }) => {
      expect(checkResources(bad).map((each) => each.code)).toContain(code);
      expect(checkResources(good)).toEqual([]);
    },
  );

  it('knows every code that broken texts bring about', () => {
    const pieces = [
      '{',
      '}',
      '(',
      ')',
      'source',
      'CloudTrailRawEvents',
      'e',
      ',',
      'filter',
      'e.EVENT',
      '=',
      "'x'",
      'and',
      ':',
      '::',
      'in',
      'return',
      'not',
      'case',
      'select',
      '[',
      '*',
      '!=',
    ];
    let seed = 7;
    const next = (): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed;
    };
    const unknown = new Set<string>();
    for (let i = 0; i < 400; i++) {
      const text = Array.from({ length: 5 + (next() % 30) }, () => pieces[next() % pieces.length]).join(' ');
      for (const code of codesOf(text)) if (!diagnosticCodes.has(code)) unknown.add(code);
    }
    expect([...unknown]).toEqual([]);
  });
});
