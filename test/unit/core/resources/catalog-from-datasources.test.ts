import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogFromDatasources, withSchemas } from '../../../../server/core/resources/index.ts';

const options = { origin: 'account', vendorPrefix: 'SVC' } as const;
const groups = {
  name: 'SVC_CFG_AWS_EC2_SECURITY_GROUPS',
  description: 'Security groups',
  resultSchema: [
    { name: 'ARN', dataType: 'String', description: 'Name of the group' },
    { name: 'RESOURCE_CONFIG', dataType: 'JSON', description: null },
  ],
  sourceRelationships: [
    { name: '(default)', from: 'SVC_CFG_AWS_EC2_SECURITY_GROUPS', to: 'SVC_CFG_AWS_EC2_VPCS', toCardinality: 1 },
    { name: 'users', to: 'SVC_HE_USERS', toCardinality: 'MANY', description: null },
    { name: 'odd', to: 'SVC_HE_FILES', toCardinality: 'SOME' },
  ],
};

describe('catalogFromDatasources', () => {
  it('reads columns and relationships, `1` as ONE and null as nothing', () => {
    const catalog = catalogFromDatasources({ data: [groups], ok: true }, options);
    expect(catalog.datasources.get(groups.name)).toEqual({
      name: groups.name,
      description: 'Security groups',
      columnsFrom: 'inline',
      columns: [
        { name: 'ARN', type: 'string', description: 'Name of the group' },
        { name: 'RESOURCE_CONFIG', type: 'json', description: undefined },
      ],
      relationships: [
        {
          name: '(default)',
          from: groups.name,
          to: 'SVC_CFG_AWS_EC2_VPCS',
          cardinality: 'ONE',
          description: undefined,
        },
        { name: 'users', from: groups.name, to: 'SVC_HE_USERS', cardinality: 'MANY', description: undefined },
        { name: 'odd', from: groups.name, to: 'SVC_HE_FILES', cardinality: undefined, description: undefined },
      ],
    });
    expect(catalog).toMatchObject(options);
  });

  it('reads the bare list like the whole body', () => {
    expect(catalogFromDatasources([groups], options)).toEqual(catalogFromDatasources({ data: [groups] }, options));
  });

  it('leaves columns unknown when the list has none', () => {
    const catalog = catalogFromDatasources(
      [{ name: 'A' }, { name: 'B', resultSchema: [] }, { name: 'C', resultSchema: null }],
      options,
    );
    for (const datasource of catalog.datasources.values()) {
      expect(datasource.columns).toBeUndefined();
      expect(datasource.columnsFrom).toBeUndefined();
      expect(datasource.relationships).toEqual([]);
    }
  });

  it('takes the first of two with one name, and the first of two columns', () => {
    const twice = {
      name: 'A',
      resultSchema: [
        { name: 'X', dataType: 'Number' },
        { name: 'X', dataType: 'String' },
      ],
    };
    const catalog = catalogFromDatasources([twice, { name: 'A' }], options);
    expect(catalog.datasources.get('A')?.columns).toEqual([{ name: 'X', type: 'number', description: undefined }]);
  });

  it('versions content: same content, same version; another column, prefix or schema, another', () => {
    const version = catalogFromDatasources([groups], options).version;
    expect(catalogFromDatasources({ data: [structuredClone(groups)] }, options).version).toBe(version);
    const other = [{ ...groups, resultSchema: groups.resultSchema.slice(1) }];
    expect(catalogFromDatasources(other, options).version).not.toBe(version);
    expect(catalogFromDatasources([groups], { ...options, vendorPrefix: 'LW' }).version).not.toBe(version);
    expect(catalogFromDatasources([groups], { ...options, version: '7' }).version).toBe('7');
  });

  it('gives a catalog for any answer', () => {
    fc.assert(
      fc.property(fc.anything(), (answer) => {
        catalogFromDatasources(answer, options);
        catalogFromDatasources([{ name: 'A', resultSchema: answer, sourceRelationships: answer }], options);
        catalogFromDatasources([{ name: 'A', resultSchema: [answer], sourceRelationships: [answer] }], options);
      }),
    );
  });
});

describe('withSchemas', () => {
  const columns = [{ name: 'MID', type: 'number', description: undefined }] as const;

  it('adds columns to those that lack them, marked as schema columns, under a new version', () => {
    const before = catalogFromDatasources([{ name: 'A' }], options);
    const after = withSchemas(before, { A: columns, UNKNOWN: columns });
    expect(after.datasources.get('A')).toMatchObject({ columns, columnsFrom: 'schema' });
    expect(after.datasources.size).toBe(1);
    expect(after.version).not.toBe(before.version);
    expect(before.datasources.get('A')?.columns).toBeUndefined();
  });

  it('never replaces columns that the datasource listed itself', () => {
    const before = catalogFromDatasources([groups], options);
    expect(withSchemas(before, { [groups.name]: columns })).toBe(before);
  });
});
