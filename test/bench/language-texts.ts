import type { Catalog, Column, Datasource } from '../../server/core/language/catalog/catalog.ts';

/** A query of thirty lines, as people write them: a join, two expansions, paths, casts, a case, a subquery. */
export const thirtyLines = `{
  source {
    SVC_CFG_AWS_EC2_SECURITY_GROUPS groups with SVC_CFG_AWS_EC2_VPCS vpcs,
    array_to_rows(groups.RESOURCE_CONFIG:IpPermissions) as (permission),
    array_to_rows(permission:IpRanges) as (range)
  }
  filter {
    range:CidrIp = '0.0.0.0/0'
    -- ports of remote access and of databases
    and (
      permission:FromPort <= 22 and permission:ToPort >= 22
      or permission:FromPort between 3306 and 3389
      or permission:IpProtocol in ('-1', 'all')
    )
    and groups.RESOURCE_CONFIG:GroupName not like any ('%bastion%', '%jump%')
    and value_exists(groups.RESOURCE_CONFIG:VpcId)
    and groups.ACCOUNT_ID in {
      source { SVC_CFG_AWS_IAM_USERS users }
      filter { users.RESOURCE_CONFIG:mfa_active::string = 'false' }
      return { users.ACCOUNT_ID }
    }
  }
  return distinct {
    groups.ACCOUNT_ALIAS,
    groups.ARN as RESOURCE_KEY,
    groups.RESOURCE_REGION,
    vpcs.RESOURCE_CONFIG:CidrBlock as VPC_RANGE,
    case when permission:IpProtocol = '-1' then 'AllPortsOpen' else 'PortOpen' end as REASON
  }
}
`;

/** A query of like length and shape for GraphQL: nested selections, arguments, variables, fragments, an enum. */
export const thirtyLinesOfGraphql = `query OpenGroups($cidr: String = "0.0.0.0/0", $from: Int = 22, $to: Int = 3389) {
  groups: datasource1017(region: EU_WEST_1, filter: { column1: $cidr, column2: "sg" }) {
    column1
    column2
    # ports of remote access and of databases
    permissions: column3(from: $from, to: $to, protocols: ["-1", "all"]) {
      column4
      column5(like: ["%bastion%", "%jump%"])
      ranges: column6(from: 3306, to: 3389) {
        column7
        column8(from: $from, like: ["%admin%"]) @include(if: true)
        ...Names
      }
    }
    vpcs: column9 {
      column10
      column11(protocols: ["tcp", "udp"], to: $to) @skip(if: false)
      ...Names
    }
  }
  users: datasource1018(region: US_EAST_1, filter: { column1: "false", column2: "mfa_active" }) {
    column10
    column11(from: 1, to: 65535)
    column1(like: ["%active%", "%inactive%"])
  }
}

fragment Names on Datasource1017 {
  column1
  column2
  column12
}
`;

const configuration: readonly Column[] = (
  [
    ['BATCH_START_TIME', 'timestamp'],
    ['BATCH_END_TIME', 'timestamp'],
    ['QUERY_START_TIME', 'timestamp'],
    ['QUERY_END_TIME', 'timestamp'],
    ['ARN', 'string'],
    ['ACCOUNT_ID', 'string'],
    ['ACCOUNT_ALIAS', 'string'],
    ['RESOURCE_ID', 'string'],
    ['RESOURCE_REGION', 'string'],
    ['RESOURCE_TYPE', 'string'],
    ['SERVICE', 'string'],
    ['RESOURCE_CONFIG', 'json'],
    ['RESOURCE_TAGS', 'json'],
  ] as const
).map(([name, type]) => ({ name, type, description: `What ${name} holds.` }));

const groups = 'SVC_CFG_AWS_EC2_SECURITY_GROUPS';
const vpcs = 'SVC_CFG_AWS_EC2_VPCS';
const used = [groups, vpcs, 'SVC_CFG_AWS_IAM_USERS'];

export const catalogSize = 2_300;

/** A catalog as large as that of the service, with the datasources of the query among the others. */
export function largeCatalog(): Catalog {
  const others = Array.from(
    { length: catalogSize - used.length },
    (_, i) => `SVC_CFG_${['AWS', 'AZURE', 'GCP'][i % 3]}_SERVICE${i % 97}_RESOURCE${i}`,
  );
  const datasources = [...used, ...others].map((name): [string, Datasource] => [
    name,
    {
      name,
      description: `Configuration of ${name}.`,
      columns: configuration,
      columnsFrom: 'inline',
      relationships:
        name === groups
          ? [{ name: '(default)', from: groups, to: vpcs, cardinality: 'ONE', description: undefined }]
          : [],
    },
  ]);
  return { version: '1', origin: 'account', vendorPrefix: 'SVC', datasources: new Map(datasources) };
}

/** A GraphQL schema with as many types as the catalog has datasources. */
export function largeSchemaText(): string {
  const args = '(from: Int, to: Int, protocols: [String!], like: [String!])';
  const fields = Array.from({ length: 13 }, (_, i) => {
    const nested = i === 3 || i === 6 || i === 9;
    return `  column${i}${[1, 3, 5, 6, 8, 11].includes(i) ? args : ''}: ${nested ? 'SELF' : 'String'}`;
  }).join('\n');
  const types = Array.from(
    { length: catalogSize },
    (_, i) => `type Datasource${i} {\n${fields.replaceAll('SELF', `Datasource${i}`)}\n}`,
  );
  const roots = Array.from(
    { length: catalogSize },
    (_, i) => `  datasource${i}(region: Region, filter: Filter): Datasource${i}`,
  );
  return `enum Region { EU_WEST_1 US_EAST_1 }\ninput Filter { column1: String column2: String }\ntype Query {\n${roots.join('\n')}\n}\n${types.join('\n')}\n`;
}
