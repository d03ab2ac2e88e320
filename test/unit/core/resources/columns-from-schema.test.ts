import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columnNameFromField,
  columnsFromSchemaAnswer,
  schemaNameFor,
} from '../../../../server/core/resources/index.ts';

const mid = { name: 'MID', type: 'number', description: undefined };
const filePath = { name: 'FILE_PATH', type: 'string', description: 'Where it lies' };

describe('columnsFromSchemaAnswer', () => {
  it('reads a bare list of fields', () => {
    expect(
      columnsFromSchemaAnswer([
        { name: 'mid', type: 'integer' },
        { name: 'filePath', type: 'string', description: 'Where it lies' },
      ]),
    ).toEqual([mid, filePath]);
  });

  it('reads one JSON Schema, alone and in a list', () => {
    const schema = {
      type: 'object',
      required: ['mid'],
      properties: { mid: { type: ['integer', 'null'] }, filePath: { type: 'string', description: 'Where it lies' } },
    };
    expect(columnsFromSchemaAnswer(schema)).toEqual([mid, filePath]);
    expect(columnsFromSchemaAnswer([schema])).toEqual([mid, filePath]);
    expect(columnsFromSchemaAnswer({ data: [schema] })).toEqual([mid, filePath]);
  });

  it('puts the branches of oneOf together', () => {
    const answer = {
      oneOf: [{ properties: { mid: {} } }, { properties: { mid: { type: 'integer' }, filePath: { type: 'string' } } }],
    };
    expect(columnsFromSchemaAnswer(answer)?.map((column) => [column.name, column.type])).toEqual([
      ['MID', 'number'],
      ['FILE_PATH', 'string'],
    ]);
  });

  it('keeps nested keys with their spelling', () => {
    const answer = { properties: { srcEntityId: { type: 'object', properties: { ip_addr: { type: 'string' } } } } };
    expect(columnsFromSchemaAnswer(answer)).toEqual([
      {
        name: 'SRC_ENTITY_ID',
        type: 'json',
        description: undefined,
        properties: [{ name: 'ip_addr', type: 'string', description: undefined }],
      },
    ]);
  });

  it.each([[{}], [[]], [null], ['AlertChannels'], [['AlertChannels', 'AuditLogs']], [{ oneOf: [] }]])(
    'finds no columns in %j',
    (answer) => {
      expect(columnsFromSchemaAnswer(answer)).toBeUndefined();
    },
  );

  it('reads the service types too', () => {
    const types = ['String', 'Number', 'Timestamp', 'JSON', 'array', 'whatever'].map((dataType, index) => ({
      name: `C${index}`,
      dataType,
    }));
    expect(columnsFromSchemaAnswer(types)?.map((column) => column.type)).toEqual([
      'string',
      'number',
      'timestamp',
      'json',
      'json',
      'unknown',
    ]);
    expect(columnsFromSchemaAnswer([{ name: 'at', type: 'string', format: 'date-time' }])?.[0]?.type).toBe('timestamp');
  });

  it('ends on any answer, however deep', () => {
    let deep: unknown = { properties: { leaf: { type: 'string' } } };
    for (let level = 0; level < 5_000; level++) deep = level % 2 === 0 ? { properties: { deep } } : { oneOf: [deep] };
    columnsFromSchemaAnswer(deep);
    fc.assert(fc.property(fc.anything(), (answer) => void columnsFromSchemaAnswer(answer)));
  });
});

describe('columnNameFromField', () => {
  it.each([
    ['filePath', 'FILE_PATH'],
    ['mid', 'MID'],
    ['hostIpAddr', 'HOST_IP_ADDR'],
    ['awsVPCId', 'AWS_VPC_ID'],
    ['IMAGE_ID', 'IMAGE_ID'],
    ['sha256Hash', 'SHA256_HASH'],
  ])('spells %s as %s', (field, column) => {
    expect(columnNameFromField(field)).toBe(column);
  });
});

describe('schemaNameFor', () => {
  it.each([
    ['CHANGE_FILES_V', 'Activities', 'ChangedFiles'],
    ['SVC_HE_MACHINES', 'Entities', 'MachineDetails'],
    ['SVC_HA_FILE_CHANGES', 'Activities', 'ChangedFiles'],
    ['SVC_CFG_AWS_S3', 'Inventory', undefined],
    ['AGENT_MANAGEMENT_V', 'AgentInfo', undefined],
  ])('finds the schema of %s', (datasource, type, subtype) => {
    expect(schemaNameFor(datasource, 'SVC')).toEqual({ type, subtype });
  });

  it('knows none for others, nor for another prefix', () => {
    expect(schemaNameFor('CloudTrailRawEvents', 'SVC')).toBeUndefined();
    expect(schemaNameFor('LW_HE_MACHINES', 'SVC')).toBeUndefined();
    expect(schemaNameFor('LW_HE_MACHINES', 'LW')).toEqual({ type: 'Entities', subtype: 'MachineDetails' });
  });
});
