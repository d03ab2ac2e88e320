import type { TextRange } from '../../../text/range.ts';
import type { DatasourceItem } from '../../syntax/ast.ts';
import { removeFix } from '../expressions.ts';
import { defineRule } from '../rule.ts';

export const unusedJoin = defineRule({
  id: 'unused-join',
  title: 'Joined datasource is never used',
  why: '`with` keeps every row of the left side, so a joined source that nothing reads cannot change what is found; it costs time and may multiply rows.',
  whatToDo: 'Remove the join, or use a column of it.',
  bad: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.MID } }',
  good: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.MID, m.HOSTNAME } }',
  severity: 'warning',
  needsWholeQuery: true,
  visit: {
    body(node, context) {
      const scope = context.model.scopes.get(node);
      if (scope === undefined || context.facts.hasUnresolvedNames()) return;
      for (const source of scope.sources) {
        if (source.kind !== 'datasource' || source.joinedFrom === undefined || source.name === '') continue;
        const use = context.facts.useOf(source);
        if (use.references.length > 0 || use.qualified > 0) continue;
        // A link of a chain is needed by what hangs on it.
        if (source.node.joins.length > 0) continue;
        context.report({
          range: source.node.range,
          message: `Nothing of '${source.name}' is used, and a join keeps all rows of its left side: it only costs time${source.many ? ' and multiplies rows' : ''}. Remove it, or use a column of it.`,
          tags: ['unnecessary'],
          fixes: removeFix(
            'Remove the join',
            rangeOfJoin(source.joinedFrom.node, source.node),
            context.parsed.comments,
          ),
        });
      }
    },
  },
});

/** The join clause that brings `joined`, with the blanks in front of it; in a fork, the target with a comma beside it. */
function rangeOfJoin(left: DatasourceItem, joined: DatasourceItem): TextRange | undefined {
  for (const [i, join] of left.joins.entries()) {
    const at = join.targets.findIndex(({ datasource }) => datasource === joined);
    const target = join.targets[at];
    if (target === undefined) continue;
    if (join.targets.length === 1) {
      const start = left.joins[i - 1]?.range.end ?? (left.alias ?? left.name).range.end;
      return { start, end: join.range.end };
    }
    const before = join.targets[at - 1];
    const after = join.targets[at + 1];
    if (before !== undefined) return { start: before.range.end, end: target.range.end };
    return after && { start: target.range.start, end: after.range.start };
  }
  return undefined;
}
