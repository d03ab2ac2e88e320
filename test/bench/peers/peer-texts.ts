/** A statement of like length and shape for SQL: joins, conditions, a case, a subquery. */
export const sqlText = `select distinct
    g.account_alias,
    g.arn as resource_key,
    g.resource_region,
    g.resource_type,
    v.cidr_block as vpc_range,
    case when p.ip_protocol = '-1' then 'AllPortsOpen' else 'PortOpen' end as reason
from
    security_groups g
    left join vpcs v on v.vpc_id = g.vpc_id
    left join permissions p on p.group_id = g.group_id
    left join ip_ranges r on r.permission_id = p.permission_id
where
    r.cidr_ip = '0.0.0.0/0'
    -- ports of remote access and of databases
    and (
      p.from_port <= 22 and p.to_port >= 22
      or p.from_port between 3306 and 3389
      or p.ip_protocol in ('-1', 'all')
    )
    and (
      g.group_name not like '%bastion%'
      and g.group_name not like '%jump%'
    )
    and g.vpc_id is not null
    and g.account_id in (
      select u.account_id
      from iam_users u
      where cast(u.mfa_active as char) = 'false'
    );
`;

/** A text of like length for JavaScript, which is what Lezer's best-known grammar reads. */
export const javascriptText = `export function openGroups(groups, vpcs, users) {
  const found = [];
  for (const group of groups) {
    for (const permission of group.resourceConfig.ipPermissions) {
      for (const range of permission.ipRanges) {
        if (range.cidrIp !== '0.0.0.0/0') continue;
        // ports of remote access and of databases
        const open =
          (permission.fromPort <= 22 && permission.toPort >= 22) ||
          (permission.fromPort >= 3306 && permission.fromPort <= 3389) ||
          ['-1', 'all'].includes(permission.ipProtocol);
        if (!open || /bastion|jump/.test(group.groupName)) continue;
        if (group.vpcId === undefined) continue;
        if (!users.some((user) => user.mfaActive === 'false' && user.accountId === group.accountId)) continue;
        found.push({
          alias: group.accountAlias,
          key: group.arn,
          region: group.resourceRegion,
          type: group.resourceType,
          range: vpcs.get(group.vpcId)?.cidrBlock,
          reason: permission.ipProtocol === '-1' ? 'AllPortsOpen' : 'PortOpen',
        });
      }
    }
  }
  return found;
}
`;
