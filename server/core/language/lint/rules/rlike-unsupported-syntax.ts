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
        });
      }
    },
  },
});
