// The core is synchronous and total, and knows neither time nor chance: the same input gives the same answer.
import { expect, test } from 'vitest';
import { blankComments, findInCode, listFiles } from './sources.ts';

const core = listFiles('server/core/**/*.ts');

test('the core reads no clock, no chance and no environment', () => {
  const impure =
    /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|\bMath\.random\b|\bcrypto\.(?:random|getRandom)\w*|\bprocess\.|\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b|\bfetch\(|\bconsole\.|\bIntl\.|\btoLocale\w*\(/;
  expect(findInCode(core, impure)).toEqual([]);
});

test('the core makes no promises, except where content is applied to a target', () => {
  const synchronous = core.filter((file) => file !== 'server/core/content/apply.ts');
  expect(findInCode(synchronous, /\basync\b|\bawait\b|\bPromise\b/)).toEqual([]);
});

test('the language server asks nothing of the network', () => {
  const files = listFiles('server/lsp/**/*.ts');
  expect(findInCode(files, /\bfetch\(|\bWebSocket\b|\bEventSource\b|\bXMLHttpRequest\b/)).toEqual([]);
});

test('people’s patterns and values never become regular expressions', () => {
  // A pattern of ours is a literal or a constant in capitals; text is escaped first; patterns of people run on re2js.
  const sources = listFiles('server/**/*.ts', 'client/**/*.ts');
  expect(findInCode(sources, /new RegExp\((?!\s*['"`/A-Z])(?!\w+\.replace\(\/\[\\)[^)]*\)?/)).toEqual([]);
});

test('comments are told from code', () => {
  expect(blankComments("a // b\n'// c' /* d */ e")).toBe("a     \n'// c'         e");
});
