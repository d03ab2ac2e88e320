import { type Fix, replaceFix } from '../../diagnostics/diagnostic.ts';
import type { StringLiteral } from '../../syntax/ast.ts';
import { writeSString } from '../../syntax/strings.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

const notInThePatternLanguage: readonly { readonly find: RegExp; readonly what: string; readonly instead: string }[] = [
  { find: /\(\?/, what: "groups with '(?'", instead: 'a plain group, or two conditions' },
  { find: /\\[dD]/, what: "'\\d'", instead: '[0-9]' },
  { find: /\\[wW]/, what: "'\\w'", instead: '[A-Za-z0-9_]' },
  { find: /\\[sS]/, what: "'\\s'", instead: '[[:space:]]' },
  { find: /\\[bB]/, what: "'\\b'", instead: 'the characters that may stand there' },
  { find: /\\[1-9]/, what: 'back-references', instead: 'two conditions' },
  { find: /\.\*\?|\.\+\?/, what: 'lazy repetition', instead: "'.*'" },
];

export const rlikeUnsupportedSyntax = defineRule({
  id: 'rlike-unsupported-syntax',
  title: 'Regular expression beyond the documented pattern language',
  why: 'RLIKE is documented with POSIX extended regular expressions: . + * ? ^ $ [] () | and classes such as [[:digit:]]. Whether anything else works is not said.',
  whatToDo: 'Write the POSIX form: `[0-9]` for `\\d`, `[[:space:]]` for `\\s`.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME rlike s'.*\\d+' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME rlike s'.*[0-9]+' } return { EVENT } }",
  severity: 'warning',
  visit: {
    like(node, context) {
      if (node.operator !== 'rlike') return;
      for (const pattern of node.patterns) {
        const literal = unwrap(pattern);
        if (literal.kind !== 'string') continue;
        const found = notInThePatternLanguage.find((entry) => entry.find.test(literal.value));
        if (found === undefined) continue;
        context.report({
          range: literal.range,
          message: `The patterns of RLIKE are POSIX extended regular expressions, which have no ${found.what}. Write ${found.instead} instead.`,
          fixes: posixFix(literal),
        });
      }
    },
  },
});

const posixClasses: ReadonlyMap<string, string> = new Map([
  ['d', '0-9'],
  ['w', 'A-Za-z0-9_'],
  ['s', '[:space:]'],
]);

/** The same pattern in the documented language; none where that takes more than other words for its classes and greedy repetition. */
function posixFix({ value, range }: StringLiteral): readonly Fix[] {
  let isInBrackets = false;
  let written = '';
  for (let at = 0; at < value.length; at++) {
    const char = value.charAt(at);
    const next = value.charAt(at + 1);
    if (char === '\\') {
      const name = posixClasses.get(next.toLowerCase());
      const isNegated = next !== next.toLowerCase();
      // A negated class inside of brackets has no short form.
      if (name !== undefined && isNegated && isInBrackets) return [];
      if (name !== undefined) written += isInBrackets ? name : `[${isNegated ? '^' : ''}${name}]`;
      else written += char + next;
      at++;
      continue;
    }
    if (char === '[') isInBrackets = true;
    else if (char === ']') isInBrackets = false;
    // The whole text must match, so how much each repetition takes makes no difference.
    const isLazy = !isInBrackets && char === '?' && /[*+]/.test(value.charAt(at - 1));
    if (!isLazy) written += char;
  }
  if (written === value || notInThePatternLanguage.some(({ find }) => find.test(written))) return [];
  const newText = writeSString(written);
  return [replaceFix(`Change to ${newText}`, range, newText, true)];
}
