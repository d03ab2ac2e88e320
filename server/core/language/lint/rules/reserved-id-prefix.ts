import { knownVendorPrefixes, reservedIdPrefix } from '../../catalog/vendor-prefix.ts';
import { defineRule } from '../rule.ts';

export const reservedIdPrefixRule = defineRule({
  id: 'reserved-id-prefix',
  title: 'Query id begins with a reserved prefix',
  why: 'Ids with this beginning belong to the content that the service delivers; the service refuses to create or change them.',
  whatToDo: 'Choose another id.',
  bad: 'SVC_Global_My_Query { source { CloudTrailRawEvents } return { EVENT } }',
  good: 'Acme_My_Query { source { CloudTrailRawEvents } return { EVENT } }',
  severity: 'warning',
  visit: {
    file(node, context) {
      const name = node.query?.kind === 'query' ? node.query.name : undefined;
      const id = name?.name ?? context.queryId;
      if (id === undefined) return;
      const reserved = knownVendorPrefixes
        .map(reservedIdPrefix)
        .find((prefix) => id.toLowerCase().startsWith(prefix.toLowerCase()));
      if (reserved === undefined) return;
      const { start } = node.range;
      context.report({
        range: name?.range ?? { start, end: Math.min(start + 1, node.range.end) },
        message: `Ids beginning with '${reserved}' belong to the service's own content: '${id}' cannot be created or changed. Choose another id.`,
      });
    },
  },
});
