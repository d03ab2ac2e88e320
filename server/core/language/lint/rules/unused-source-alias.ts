import { defineRule } from '../rule.ts';

export const unusedSourceAlias = defineRule({
  id: 'unused-source-alias',
  title: 'Alias of a source is never used',
  why: 'The alias promises that columns are qualified with it, but none is.',
  whatToDo: 'Remove the alias, or qualify the columns with it.',
  bad: '{ source { CloudTrailRawEvents e } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents e } return { e.EVENT } }',
  severity: 'hint',
  needsWholeQuery: true,
  visit: {
    body(node, context) {
      const scope = context.model.scopes.get(node);
      if (scope === undefined || context.facts.hasUnresolvedNames()) return;
      const datasources = scope.sources.filter((source) => source.kind === 'datasource');
      for (const source of datasources) {
        const { alias, name } = source.node;
        if (alias === undefined || alias.name === '' || context.facts.useOf(source).qualified > 0) continue;
        // Two sources of one name need their aliases.
        if (datasources.some((other) => other !== source && other.node.name.name === name.name)) continue;
        context.report({
          range: alias.range,
          message: `The alias '${alias.name}' is never used. Remove it, or qualify the columns with it.`,
          tags: ['unnecessary'],
          fixes: [
            {
              title: `Remove the alias '${alias.name}'`,
              edits: [{ range: { start: name.range.end, end: alias.range.end }, newText: '' }],
              safe: true,
            },
          ],
        });
      }
    },
  },
});
