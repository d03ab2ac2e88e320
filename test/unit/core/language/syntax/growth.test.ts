import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxDiagnostics } from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { maxDepth } from '../../../../../server/core/language/syntax/limit-depth.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { QueryParser } from '../../../../../server/core/language/syntax/query-parser.ts';
import { childrenOf } from '../../../../../server/core/language/syntax/walk.ts';
import { pathologicalFamilies } from '../../../../generators/pathological.ts';
import { repoRoot } from '../../../../harness/paths.ts';

describe('growth', () => {
  test('there are at least twenty families of pathological texts', () => {
    expect(Object.keys(pathologicalFamilies).length).toBeGreaterThanOrEqual(20);
  });

  test.each(Object.entries(pathologicalFamilies))(
    '%s: twice the text takes at most 2.1 times the steps',
    (_name, make) => {
      const small = parse(make(4_000));
      const large = parse(make(8_000));
      expect(large.steps / small.steps).toBeLessThanOrEqual(2.1);
      // At most a handful of steps a character, so that no constant hides a square.
      expect(large.steps).toBeLessThanOrEqual(12 * large.text.length);
      expect(large.diagnostics.length).toBeLessThanOrEqual(maxDiagnostics);
    },
  );

  test.each(Object.entries(pathologicalFamilies))('%s: the tree stays walkable by recursion', (_name, make) => {
    const { file } = parse(make(20_000));
    const open = [{ node: file as Parameters<typeof childrenOf>[0], depth: 0 }];
    let deepest = 0;
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      deepest = Math.max(deepest, next.depth);
      for (const node of childrenOf(next.node)) open.push({ node, depth: next.depth + 1 });
    }
    expect(deepest).toBeLessThanOrEqual(maxDepth);
  });

  test('ordinary text up to a megabyte is linear, too', { timeout: 120_000 }, () => {
    const query = (n: number): string => {
      const conditions = Array.from(
        { length: n },
        (_, i) => `(EVENT_NAME = 'Event${i}' or EVENT:a.b${i}.c::string like '%x%')`,
      );
      return `{ source { CloudTrailRawEvents e } filter { ${conditions.join('\n and ')} } return { e.EVENT } }`;
    };
    const half = parse(query(8_000));
    const whole = parse(query(16_000));
    expect(whole.text.length).toBeGreaterThan(1_000_000);
    expect(whole.diagnostics).toEqual([]);
    expect(whole.steps / half.steps).toBeLessThanOrEqual(2.1);
  });
});

describe('nesting', { timeout: 120_000 }, () => {
  // In a fresh process nothing is compiled yet, frames are at their largest, and the stack is what a server would have.
  const inFreshProcess = (program: string): string => {
    const script = `import { parse } from './server/core/language/syntax/parse.ts'; ${program}`;
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--input-type=module', '--eval', script],
      { cwd: path.resolve(repoRoot), encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };

  test('100,000 nested parentheses are answered by one diagnostic', () => {
    const program = `
      const n = 100000;
      const text = '{ source { A } filter { ' + '('.repeat(n) + '1' + ')'.repeat(n) + ' } return { X } }';
      console.log(JSON.stringify(parse(text).diagnostics.map((d) => [d.code, d.range.start])));`;
    expect(JSON.parse(inFreshProcess(program))).toEqual([['nested-too-deeply', 24 + 254]]);
  });

  test('what is nested less than 256 levels deep is read, with stack to spare', () => {
    const program = `
      const wrap = (condition) => '{ source { A } filter { ' + condition + ' } return { X } }';
      const texts = [
        wrap('('.repeat(250) + '1' + ')'.repeat(250)),
        wrap('f('.repeat(250) + '1' + ')'.repeat(250)),
        wrap('case when '.repeat(250) + '1' + ' then 1 end'.repeat(250)),
        wrap('x in { source { A } filter { '.repeat(125) + '1' + ' } return { B } }'.repeat(125)),
      ];
      // Half of the stack is taken by somebody else already.
      const deep = (depth, run) => (depth === 0 ? run() : deep(depth - 1, run) + 0);
      console.log(texts.map((text) => deep(4000, () => parse(text).diagnostics.length)).join());`;
    expect(inFreshProcess(program)).toBe('0,0,0,0');
  });

  test('a caller without stack gets a shallower reading, not an exception', () => {
    const text = `{ source { A } filter { ${'('.repeat(250)}1${')'.repeat(250)} } return { X } }`;
    let codes: readonly string[] = [];
    const exhaust = (): void => {
      try {
        exhaust();
      } catch (error) {
        if (!(error instanceof RangeError) || codes.length > 0) throw error;
        try {
          codes = parse(text).diagnostics.map((diagnostic) => diagnostic.code);
        } catch {
          // Too little is left even for that; the frame above has more.
          throw error;
        }
      }
    };
    exhaust();
    expect(codes).toEqual(['nested-too-deeply']);
  });
});

test("the grammar passes Chevrotain's own checks", () => {
  expect(() => new QueryParser({ validate: true })).not.toThrow();
});
