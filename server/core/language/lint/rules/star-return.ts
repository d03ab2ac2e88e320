import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const starReturn = defineRule({
  id: 'star-return',
  title: 'All columns of a source are returned',
  why: 'What `alias.*` brings changes with the datasource, and most of it is rarely read. Queries that feed policies, alerts or exports name their columns.',
  whatToDo: 'Name the columns.',
  bad: '{ source { CloudTrailRawEvents e } return { e.* } }',
  good: '{ source { CloudTrailRawEvents e } return { e.EVENT_TIME, e.EVENT_NAME, e.EVENT } }',
  severity: 'off',
  visit: {
    returnStar(node, context) {
      if (node.qualifier === undefined) return;
      const columns = context.model.resultColumns.filter((column) => column.item === node);
      const { name } = node.qualifier;
      // A star that repeats a column is borne, a column that is named twice is not.
      const others = new Set(
        context.model.resultColumns.flatMap((column) => (column.item === node ? [] : column.name)),
      );
      const isSafe = columns.every((column) => !others.has(column.name));
      context.report({
        range: node.range,
        message: `'${name}.*' returns whatever '${name}' has. Name the columns that are needed.`,
        fixes:
          columns.length === 0
            ? []
            : [
                replaceFix(
                  'Name all columns',
                  node.range,
                  columns.map((column) => `${name}.${column.label}`).join(', '),
                  isSafe,
                ),
              ],
      });
    },
  },
});
