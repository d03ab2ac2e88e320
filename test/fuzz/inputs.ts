import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { queryText } from '../generators/lql.ts';
import { pathologicalFamilies } from '../generators/pathological.ts';
import { findCorpusFile, repoRoot } from '../harness/paths.ts';
import { createRandom, mix, type Random } from './random.ts';

/** Documents shorter than this are not counted: an execution is a whole document. */
export const shortest = 200;

/** Texts that mutation starts from: the examples, generated queries, pathological texts, and real queries where they are at hand. */
export function loadSeeds(seed: number): readonly string[] {
  const examples = path.join(repoRoot, 'examples');
  const texts = existsSync(examples)
    ? readdirSync(examples)
        .filter((name) => name.endsWith('.lql'))
        .map((name) => readFileSync(path.join(examples, name), 'utf8'))
    : [];
  texts.push(...fc.sample(queryText, { numRuns: 300, seed }));
  for (const make of Object.values(pathologicalFamilies)) texts.push(make(40));
  for (const name of ['queries.jsonl', 'bad.jsonl', 'legacy_v1.jsonl']) {
    const file = findCorpusFile(name);
    if (file === undefined) continue;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line.trim() !== '') texts.push((JSON.parse(line) as { readonly text: string }).text);
    }
  }
  return texts;
}

const pieces = [
  ...'{ } ( ) [ ] , ; . : :: = == != <> < <= >= || && + - * / % \' " ` “ ” \\ /* */ -- // # @ $ ? ^ ~ &'.split(' '),
  ...'source filter return distinct union all with on as case when then else end and or not in is null json like ilike rlike any between'.split(
    ' ',
  ),
  ...'select from where limit order by group join outer type array_to_rows array_to_rows_non_empty count(*) true false'.split(
    ' ',
  ),
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\u00a0',
  '\ufeff',
  '\u2028',
  '\u0000',
  '\ud800',
  '\udc00',
  '𝄞',
  'é',
  '9007199254740993',
  '1e999',
  '.5',
  "s'",
  "''",
  '"a\\q"',
  'A.B.C',
  'x:a."b".c',
  '{ source { A } return { X } }',
];

/** Changes a text in one place: removes, doubles, moves, replaces or inserts a stretch of it. */
function mutateOnce(text: string, random: Random, seeds: readonly string[]): string {
  const at = random.below(text.length + 1);
  const length = 1 + random.below(random.below(8) === 0 ? 120 : 12);
  const before = text.slice(0, at);
  const after = text.slice(at);
  switch (random.below(9)) {
    case 0:
      return before + after.slice(length);
    case 1:
      return before + after.slice(0, length) + after;
    case 2: {
      const to = random.below(text.length + 1);
      const without = before + after.slice(length);
      return without.slice(0, to) + after.slice(0, length) + without.slice(to);
    }
    case 3:
      return before + random.pick(pieces) + after.slice(length);
    case 4:
      return (
        before +
        String.fromCharCode(random.below(5) === 0 ? random.below(0x10000) : 32 + random.below(95)) +
        after.slice(1)
      );
    case 5: {
      const other = random.pick(seeds);
      const from = random.below(other.length + 1);
      return before + other.slice(from, from + length * 4) + after;
    }
    case 6:
      return before;
    default:
      return before + random.pick(pieces) + after;
  }
}

/** The document with a number: the same for the same seed, number and seeds. */
export function makeInput(seed: number, index: number, seeds: readonly string[]): string {
  const random = createRandom(mix(seed, index));
  let text = random.pick(seeds);
  while (text.length < shortest) text += `\n${random.pick(seeds)}`;
  if (text.length > 6_000) text = text.slice(0, 6_000);
  const changes = random.below(20) === 0 ? 0 : 1 + random.below(random.below(4) === 0 ? 24 : 4);
  for (let i = 0; i < changes; i++) text = mutateOnce(text, random, seeds);
  while (text.length < shortest) text += random.pick(pieces) + random.pick(seeds).slice(0, 60);
  return text;
}
