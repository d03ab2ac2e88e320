import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lintConfigSchema, readLintConfig, settingFor } from '../../../../../server/core/language/lint/config.ts';
import type { LintRule } from '../../../../../server/core/language/lint/rule.ts';
import { rules } from '../../../../../server/core/language/lint/rules/index.ts';

function rule(id: string): LintRule {
  const found = rules.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no rule ${id}`);
  return found;
}

describe('readLintConfig', () => {
  it.each([
    [null, [], 'object'],
    [[], [], 'object'],
    [{ rulse: {} }, ['rulse'], "'rules'"],
    [{ rules: [] }, ['rules'], 'object'],
    [{ rules: { 'missing-distinkt': 'error' } }, ['rules', 'missing-distinkt'], "'missing-distinct'"],
    [{ rules: { 'missing-distinct': 'fatal' } }, ['rules', 'missing-distinct'], 'off, hint'],
    [{ rules: { 'missing-distinct': 3 } }, ['rules', 'missing-distinct'], 'severity'],
    [{ rules: { 'missing-distinct': { columns: [] } } }, ['rules', 'missing-distinct', 'columns'], 'no options'],
    [{ rules: { 'or-chain': { atLeast: 1 } } }, ['rules', 'or-chain', 'atLeast'], 'at least 2'],
    [{ rules: { 'or-chain': { most: 1 } } }, ['rules', 'or-chain', 'most'], 'atLeast'],
    [{ rules: { 'required-columns': { columns: 'A' } } }, ['rules', 'required-columns', 'columns'], 'list'],
    [{ rules: { 'result-column-naming': { style: 'x' } } }, ['rules', 'result-column-naming', 'style'], 'upper, lower'],
    [{ rules: { 'or-chain': { ignore: 'x' } } }, ['rules', 'or-chain', 'ignore'], 'patterns'],
    [{ ignore: 'drafts/**' }, ['ignore'], 'patterns'],
    [{ overrides: {} }, ['overrides'], 'list'],
    [{ overrides: [3] }, ['overrides', 0], 'object'],
    [{ overrides: [{ rules: {} }] }, ['overrides', 0], 'files'],
    [{ overrides: [{ files: ['a'], rules: { x: 'off' } }] }, ['overrides', 0, 'rules', 'x'], "'x'"],
  ])('reports what is wrong in %j', (content, path, part) => {
    const { problems } = readLintConfig(content);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.message).toContain(part);
  });

  it('keeps what is right beside what is wrong', () => {
    const { config, problems } = readLintConfig({ rules: { 'or-chain': 'error', nope: 'off' } });
    expect(problems.length).toBe(1);
    expect(settingFor(config, rule('or-chain'), undefined).severity).toBe('error');
  });

  it('takes no configuration at all', () => {
    expect(readLintConfig(undefined).problems).toEqual([]);
  });
});

describe('settingFor', () => {
  const { config } = readLintConfig({
    rules: {
      'or-chain': { atLeast: 5, ignore: ['old/**'] },
      'required-columns': { columns: ['A'] },
      'cross-join': 'error',
    },
    overrides: [
      { files: ['legacy/**'], rules: { 'cross-join': 'off', 'or-chain': { atLeast: 7 } } },
      { files: ['legacy/keep.lql'], rules: { 'cross-join': 'info' } },
    ],
  });

  it('merges options with their defaults', () => {
    expect(settingFor(config, rule('or-chain'), 'a.lql')).toEqual({ severity: 'hint', options: { atLeast: 5 } });
    expect(settingFor(config, rule('required-columns'), 'a.lql')).toEqual({
      severity: 'warning',
      options: { columns: ['A'], datasources: ['*_CFG_*'] },
    });
    expect(settingFor(config, rule('prefer-s-string'), 'a.lql').severity).toBe('off');
  });

  it('lets later overrides win', () => {
    expect(settingFor(config, rule('cross-join'), 'x/a.lql').severity).toBe('error');
    expect(settingFor(config, rule('cross-join'), 'legacy/a.lql').severity).toBe('off');
    expect(settingFor(config, rule('cross-join'), 'legacy/keep.lql').severity).toBe('info');
    expect(settingFor(config, rule('or-chain'), 'legacy/a.lql').options).toEqual({ atLeast: 7 });
  });

  it('switches a rule off where its files are ignored', () => {
    expect(settingFor(config, rule('or-chain'), 'old/a.lql').severity).toBe('off');
  });
});

describe('lintConfigSchema', () => {
  it('describes every rule', () => {
    const text = JSON.stringify(lintConfigSchema());
    for (const { id } of rules) expect(text).toContain(`"${id}"`);
  });

  it('is what the extension ships for lql.config.jsonc', () => {
    const manifest: { contributes: { jsonValidation: { fileMatch: string; url: string }[] } } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    );
    const entry = manifest.contributes.jsonValidation.find(({ fileMatch }) => fileMatch === 'lql.config.jsonc');
    expect(JSON.parse(readFileSync(entry?.url ?? '', 'utf8'))).toEqual(JSON.parse(JSON.stringify(lintConfigSchema())));
  });
});
