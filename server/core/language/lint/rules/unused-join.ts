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
        });
      }
    },
  },
});
