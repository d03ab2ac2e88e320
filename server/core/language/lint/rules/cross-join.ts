import { defineRule } from '../rule.ts';

export const crossJoin = defineRule({
  id: 'cross-join',
  title: 'Two datasources separated by a comma',
  why: 'Behind the comma an array expansion is expected. Whether the service accepts a second datasource there is not documented; if it does, every row of the one meets every row of the other.',
  whatToDo: 'Join along a relationship with `with`, or compare through a subquery.',
  bad: '{ source { SVC_HE_PROCESSES p, SVC_HE_MACHINES m } filter { p.MID = m.MID } return { p.MID } }',
  good: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } filter { m.HOSTNAME is not null } return { p.MID } }',
  severity: 'warning',
  visit: {
    sourceBlock(node, context) {
      const [first, ...others] = node.items.filter((item) => item.kind === 'datasource');
      if (first === undefined) return;
      for (const other of others) {
        if (other.name.name === '') continue;
        context.report({
          range: other.name.range,
          message: `A comma before '${other.name.name}' makes no join: each of its rows would meet each row of '${first.name.name}', if the service accepts it at all. Join along a relationship with 'with', or compare through 'in { subquery }'.`,
        });
      }
    },
  },
});
