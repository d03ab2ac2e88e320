import { matchesGlob } from '../glob.ts';
import { defineRule } from '../rule.ts';

export const requiredColumns = defineRule({
  id: 'required-columns',
  title: 'A result column that the team requires is missing',
  why: 'Alert texts, dashboards and exports read result columns by name; a query without them gives alerts with holes.',
  whatToDo: 'Return the column, with an alias where it is called differently: `ARN as RESOURCE_KEY`.',
  bad: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN } }',
  good: '{ source { SVC_CFG_AWS_S3 } return distinct { ARN as RESOURCE_KEY, ACCOUNT_ID, RESOURCE_REGION, RESOURCE_TYPE } }',
  severity: 'off',
  options: {
    columns: {
      type: 'strings',
      default: ['RESOURCE_KEY'],
      description: 'Names of the columns that every matching query returns; case does not matter.',
    },
    datasources: {
      type: 'strings',
      default: ['*_CFG_*'],
      description: 'Patterns with * of the first datasource; queries on other datasources are left alone.',
    },
  },
  needsWholeQuery: true,
  visit: {
    file(_node, context) {
      const { model, options } = context;
      const query = model.query;
      const body = query?.kind === 'query' ? query.body : query?.bodies[0];
      const root = body === undefined ? undefined : model.scopes.get(body)?.sources[0];
      if (body?.return === undefined || root?.kind !== 'datasource') return;
      const name = root.node.name.name;
      if (!options.datasources.some((pattern) => matchesGlob(name, pattern))) return;
      // A star of a source with unknown columns may bring anything.
      if (body.return.items.some((item) => item.kind === 'returnStar') && root.datasource?.columns === undefined)
        return;
      const returned = new Set(model.resultColumns.map((column) => column.name));
      const missing = options.columns.filter((column) => !returned.has(column.toUpperCase()));
      if (missing.length === 0) return;
      context.report({
        range: body.return.keywordRange,
        message: `The team requires ${missing.length === 1 ? 'the result column' : 'the result columns'} ${missing.join(', ')}. Return ${missing.length === 1 ? 'it' : 'them'}, with an alias where the column has another name.`,
      });
    },
  },
});
