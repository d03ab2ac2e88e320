import type { Column, Datasource } from '../catalog/catalog.ts';
import { dataTypeOf } from '../types/types.ts';
import { escapeMarkdown, inlineCode } from './markdown.ts';

/** At most this many columns, relationships or keys are listed in one hover; the rest is counted. */
const maxListed = 20;

/** What the catalog says of a datasource, as Markdown. `age` is how old the catalog is, in words. */
export function datasourceMarkdown(datasource: Datasource, age?: string): string {
  const parts = [`**datasource** ${inlineCode(datasource.name)}`];
  if (datasource.description !== undefined && datasource.description !== '')
    parts.push(escapeMarkdown(datasource.description));
  parts.push(columnsMarkdown(datasource));
  if (datasource.relationships.length > 0) {
    const lines = datasource.relationships.slice(0, maxListed).map((relationship) => {
      const name = relationship.name === '(default)' ? '' : ` on ${inlineCode(`'${relationship.name}'`)}`;
      const cardinality = relationship.cardinality === undefined ? '' : ` (${relationship.cardinality})`;
      const description = relationship.description === undefined ? '' : `: ${escapeMarkdown(relationship.description)}`;
      return `- with ${inlineCode(relationship.to)}${name}${cardinality}${description}`;
    });
    parts.push(`Joins:\n${lines.join('\n')}${rest(datasource.relationships.length)}`);
  }
  if (age !== undefined) parts.push(`*${escapeMarkdown(age)}*`);
  return parts.join('\n\n');
}

function columnsMarkdown({ columns, columnsFrom }: Datasource): string {
  if (columns === undefined) return '*Columns are not known yet.*';
  if (columns.length === 0) return '*The service gives no columns for it.*';
  const lines = columns.slice(0, maxListed).map((column) => `- ${inlineCode(column.name)} ${dataTypeOf(column.type)}`);
  const origin =
    columnsFrom === 'schema' ? ' (from the schemas the service publishes; the datasource list has none)' : '';
  const count = columns.length === 1 ? '1 column' : `${columns.length} columns`;
  return `${count}${origin}:\n${lines.join('\n')}${rest(columns.length)}`;
}

function rest(count: number): string {
  return count > maxListed ? `\n- … and ${count - maxListed} more` : '';
}

/** What the catalog says of a column, as Markdown. */
export function columnMarkdown(column: Column, datasource: Datasource | undefined, datasourceName: string): string {
  const parts = [`**column** ${inlineCode(column.name)} ${dataTypeOf(column.type)} of ${inlineCode(datasourceName)}`];
  if (column.description !== undefined && column.description !== '') parts.push(escapeMarkdown(column.description));
  if (column.properties !== undefined && column.properties.length > 0) {
    const keys = column.properties
      .slice(0, maxListed)
      .map((property) => `- ${inlineCode(property.name)} ${dataTypeOf(property.type)}`);
    parts.push(`Keys:\n${keys.join('\n')}${rest(column.properties.length)}`);
  }
  if (datasource?.columnsFrom === 'schema') parts.push('*From the schemas the service publishes.*');
  return parts.join('\n\n');
}
